import Foundation
import StubKit
import Testing

/// `.ci/run` runs this in release too, where the optimizer once took the classes of all sessions for a few.
@Suite("A session of a scope that has ended")
struct LeftoverSessionTests {
  @Test("never gets into another scope, however many there were")
  func apart() async throws {
    var left: [URLSession] = []
    for number in 0..<100 {
      withStubs {
        left.append(URLSession(configuration: .ephemeral))
        left.append(StubRegistry.current.makeSession())
        if number.isMultiple(of: 10) { stub(condition: .anything, response: .text("\(number)")) }
      }
    }
    let errors = await withStubs {
      stub(condition: .anything, response: .text("new"))
      _ = (URLSession(configuration: .ephemeral), StubRegistry.current.makeSession())
      return await withTaskGroup(of: (any Error)?.self) { group in
        for session in left { group.addTask { await Self.error(of: session) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(errors.count == 200 && errors.allSatisfy { $0 is StubScopeEndedError })
  }

  /// The error of a request that is made on a plain queue, where only the session can say whose it is.
  private static func error(of session: URLSession) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "plain").async {
        session.dataTask(with: URL(string: "http://a.example/")!) { continuation.resume(returning: $2) }.resume()
      }
    }
  }
}
