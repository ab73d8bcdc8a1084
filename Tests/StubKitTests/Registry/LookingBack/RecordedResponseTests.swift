import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A recorded response", .inTurn)
struct RecordedResponseTests {
  private func entry(for response: StubResponse, path: String = "/x", method: String = "GET") async -> RecordedRequest?
  {
    await withStubs {
      stub(condition: isPath(path), response: response)
      var request = URLRequest(url: url("http://a.example\(path)"))
      request.httpMethod = method
      _ = try? await URLSession.shared.data(for: request)
      return StubRegistry.current.journal.entries.first
    }
  }

  @Test("is what went out: status, headers and body, and when its head did")
  func answered() async throws {
    let entry = try #require(await entry(for: .json(["id": 42], status: 201)))
    let response = try #require(entry.response)
    #expect(response.status == 201 && response.body == Data(#"{"id":42}"#.utf8) && response.bodyLength == 9)
    #expect(response.headers == ["Content-Type": "application/json", "Content-Length": "9"])
    #expect("\(response)" == "201, 9 bytes")
    let (head, end) = (try #require(entry.timeToResponse), try #require(entry.duration))
    #expect(head >= .zero && head <= end)
  }

  @Test("has no body where none goes out", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func dropped(method: String, status: Int) async throws {
    let response = try #require(await entry(for: .text("body", status: status), method: method)?.response)
    #expect(response.status == status && response.bodyLength == 0 && response.body == Data())
  }

  @Test("has of a body that breaks off what came before")
  func interrupted() async throws {
    let broken = try #require(await entry(for: .text("abcdef").failing(afterBytes: 3)))
    #expect(broken.response?.status == 200 && broken.response?.body == Data("abc".utf8))
    #expect(broken.response?.bodyLength == 3 && broken.outcome.error is URLError)
  }

  @Test("is none for what fails before a head, or is not answered by a response")
  func none() async throws {
    let failed = try #require(await entry(for: .failure(.timedOut)))
    #expect(failed.response == nil && failed.timeToResponse == nil)
    let unmatched = await withStubs {
      _ = await URLSession.shared.failure(of: "http://a.example/")
      return StubRegistry.current.journal.entries.first
    }
    #expect(unmatched != nil && unmatched?.response == nil)
  }

  @Test("keeps a large body by its length, unless it is asked to keep it", arguments: [true, false])
  func large(isKept: Bool) async throws {
    let response = try await withStubs {
      StubRegistry.current.journal.keepsLargeBodies = isKept
      stub(condition: .anything, response: .data(Data(count: 1_000_001)))
      _ = try await URLSession.shared.fetch("http://a.example/")
      return StubRegistry.current.journal.entries.first?.response
    }
    #expect(response?.bodyLength == 1_000_001 && response?.body?.count == (isKept ? 1_000_001 : nil))
  }

  @Test("is there for each request of a chain of redirects")
  func redirects() async throws {
    let (entries, counts) = try await withStubs {
      let old = stub(condition: isPath("/old"), response: .redirect(to: "/new"))
      let new = stub(condition: isPath("/new"), response: .text("here"))
      _ = try await URLSession.shared.fetch("http://a.example/old")
      return (
        StubRegistry.current.journal.entries, [old.requests.count, old.callCount, new.requests.count, new.callCount]
      )
    }
    #expect(entries.map(\.response?.status) == [302, 200])
    #expect(entries.map(\.response?.headers["Location"]) == ["/new", nil])
    #expect(entries.last?.response?.body == Data("here".utf8) && counts == [1, 1, 1, 1])
  }
}
