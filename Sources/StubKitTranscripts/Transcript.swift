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

/// The requests that a transcript is compared with.
struct TranscriptUse {
  let actual: [TranscribedRequest]
  let secrets: Secrets
  let doubts: [String]
  /// What is wrong with the condition, or `nil`.
  let mistake: String?
  let untranscribed: Set<NamedValue>
  let machine: Machine

  init(_ condition: RequestMatcher = .anything, in registry: StubRegistry) {
    let (entries, doubts, mistake) = registry.requestsToTranscribe(condition)
    (self.doubts, self.mistake) = (doubts, mistake)
    untranscribed = registry.journal.untranscribed.withLock(\.self)
    let timePassed = TranscriptFiles.timePassed
    var machine = Machine()
    machine.now += timePassed
    self.machine = machine
    var actual = entries.map { [untranscribed] entry in
      var request = TranscribedRequest(entry, without: untranscribed)
      request.madeAt.value += timePassed
      return request
    }
    secrets = Secrets(of: entries, in: &actual, without: untranscribed)
    self.actual = actual
  }
}

extension RequestJournal: CustomStringConvertible {
  /// The requests as ``expectRequests(_:to:order:in:at:fileID:file:line:column:)`` expects them, ready to paste: in the
  /// format of `.http` files, with placeholders such as `{{uuid1}}` for what differs from run to run.
  ///
  /// ```swift
  /// print(HTTPStubs.journal)
  /// ```
  ///
  /// If a request has left the machine, its secrets are placeholders, too, in all requests.
  public var description: String {
    let untranscribed = untranscribed.withLock(\.self)
    let entries = entries
    var actual = entries.map { TranscribedRequest($0, without: untranscribed) }
    let secrets = Secrets(of: entries, in: &actual, without: untranscribed)
    return TranscriptDraft(actual, hiding: secrets, on: Machine()).text
  }
}
