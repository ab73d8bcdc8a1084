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

  /// What the answer to a request does to scenarios, by the number of the call, as far as that is known beforehand.
  func moves(for request: @autoclosure () -> URLRequest) -> Moves {
    guard movesScenarios else { return Moves() }
    let request = request()
    switch self {
    case .value(let response): return Moves(ofAnswers: [response.moves(for: request)])
    case .sequence(let responses, let end):
      return Moves(ofAnswers: responses.map { $0.moves(for: request) }, end: end)
    case .closure: return Moves()
    }
  }

  /// What each answer of a stub does to scenarios.
  struct Moves {
    var ofAnswers: [[ScenarioMove]] = []
    var end = SequenceEnd.repeatLast

    subscript(call number: Int) -> [ScenarioMove] {
      ofAnswers.isEmpty ? [] : ofAnswers[end.index(ofCall: number, in: ofAnswers.count)]
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
