import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A stubbed redirect", .inTurn)
struct FollowedRedirectTests {
  private func request(_ method: String, _ path: String) -> URLRequest {
    TestSupport.request("http://a.example\(path)", method: method, timeout: 3_600)
  }

  /// Of these, URLSession follows 305 and 306. The others are answers, of which 304 has no body.
  ///
  /// Those that servers send, with each method and each kind of task, are cells of DifferentialTests.
  @Test("is an answer with a status that URLSession doesn't follow, even with a Location")
  func statuses() async throws {
    for (status, text) in [(300, "here"), (304, ""), (305, "there"), (306, "there"), (309, "here"), (311, "here")] {
      try await withStubs {
        stub(condition: isPath("/from"), response: .text("here", status: status).header("Location", "/to"))
        stub(condition: isPath("/to"), response: .text("there"))
        let answer = try await URLSession.shared.fetch(request("GET", "/from"))
        #expect(answer.text == text, "\(status)")
      }
    }
  }

  @Test("leads where its Location says")
  func targets() async throws {
    let from = "https://a.example:8443/b/c?d=e#f"
    // As RFC 3986 has it.
    for (location, target) in [
      ("https://b.example/x?y#z", "https://b.example/x?y#z"), ("http://b.example", "http://b.example"),
      ("//b.example/x", "https://b.example/x"), ("//b.example:1/x", "https://b.example:1/x"),
      ("/x", "https://a.example:8443/x"), ("x/y", "https://a.example:8443/b/x/y"), ("../x", "https://a.example:8443/x"),
      ("?q=1", "https://a.example:8443/b/c?q=1"), ("/x?q=a%20b", "https://a.example:8443/x?q=a%20b"),
      ("/a%20b", "https://a.example:8443/a%20b"), ("other:x", "other:x"),
      ("app://callback?code=1", "app://callback?code=1"),
      // None of these makes a URL, so the redirect itself is the answer.
      ("", from), ("http://[", from), ("//[::1", from),
    ] {
      try await withStubs {
        let redirect = StubResponse.text(from, status: 302).header("Location", location)
        stub(condition: .anything) { .text($0.url?.absoluteString ?? "") }
        stub(condition: isPath("/b/c") && containsQuery("d"), response: redirect)
        let answer = try await URLSession.shared.fetch(from)
        #expect(answer.text == target, "\(location)")
      }
    }
  }

  @Test("leads to the network if the policy lets it")
  func realNetwork() async throws {
    let server = try LoopbackServer()
    try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
      stub(condition: isHost("a.example"), response: .redirect(to: server.url("/real")))
      let (data, response) = try await URLSession.shared.data(for: request("GET", "/from"))
      #expect(data.text == "real GET /real")
      #expect(response.url == server.url("/real"))
      #expect(server.requests == ["GET /real"])
      #expect(HTTPStubs.journal.entries.map(\.outcome) == [.answered(status: 302), .passedThrough])
    }
  }

  @Test("to the network is told a delegate, whose task then has the server's URL and response")
  func realNetworkForDelegate() async throws {
    let server = try LoopbackServer()
    try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
      stub(condition: isHost("a.example"), response: .redirect(to: server.url("/real")))
      let delegate = AnsweringDelegate()
      let task = delegate.session().dataTask(with: request("GET", "/from"))
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told == ["redirect 302 GET \(server.url("/real"))", "head 200", "data real GET /real", "complete"])
      #expect(task.originalRequest?.url?.path == "/from")
      #expect(task.currentRequest?.url == server.url("/real"))
    }
  }

  @Test("to the network sends no body, and keeps POST with 307 only")
  func realNetworkWithBody() async throws {
    for status in [302, 303, 307] {
      for place in [BodyPlace.dataOfDataTask, .streamOfDataTask, .uploadData, .uploadFile, .streamedUpload] {
        let server = try LoopbackServer()
        try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
          stub(condition: isPath("/from"), response: .redirect(to: server.url("/real"), status: status))
          let text = try await Sending(place, Data("body".utf8)).send(request("POST", "/from"))
          #expect(text == (status == 307 ? "real POST /real" : "real GET /real"), "\(status) \(place)")
          // URLSession doesn't send a body again after a redirect.
          #expect(server.arrivals.map(\.body) == [Data()], "\(status) \(place)")
        }
      }
    }
  }

  @Test("may be cancelled, or suspended, while the delegate is asked", arguments: [true, false])
  func disturbedWhileAsked(isCancelled: Bool) async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      let to = stub(condition: isPath("/to"), response: .text("there"))
      let asked = Protected<URLSessionTask?>(nil)
      let isAsked = Latch()
      let delegate = AnsweringDelegate(redirect: { _, request in
        asked.withLock { isCancelled ? $0?.cancel() : $0?.suspend() }
        isAsked.open()
        return request
      })
      let task = delegate.session().dataTask(with: request("GET", "/from"))
      asked.withLock { $0 = task }
      task.resume()
      try await until("the delegate is asked") { isAsked.isOpen }
      #expect(to.callCount == 0)
      if !isCancelled { task.resume() }
      let told = try await delegate.untilCompletion()
      let end = "error \(NSURLErrorDomain) \(URLError.cancelled.rawValue)"
      #expect(told.first == "redirect 302 GET http://a.example/to")
      #expect(told.dropFirst() == (isCancelled ? [end] : ["head 200", "data there", "complete"]))
      #expect(to.callCount == (isCancelled ? 0 : 1))
      if isCancelled { #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled]) }
    }
  }
}
