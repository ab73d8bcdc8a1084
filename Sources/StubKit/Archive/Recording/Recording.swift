import Foundation

/// A recording of what servers answered: its file, and how it is made and played.
///
/// ```swift
/// try await withRecording(Recording("users")) {
///   let users = try await client.users()
///   #expect(users.count == 3)
/// }
/// ```
///
/// A recording is an HTTP Archive (HAR 1.2), `Recordings/users.har` beside the file in which it is written down. It is played unless a mode
/// says otherwise. To make it, run the test once with the network:
///
///     STUBKIT_RECORD=once swift test --filter loadsUsers
///
/// Secrets such as tokens, cookies and passwords are taken out before anything is written. See ``Redaction``.
///
/// If the environment variable `STUBKIT_UNUSED` names a file, StubKit appends a line to it for each recording that was played: which of
/// its entries no request asked for. `stubkit prune` removes these.
public struct Recording: Sendable {
  /// The path of the file below its folder, without extension.
  public private(set) var name: String
  /// The mode that the code says; `nil` for ``RecordingMode/replay``. `STUBKIT_RECORD` takes its place.
  public var mode: RecordingMode?
  /// What a request must have in common with a recorded one.
  public var matching: ReplayMatching
  /// What is taken out before anything is written.
  public var redacting: [Redaction]
  /// How long responses take when they are played.
  public var timing: ReplayTiming

  /// Where it is written.
  private(set) var folder: URL
  /// The folders of the bundle in which it may be.
  let bundleFolders: [URL]
  /// Where it is written down.
  package let location: StubLocation

  /// A recording.
  ///
  /// - Parameters:
  ///   - name: The path of the file below the folder, without extension: `users`, `login/wrong password`. An absolute path, and one
  ///     with `..` in it, is an error when the recording is used.
  ///   - folder: The folder. Defaults to `Recordings` beside the source file.
  ///   - bundle: A bundle with the file in its resources, or in a folder `Recordings` there, for tests that run where the source files are not.
  ///     A recording is read from it, and written to the folder. Defaults to none.
  ///   - mode: Whether it is played or made. Defaults to ``RecordingMode/replay``.
  ///   - matching: What a request must have in common with a recorded one. Defaults to the method, the URL, and the body where the
  ///     recording has several bodies for one method and URL.
  ///   - redacting: What is taken out before anything is written. Defaults to tokens, cookies, passwords and the like.
  ///   - timing: How long responses take when they are played. Defaults to ``ReplayTiming/atOnce``.
  ///   - fileID: Where the recording is written down, for reports; leave it out, like the three that follow.
  ///   - filePath: The path of the source file.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    _ name: String, in folder: URL? = nil, bundle: Bundle? = nil, mode: RecordingMode? = nil,
    matching: ReplayMatching = .default, redacting: [Redaction] = .standard, timing: ReplayTiming = .atOnce,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.name = name
    self.mode = mode
    self.matching = matching
    self.redacting = redacting
    self.timing = timing
    self.folder = folder ?? Self.folder(beside: filePath)
    location = StubLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    bundleFolders = bundle.map(Self.folders) ?? []
  }

  /// The same with another name.
  package func named(_ name: String) -> Recording {
    var recording = self
    recording.name = name
    return recording
  }

  /// The same in the folder `Recordings` beside a source file.
  package func beside(_ filePath: String) -> Recording {
    var recording = self
    recording.folder = Self.folder(beside: filePath)
    return recording
  }

  private static func folder(beside filePath: String) -> URL {
    URL(fileURLWithPath: filePath).deletingLastPathComponent().appendingPathComponent("Recordings", isDirectory: true)
  }

  /// An executable's bundle on Linux may have a folder of resources and still keep files beside the executable.
  private static func folders(of bundle: Bundle) -> [URL] {
    [bundle.resourceURL, bundle.bundleURL].compactMap(\.self).flatMap { root in
      [root.appendingPathComponent("Recordings", isDirectory: true), root]
    }
  }
}
