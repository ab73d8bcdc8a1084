import Foundation
import StubKit

/// The files with the requests that the tests of a ``TranscribedTestCase`` make.
///
/// ```swift
/// final class UserTests: TranscribedTestCase {
///   // Requests/UserTests.testSignsIn.http beside this file, and so on
///   override var transcript: Transcript? { Transcript() }
///
///   func testSignsIn() async throws { … }
/// }
/// ```
///
/// In Swift Testing, write the trait ``Testing/Trait/transcribed``. ``TranscribedTrait`` explains what it does.
public struct Transcript: Sendable {
  let order: RequestOrder
  let folder: URL?
  /// The source file beside which the folder is.
  let filePath: String

  /// - Parameters:
  ///   - order: Which requests must keep their order. Defaults to those of one method and URL.
  ///   - folder: The folder of the files. Defaults to `Requests` beside the source file.
  ///   - filePath: The path of the source file. Omit it.
  public init(order: RequestOrder = .perURL, in folder: URL? = nil, filePath: String = #filePath) {
    (self.order, self.folder, self.filePath) = (order, folder, filePath)
  }
}

/// A transcript in use: what was made, and what was expected.
struct TranscriptUse {
  /// The requests, those that may be shown, and what is wrong.
  let actual: [TranscribedRequest]
  let shown: [TranscribedRequest]
  let doubts: [String]
  let mistake: String?
  let untranscribed: Set<NamedValue>

  init(_ condition: RequestMatcher = .anything, in registry: StubRegistry) {
    let (entries, doubts, mistake) = registry.requestsToTranscribe(condition)
    untranscribed = registry.journal.untranscribed.withLock(\.self)
    (self.doubts, self.mistake) = (doubts, mistake)
    actual = entries.transcribed(without: untranscribed)
    shown = entries.withoutSecrets(actual, without: untranscribed)
  }

  /// The methods of the requests, which a transcript can have, too.
  var methods: Set<String> { Set(actual.map(\.method)) }
}

extension RequestJournal: CustomStringConvertible {
  /// The requests as ``expectRequests(_:to:order:in:at:fileID:file:line:column:)`` expects them, ready to paste: in the
  /// format of `.http` files, with placeholders such as `{{uuid1}}` for what differs from run to run.
  ///
  /// ```swift
  /// print(HTTPStubs.journal)
  /// ```
  ///
  /// The secrets of requests that the network has answered are placeholders, too.
  public var description: String {
    let untranscribed = untranscribed.withLock(\.self)
    let entries = entries
    let actual = entries.transcribed(without: untranscribed)
    return TranscriptPlaceholders(entries.withoutSecrets(actual, without: untranscribed), of: actual).text
  }
}
