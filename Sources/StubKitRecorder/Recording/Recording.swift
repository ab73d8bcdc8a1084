import Foundation
import StubKit
import StubKitArchive

/// A recording of real responses: its file, and how to record and play it.
///
/// ```swift
/// try await withRecording(Recording("users")) {
///   let users = try await client.users()
///   #expect(users.count == 3)
/// }
/// ```
///
/// A recording is an HTTP Archive (HAR 1.2) in a folder beside the source file, here `Recordings/users.har`. By
/// default, StubKit plays it. To record it from the network, run the test once with this command:
///
/// ```sh
/// STUBKIT_RECORD=once swift test --filter loadsUsers
/// ```
///
/// StubKit removes secrets such as tokens, cookies and passwords before it writes anything. See
/// `Redaction`.
///
/// A recording can leave a part of the requests alone, and say how long it is good:
///
/// ```swift
/// Recording(
///   "users", where: isHost("api.example.com"), expires: .days(90))
/// ```
public struct Recording: Sendable {
  /// The path of the file below its folder, without an extension.
  public package(set) var name: String
  /// The mode, or `nil` for ``RecordingMode/replay``. `STUBKIT_RECORD` overrides it.
  public var mode: RecordingMode?
  /// What a request must have in common with a recorded one.
  public var matching: ReplayMatching
  /// The parts of requests that aren't compared, because they differ in each run.
  public var ignoring: [IgnoredPart]
  /// What to remove before anything is written.
  public var redacting: [Redaction]
  /// How long played responses take.
  public var timing: ReplayTiming
  /// The condition of the requests that are recorded and played, or `nil` for all.
  package var condition: RequestMatcher?
  /// How long the recording is good, or `nil` for ever.
  package var expires: Lifetime?

  /// The folder of the file.
  package var folder: URL
  /// The folders of the bundle that can contain the file.
  let bundleFolders: [URL]
  /// The call that takes the arguments, as a report shows it.
  package var call = "Recording"
  /// The location of the recording in the source code.
  package let location: StubLocation

  /// Creates a recording.
  ///
  /// - Parameters:
  ///   - name: The path of the file below the folder, without an extension, such as `users` or `login/wrong password`.
  ///     An absolute path or one with `..` is an error when the recording is used.
  ///   - folder: The folder. Defaults to `Recordings` beside the source file.
  ///   - bundle: A bundle that contains the file in its resources, or in a folder `Recordings` there. Use it for tests
  ///     that run on another machine than the source files. StubKit reads a recording from the bundle, and writes it to
  ///     the folder. Defaults to none.
  ///   - mode: Whether to play or to record it. Defaults to ``RecordingMode/replay``.
  ///   - condition: What a request must meet to be recorded and played, such as `isHost("api.example.com")`. Other
  ///     requests go where they would go without the recording. Defaults to `nil`: the recording has all requests.
  ///   - matching: What a request must have in common with a recorded one. Defaults to the method and the URL, and to
  ///     the body if the recording contains several bodies for one method and URL.
  ///   - ignoring: The parts of requests that aren't compared, because they differ in each run, such as
  ///     `.queryItem("ts")`. Defaults to none.
  ///   - redacting: What to remove before anything is written. Defaults to tokens, cookies, passwords and the like.
  ///   - timing: How long played responses take. Defaults to ``ReplayTiming/atOnce``.
  ///   - expires: How long the recording is good after its newest entry, such as `.days(90)`. An older one is played
  ///     all the same. A line on standard error says so once a run, and ``RecordingMode/check`` fails the test.
  ///     Defaults to `nil`: for ever.
  ///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    _ name: String, in folder: URL? = nil, bundle: Bundle? = nil, mode: RecordingMode? = nil,
    where condition: RequestMatcher? = nil, matching: ReplayMatching = .default, ignoring: IgnoredPart...,
    redacting: [Redaction] = .standard, timing: ReplayTiming = .atOnce, expires: Lifetime? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.name = name
    self.mode = mode
    self.timing = timing
    self.condition = condition
    self.expires = expires
    self.matching = matching
    self.ignoring = ignoring
    self.redacting = redacting
    self.folder = folder ?? Self.folder(beside: filePath)
    location = StubLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    bundleFolders = bundle.map(Self.folders) ?? []
  }

  /// What a request must have in common with a recorded one.
  var comparison: ReplayComparison { ReplayComparison(matching, ignoring: ignoring) }

  /// Returns the folder `Recordings` beside a source file.
  package static func folder(beside filePath: String) -> URL {
    URL(fileURLWithPath: filePath).deletingLastPathComponent().appendingPathComponent("Recordings", isDirectory: true)
  }

  /// On Linux, an executable's bundle can have a resource folder and still keep files beside the executable.
  private static func folders(of bundle: Bundle) -> [URL] {
    [bundle.resourceURL, bundle.bundleURL].compactMap(\.self).flatMap { root in
      [root.appendingPathComponent("Recordings", isDirectory: true), root]
    }
  }
}
