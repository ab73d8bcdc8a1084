import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("An incoming request", .inTurn)
struct IncomingRequestTests {
  /// A session and a task as a test wants them, which count how often they are asked.
  private final class Origin: RequestOrigin {
    private let headers: [String: String]
    private let body: RequestBody?
    private let asked = Protected(0)
    let reads = Protected(0)

    init(headers: [String: String] = [:], body: RequestBody? = nil) {
      self.headers = headers
      self.body = body
    }

    var headersAsked: Int { asked.withLock { $0 } }
    func addedHeaders(to request: URLRequest) -> [String: String] {
      asked.withLock { $0 += 1 }
      return headers
    }
    var separateBody: RequestBody? { body }
    func problem(of request: URLRequest) -> (any Error)? { nil }
    func readBody(of request: URLRequest) async throws -> Data? {
      reads.withLock { $0 += 1 }
      return Data("read".utf8)
    }
    func giveBack(_ body: RequestBody) async -> Bool { false }
  }

  private let bare = request("http://a.example/", method: "POST", headers: ["X-Own": "own"], body: "own")

  @Test(
    "has its session's headers, and its own win, with or without case",
    arguments: [
      ([:], ["X-Own": "own"]), (["X-More": "1"], ["X-Own": "own", "X-More": "1"]), (["x-own": "no"], ["X-Own": "own"]),
    ])
  func headers(session: [String: String], expected: [String: String]) {
    let incoming = IncomingRequest(bare, of: Origin(headers: session))
    #expect(incoming.seen.request.allHTTPHeaderFields == expected)
    #expect(incoming.seen.body == Data("own".utf8))
    var facts = RequestFacts(incoming)
    var found: [String: String] = [:]
    facts.forEachHeader { found[$0] = $1 }
    #expect(found == expected)
    #expect(facts.request.allHTTPHeaderFields == expected)
  }

  @Test("does not ask for its session's headers before a criterion wants one that it has not itself")
  func laziness() {
    let origin = Origin(headers: ["X-More": "1"])
    var facts = RequestFacts(IncomingRequest(bare, of: origin))
    #expect(facts.method == "POST" && facts.hasPath("/") && facts.host == "a.example" && facts.header("x-own") == "own")
    #expect(origin.headersAsked == 0)
    #expect(facts.header("x-MORE") == "1" && facts.header("x-none") == nil)
    #expect(origin.headersAsked == 1)
  }

  @Test("has the body that its origin knows, else its own")
  func bodies() {
    func seen(_ body: RequestBody?) -> (URLRequest, Data?) { IncomingRequest(bare, of: Origin(body: body)).seen }
    #expect(seen(nil) == (bare, Data("own".utf8)))
    #expect(seen(.data(Data("upload".utf8))).0.stubBody == Data("upload".utf8))
    #expect(seen(.data(Data("upload".utf8))).1 == Data("upload".utf8))
    #expect(seen(.some(.none)).0.stubBody == nil && seen(.some(.none)).1 == nil)
    #expect(seen(.unread).1 == nil)
  }

  @Test("is read once, and only if nobody has read it")
  func reading() async throws {
    let origin = Origin(body: .unread)
    let unread = IncomingRequest(bare, of: origin)
    let read = try await unread.read()
    let again = try await read.read()
    #expect(origin.reads.withLock { $0 } == 1)
    #expect(again.seen.request.stubBody == Data("read".utf8))
    #expect(read.isRead(since: unread) && !again.isRead(since: read))

    let known = Origin(body: .data(Data()))
    _ = try await IncomingRequest(bare, of: known).read()
    #expect(known.reads.withLock { $0 } == 0)
  }

  @Test("after a redirect has the body it is given, and needs no reading")
  func given() async throws {
    let origin = Origin(headers: ["X-More": "1"], body: .unread)
    let hop = IncomingRequest(bare, of: origin, body: RequestBody.none)
    #expect(hop.seen.body == nil && hop.seen.request.stubBody == nil)
    #expect(hop.seen.request.value(forHTTPHeaderField: "X-More") == "1")
    _ = try await hop.read()
    #expect(origin.reads.withLock { $0 } == 0)
  }

  @Test("by hand is seen as it stands: its stream stays unread")
  func byHand() {
    let stream = WatchedStream(Data("abc".utf8))
    var request = URLRequest(url: URL(string: "http://a.example/")!)
    request.httpBodyStream = stream
    #expect(!bodyContains("abc").matches(request) && !hasBody(Data()).matches(request))
    #expect(request.stubBody == nil)
    #expect(!stream.isTouched)
  }
}
