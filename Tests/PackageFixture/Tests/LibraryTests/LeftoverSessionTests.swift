import Foundation
import StubKit
import Testing

/// `.ci/run` runs this in release too, where the optimizer once took the classes of all sessions for a few.
@Suite("A session of a scope that has ended")
struct LeftoverSessionTests {
  @Test("never gets into another scope that has ended, however many there were")
  func apart() async throws {
    var (made, bound): ([URLSession], [URLSession]) = ([], [])
    for number in 0..<100 {
      withStubs {
        made.append(URLSession(configuration: .ephemeral))
        bound.append(StubRegistry.current.makeSession())
        if number.isMultiple(of: 10) { stub(condition: .anything, response: .text("\(number)")) }
      }
    }
    let (ofMade, ofBound) = await withStubs {
      stub(condition: .anything, response: .text("new"))
      _ = (URLSession(configuration: .ephemeral), StubRegistry.current.makeSession())
      return (await Self.answersInTask(of: made), await Self.answers(of: bound))
    }
    #expect(ofMade == Array(repeating: "new", count: 100))
    #expect(
      ofBound.count == 100
        && ofBound.allSatisfy { if case .failure(let error) = $0 { error is StubScopeEndedError } else { false } })
  }

  /// The answers to requests that are made in the task of the scope. On a queue, beside the scopes of other tests, it
  /// would be unclear whose they are.
  private static func answersInTask(of sessions: [URLSession]) async -> [String] {
    var answers: [String] = []
    for session in sessions {
      let data = try? await session.data(from: URL(string: "http://a.example/")!).0
      answers.append(data.map { String(decoding: $0, as: UTF8.self) } ?? "none")
    }
    return answers
  }

  private static func answers(of sessions: [URLSession]) async -> [Result<String, any Error>] {
    await withTaskGroup(of: Result<String, any Error>.self) { group in
      for session in sessions { group.addTask { await answer(of: session) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// The answer to a request that is made on a plain queue, where only the session can say whose it is.
  private static func answer(of session: URLSession) async -> Result<String, any Error> {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "plain").async {
        session.dataTask(with: URL(string: "http://a.example/")!) { data, _, error in
          let text = String(decoding: data ?? Data(), as: UTF8.self)
          continuation.resume(returning: error.map { .failure($0) } ?? .success(text))
        }.resume()
      }
    }
  }
}
