import Foundation
import StubKit

/// The secrets that tell the requests of a sequence apart.
///
/// A replayed client sends the placeholders that recorded responses gave to it. They name one of the entries. Other
/// clients send secrets of their own, which name none, so that the entries answer in turn.
final class RecordedSecrets: Sendable {
  let images: [RequestImage]
  /// The number of the last request with each image.
  private let last: [RequestImage: Int]
  private let comparison: ReplayComparison
  private let headerNames: [String]
  fileprivate let stages: Stages
  /// The request that was asked about last, and its number. Each entry of the sequence asks about it.
  private let known = Protected<(request: [String?], body: Data?, number: Int?)?>(nil)

  /// Returns `nil` if the requests have the same secrets.
  init?(of requests: [URLRequest], _ comparison: ReplayComparison) {
    // A body that isn't compared can tell them apart, too.
    images = requests.map { request in
      var facts = RequestFacts(request)
      return RequestImage(&facts, comparison)
    }
    last = Dictionary(zip(images, images.indices)) { max($0, $1) }
    self.comparison = comparison
    headerNames = ["Content-Type"] + comparison.matching.headerNames
    stages = comparison.matching.comparesBodies ? .body : .head
    if last.count == 1 { return nil }
  }

  /// Whether no later request has the secrets of the one with a number.
  func isLast(_ number: Int) -> Bool { last[images[number]] == number }

  /// Returns the number of the last request with the secrets of another one, or `nil` if they are its own.
  fileprivate func number(of facts: inout RequestFacts) -> Int? {
    var request = [facts.method, facts.url?.absoluteString]
    for name in headerNames { request.append(facts.header(name)) }
    let body = stages == .body ? facts.bodyData : nil
    if let known = known.withLock(\.self), known.request == request, known.body == body { return known.number }
    let number = last[RequestImage(&facts, comparison)]
    known.withLock { $0 = (request, body, number) }
    return number
  }
}

/// Requests with the placeholders of an entry, or with secrets of their own.
final class RecordedSecretsCriterion: Criterion {
  private let secrets: RecordedSecrets
  /// The number of the last request with the placeholders.
  private let number: Int?

  init(_ secrets: RecordedSecrets, of request: URLRequest) {
    var facts = RequestFacts(request)
    (self.secrets, number) = (secrets, secrets.number(of: &facts))
  }

  var description: String { "no placeholders of another entry" }
  var subject: String { "placeholders" }
  var expectation: String { "those of the entry, or other values" }
  var stages: Stages { secrets.stages }

  func test(_ facts: inout RequestFacts) -> Bool {
    let found = secrets.number(of: &facts)
    return found == nil || found == number
  }

  func actual(_ facts: inout RequestFacts) -> String? { "those of another entry" }
}
