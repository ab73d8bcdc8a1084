import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a stub answers with: a value, values one after another, or the test's own code.
enum Responder: Sendable {
  typealias Closure = @Sendable (URLRequest, RequestMatch) async throws -> StubResponse

  case value(StubResponse)
  case sequence([StubResponse], SequenceEnd)
  case closure(Closure)

  /// Whether answering with it runs code of the user's: a closure, or the iteration of a stream.
  var runsClosures: Bool {
    switch self {
    case .value(let response): response.body.isStream
    case .sequence(let responses, _): responses.contains { $0.body.isStream }
    case .closure: true
    }
  }

  /// Whether some answer that is known before its request moves a scenario.
  var movesScenarios: Bool {
    switch self {
    case .value(let response): response.circumstances?.moves.isEmpty == false
    case .sequence(let responses, _): responses.contains { $0.circumstances?.moves.isEmpty == false }
    case .closure: false
    }
  }

  /// What the answer to a call does to scenarios, as far as it is known before the request.
  func moves(ofCall number: Int) -> [ScenarioMove] {
    switch self {
    case .value(let response): response.circumstances?.moves ?? []
    case .sequence(let responses, let end):
      responses[end.index(ofCall: number, in: responses.count)].circumstances?.moves ?? []
    case .closure: []
    }
  }

  /// How many requests it can answer by its own nature.
  var limit: Int? {
    if case .sequence(let responses, let end) = self, end == .stopMatching { responses.count } else { nil }
  }
}

/// What happens to the requests that come after the last response of a sequence.
///
/// ```swift
/// stub(condition: isPath("/job"), responses: [.failure(.timedOut), .json(["done": true])], afterLast: .repeatLast)
/// ```
public struct SequenceEnd: Sendable, Hashable, CustomStringConvertible {
  private enum Kind { case repeatLast, startOver, stopMatching }
  private let kind: Kind

  /// They get the last response again.
  public static let repeatLast = SequenceEnd(kind: .repeatLast)
  /// They get the responses from the first one on again.
  public static let startOver = SequenceEnd(kind: .startOver)
  /// The stub matches no more: an older stub may answer, or none.
  public static let stopMatching = SequenceEnd(kind: .stopMatching)

  /// `repeatLast`, `startOver` or `stopMatching`.
  public var description: String { "\(kind)" }

  /// The position of the response for the call of that number, which counts from 1.
  func index(ofCall number: Int, in count: Int) -> Int {
    self == .startOver ? (number - 1) % count : min(number, count) - 1
  }
}
