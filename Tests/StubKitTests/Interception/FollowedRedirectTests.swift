import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stubbed redirect", .inTurn)
struct FollowedRedirectTests {
  private func request(_ method: String, _ path: String) -> URLRequest {
    var request = URLRequest(url: url("http://a.example\(path)"))
    request.httpMethod = method
    request.timeoutInterval = 3_600
    return request
  }

  @Test("leads from stub to stub, each hop with an entry of its own in the journal")
  func stubToStub() async throws {
    try await withStubs {
      stub(condition: isPath("/1"), response: .redirect(to: "http://b.example/2", status: 301))
      stub(condition: isHost("b.example") && isPath("/2"), response: .redirect(to: "/3", status: 307))
      stub(condition: isHost("b.example") && isPath("/3"), response: .text("there"))
      let (data, response) = try await URLSession.shared.data(for: request("GET", "/1"))
      #expect(String(decoding: data, as: UTF8.self) == "there")
      #expect(response.url?.absoluteString == "http://b.example/3")
      let journal = StubRegistry.current.journal.entries
      #expect(journal.map { $0.request.url?.path } == ["/1", "/2", "/3"])
      #expect(
        journal.map(\.outcome) == [.answered(status: 301), .answered(status: 307), .answered(status: 200)])
    }
  }

  @Test(
    "keeps or changes the method, and sends the body only once",
    arguments: [(302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"), (308, "PATCH", "PATCH")])
  func methods(status: Int, method: String, next: String) async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to", status: status))
      stub(condition: isPath("/to")) { request in
        .text("\(request.httpMethod ?? "") \(request.httpBody?.count ?? 0)")
      }
      var request = request(method, "/from")
      request.httpBody = Data("body".utf8)
      let answer = try await URLSession.shared.fetch(request)
      #expect(answer.text == "\(next) 0")
    }
  }

  @Test("is none with a status that leads nowhere: its response is the answer", arguments: [300, 304, 309, 311])
  func notFollowed(status: Int) async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .text("here", status: status).header("Location", "/to"))
      let to = stub(condition: isPath("/to"), response: .text("there"))
      let answer = try await URLSession.shared.fetch(request("GET", "/from"))
      #expect(answer == Fetched(status: status, text: status == 304 ? "" : "here"))
      #expect(to.callCount == 0)
    }
  }

  #if os(Linux)
    @Test("takes all of the request's headers along, as the system's loader does, to another host too")
    func headers() async throws {
      let fields = ["Authorization": "Bearer t", "Proxy-Authorization": "Basic dTpw", "X-Mark": "1"]
      try await withStubs {
        stub(condition: isHost("a.example"), response: .redirect(to: "http://b.example/"))
        stub(condition: isHost("b.example")) { request in .json(request.allHTTPHeaderFields ?? [:]) }
        var request = request("GET", "/from")
        request.allHTTPHeaderFields = fields
        let (data, _) = try await URLSession.shared.data(for: request)
        #expect(try JSONDecoder().decode([String: String].self, from: data) == fields)
      }
    }
  #endif

  @Test("that leads in a circle ends after twenty, with the error the system has for it")
  func circle() async {
    await withStubs {
      let stub = stub(condition: .anything, response: .redirect(to: "/again"))
      let error = await URLSession.shared.failure(of: "http://a.example/") as? URLError
      #expect(error?.code == .httpTooManyRedirects)
      #expect(error?.failingURL?.absoluteString == "http://a.example/again")
      #expect(stub.callCount == 21)
    }
  }

  @Test("shows in the task's current request, not in its original one")
  func currentRequest() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isPath("/to"), response: .text("there"))
      let delegate = AnsweringDelegate()
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: request("GET", "/from"))
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(told == ["redirect 302 GET http://a.example/to", "head 200", "data there", "complete"])
      #expect(task.currentRequest?.url?.path == "/to")
      #expect(task.originalRequest?.url?.path == "/from")
    }
  }

  @Test("goes where the delegate says")
  func changed() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isPath("/elsewhere") && hasHeaderNamed("X-Mark", value: "1"), response: .text("elsewhere"))
      let delegate = AnsweringDelegate(redirect: { _, request in
        var request = request
        request.url = url("http://b.example/elsewhere")
        request.setValue("1", forHTTPHeaderField: "X-Mark")
        return request
      })
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      session.dataTask(with: request("GET", "/from")).resume()
      let told = try await delegate.untilCompletion()
      #expect(told == ["redirect 302 GET http://a.example/to", "head 200", "data elsewhere", "complete"])
    }
  }

  @Test("that the delegate refuses is itself the answer, with its body")
  func refused() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .text("moved", status: 302).header("Location", "/to"))
      let to = stub(condition: isPath("/to"), response: .text("there"))
      let delegate = AnsweringDelegate(redirect: { _, _ in nil })
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      session.dataTask(with: request("GET", "/from")).resume()
      let told = try await delegate.untilCompletion()
      #expect(told == ["redirect 302 GET http://a.example/to", "head 302", "data moved", "complete"])
      #expect(to.callCount == 0)
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: 302)])
    }
  }

  @Test("leads to the real network where no stub matches and the policy lets it through")
  func realNetwork() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    try await withStubs {
      StubRegistry.current.unmatched = .passThrough
      stub(condition: isHost("a.example"), response: .redirect(to: server.url("/real")))
      for configuration in [URLSessionConfiguration.default, .ephemeral] {
        let (data, response) = try await URLSession(configuration: configuration).data(for: request("GET", "/from"))
        #expect(String(decoding: data, as: UTF8.self) == "real GET /real")
        #expect(response.url == server.url("/real"))
      }
      let delegate = AnsweringDelegate()
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: request("GET", "/from"))
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(told.dropFirst() == ["head 200", "data real GET /real", "complete"])
      #expect(task.originalRequest?.url?.path == "/from")
      #expect(task.currentRequest?.url == server.url("/real"))
      #expect(server.requests == ["GET /real", "GET /real", "GET /real"])
      #expect(StubRegistry.current.journal.entries.last?.outcome == .passedThrough)
    }
  }

  @Test(
    "to the real network keeps or changes the method, and sends no body", arguments: [302, 303, 307],
    [BodyPlace.dataOfDataTask, .streamOfDataTask, .uploadData, .uploadFile, .streamedUpload])
  func realNetworkWithBody(status: Int, place: BodyPlace) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    try await withStubs {
      StubRegistry.current.unmatched = .passThrough
      stub(condition: isPath("/from"), response: .redirect(to: server.url("/real"), status: status))
      let text = try await Sending(place, Data("body".utf8)).send(request("POST", "/from"))
      #expect(text == (status == 307 ? "real POST /real" : "real GET /real"))
      #expect(server.arrivals.map(\.body) == [Data()])
    }
  }

  @Test("fails like any request where no stub matches and the policy lets nothing through")
  func unmatched() async {
    await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      let error = await URLSession.shared.failure(of: "http://a.example/from") as? UnmatchedRequestError
      #expect(error?.request.url?.path == "/to")
    }
  }

  @Test("to a scheme that nobody loads fails as the system would", arguments: ["ftp://a.example/", "ws://a.example/"])
  func otherScheme(location: String) async {
    await withStubs {
      stub(condition: .anything, response: .redirect(to: location))
      let error = await URLSession.shared.failure(of: "http://a.example/from") as? URLError
      #expect(error?.code == .unsupportedURL)
    }
  }

  @Test("to an app's own scheme is answered by its stub")
  func appScheme() async throws {
    try await withStubs {
      stub(condition: isPath("/authorize"), response: .redirect(to: "app://callback?code=1"))
      stub(condition: isScheme("app") && containsQuery("code"), response: .text("signed in"))
      let answer = try await URLSession.shared.fetch("http://a.example/authorize")
      #expect(answer.text == "signed in")
    }
  }

  @Test("that is cancelled while the delegate thinks about it goes nowhere, and settles once")
  func cancelledWhileAsked() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      let to = stub(condition: isPath("/to"), response: .text("there"))
      let cancel = Protected<URLSessionTask?>(nil)
      let delegate = AnsweringDelegate(redirect: { _, request in
        cancel.withLock { $0 }?.cancel()
        return request
      })
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: request("GET", "/from"))
      cancel.withLock { $0 = task }
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told == ["redirect 302 GET http://a.example/to", "error \(NSURLErrorDomain) \(URLError.cancelled.rawValue)"])
      #expect(to.callCount == 0)
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled])
    }
  }

  @Test("that is suspended while the delegate thinks about it goes on when it is resumed")
  func suspendedWhileAsked() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      let to = stub(condition: isPath("/to"), response: .text("there"))
      let suspended = Protected<URLSessionTask?>(nil)
      let (suspensions, suspension) = AsyncStream.makeStream(of: Void.self)
      let delegate = AnsweringDelegate(redirect: { _, request in
        suspended.withLock { $0 }?.suspend()
        suspension.yield()
        return request
      })
      let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: request("GET", "/from"))
      suspended.withLock { $0 = task }
      task.resume()
      try await next(of: suspensions, when: "the task is suspended")
      #expect(to.callCount == 0)
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(told.last == "complete" && told.contains("data there"))
    }
  }

  @Test("of a download ends in its file")
  func download() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isPath("/to"), response: .text("there"))
      let (file, _) = try await URLSession.shared.download(for: request("GET", "/from"))
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try String(contentsOf: file, encoding: .utf8) == "there")
    }
  }
}
