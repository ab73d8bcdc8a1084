import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("MissCollection", .inTurn)
struct MissCollectionTests {
  private let collection = MissCollection()

  private func error(_ url: String, method: String = "GET") -> UnmatchedRequestError {
    UnmatchedRequestError(RequestFacts(request(url, method: method)), in: StubRegistry())
  }

  private func told(_ misses: [MissCollection.Miss]) -> [String] {
    misses.map { "\($0.error.request.httpMethod ?? "") \($0.error.request.url?.path ?? ""): \($0.count)" }
  }

  @Test("counts the requests with one method and URL, in the order of the first of each, until its end")
  func counts() {
    for path in ["/a", "/b", "/a", "/c", "/a"] { collection.add(error("http://host\(path)")) }
    collection.add(error("http://host/b", method: "POST"))
    let expected = ["GET /a: 3", "GET /b: 1", "GET /c: 1", "POST /b: 1"]
    #expect(told(collection.finish()) == expected)
    collection.add(error("http://host/late"))
    #expect(told(collection.finish()) == expected)
  }

  @Test("hears of the requests of the registry that it was made for, until its end")
  func registry() async {
    await withStubs {
      let first = StubRegistry.current.collectMisses()
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/a")!)
      let misses = first.finish()
      #expect(told(misses) == ["GET /a: 1"])
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/b")!)
      let after = first.finish()
      #expect(told(after) == ["GET /a: 1"])

      let second = StubRegistry.current.collectMisses()
      _ = try? await URLSession.shared.data(from: URL(string: "http://misses.example/c")!)
      let seconds = second.finish()
      #expect(told(seconds) == ["GET /c: 1"])
    }
  }
}
