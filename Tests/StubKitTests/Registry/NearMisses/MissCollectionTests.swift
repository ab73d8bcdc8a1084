import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("MissCollection", .inTurn)
struct MissCollectionTests {
  private let collection = MissCollection()

  private func error(_ url: String, method: String = "GET") -> UnmatchedRequestError {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    return UnmatchedRequestError(RequestFacts(request), in: StubRegistry())
  }

  private func told(_ misses: [MissCollection.Miss]) -> [String] {
    misses.map { "\($0.error.request.httpMethod ?? "") \($0.error.request.url?.path ?? ""): \($0.count)" }
  }

  @Test("is done at once when nothing was asked")
  func nothing() async {
    let misses = await collection.finish()
    #expect(misses.isEmpty)
  }

  @Test("counts the requests with one method and URL, in the order of the first of each")
  func counts() async throws {
    let question = try #require(collection.ask())
    for path in ["/a", "/b", "/a", "/c", "/a"] { question.miss(error("http://host\(path)")) }
    question.miss(error("http://host/b", method: "POST"))
    question.decide()
    let misses = await collection.finish()
    #expect(told(misses) == ["GET /a: 3", "GET /b: 1", "GET /c: 1", "POST /b: 1"])
  }

  @Test("waits for what was asked before its end, and takes no more then")
  func waits() async throws {
    let questions = [try #require(collection.ask()), try #require(collection.ask())]
    let misses = Task { await collection.finish() }
    while let question = collection.ask() {
      question.decide()
      await Task.yield()
    }
    questions[0].decide()
    questions[0].decide()
    questions[1].miss(error("http://host/late"))
    questions[1].decide()
    let late = await misses.value
    #expect(told(late) == ["GET /late: 1"])
    #expect(collection.ask() == nil)
  }

  @Test("takes a question that is let go for decided")
  func letGo() async {
    _ = collection.ask()
    let misses = await collection.finish()
    #expect(misses.isEmpty)
  }

  @Test("waits in synchronous code, too")
  func synchronous() throws {
    let question = try #require(collection.ask())
    DispatchQueue.global().async { [error = error("http://host/late")] in
      question.miss(error)
      question.decide()
    }
    #expect(told(collection.finish()) == ["GET /late: 1"])
  }

  @Test("hears of the requests of the registry that it was made for, until its end")
  func registry() async {
    await withStubs {
      let first = StubRegistry.current.collectMisses()
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/a")!)
      let misses = await first.finish()
      #expect(told(misses) == ["GET /a: 1"])
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/b")!)
      let after = await first.finish()
      #expect(told(after) == ["GET /a: 1"])

      let second = StubRegistry.current.collectMisses()
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/c")!)
      let seconds = await second.finish()
      #expect(told(seconds) == ["GET /c: 1"])
    }
  }
}
