import Foundation

/// The answer of a stub: a response, several responses in turn, or a closure.
package enum Responder: Sendable {
  package typealias ResponseClosure = @Sendable (URLRequest, RequestMatch) async throws -> StubResponse

  case value(StubResponse)
  case sequence([StubResponse], SequenceEnd)
  case closure(ResponseClosure)

  /// A Boolean value that indicates whether it is a sequence without responses.
  var isEmpty: Bool { if case .sequence(let responses, _) = self { responses.isEmpty } else { false } }

  /// Returns a value for each response that is known in advance.
  func map<Value>(_ value: (StubResponse) -> Value) -> [Value] {
    switch self {
    case .value(let response): [value(response)]
    case .sequence(let responses, _): responses.map(value)
    case .closure: []
    }
  }

  /// A Boolean value that indicates whether answering runs the user's code: a closure, or the iteration of a stream.
  var runsClosures: Bool { isClosure || contains { $0.body.isStream || $0.isControlled } }

  /// Returns whether a response that is known in advance meets a test. Each stub is asked when it is registered.
  func contains(where test: (StubResponse) -> Bool) -> Bool {
    switch self {
    case .value(let response): test(response)
    case .sequence(let responses, _): responses.contains(where: test)
    case .closure: false
    }
  }

  package var isClosure: Bool { if case .closure = self { true } else { false } }

  /// Returns the position of the response for a call. Calls are numbered from 1.
  func index(ofCall number: Int) -> Int {
    guard case .sequence(let responses, let end) = self else { return 0 }
    return end == .startOver ? (number - 1) % responses.count : min(number, responses.count) - 1
  }

  /// The number of requests that it can answer by its nature.
  var limit: Int? {
    if case .sequence(let responses, let end) = self, end == .stopMatching { responses.count } else { nil }
  }

  /// The closure of a hand-written mock.
  static func mock(
    _ response: @escaping @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)
  ) -> Responder {
    .closure { request, _ in
      let (response, body) = try await response(request)
      return StubResponse(response, body)
    }
  }
}

/// What happens after the last response of a sequence.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/job",
///   responses: [.failure(.timedOut), .json(["done": true])],
///   afterLast: .repeatLast)
/// ```
public struct SequenceEnd: Sendable, Hashable, CustomStringConvertible {
  private let name: String

  /// Later requests receive the last response again.
  public static let repeatLast = SequenceEnd(name: "repeatLast")
  /// Later requests receive the responses from the first one on again.
  public static let startOver = SequenceEnd(name: "startOver")
  /// The stub stops matching. An older stub can answer.
  public static let stopMatching = SequenceEnd(name: "stopMatching")

  /// One of `repeatLast`, `startOver` and `stopMatching`.
  public var description: String { name }
}
