import Foundation
import StubKit
import Testing

@Suite("Responses on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct ResponseStories {
  @TaskLocal static var requester = "nobody"

  @Test("come from closures that see the requester's task-locals, and may use URLSession", arguments: 0..<20)
  func closures(round: Int) async throws {
    let answer = try await Self.$requester.withValue("\(round)") {
      try await withStubs {
        stub(condition: .anything && { _ in Self.requester == "\(round)" }) { request in
          guard request.url?.path == "/outer" else { return .text("inner of \(Self.requester)") }
          return .text(try await text("http://a.example/inner"))
        }
        return try await text("http://a.example/outer")
      }
    }
    #expect(answer == "inner of \(round)")
  }

  @Test("know the body and the headers of their session")
  func requests() async throws {
    Stage.isSet
    let configuration = URLSessionConfiguration.staged
    configuration.httpAdditionalHeaders = ["X-Session": "yes"]
    let session = URLSession(configuration: configuration)
    let sent = request("POST", URL(string: "http://a.example/")!, Data(#"{"id": 1}"#.utf8))
    let answer = try await withStubs {
      stub(condition: hasJSONBody(["id": 1]) && hasHeader("X-Session", "yes"), response: .text("matched"))
      return try await session.data(for: sent).0
    }
    #expect(answer == Data("matched".utf8))
  }

  @Test("have a head of their own, also if they are alike")
  func heads() async throws {
    let url = URL(string: "http://a.example/")!
    let heads = try await withStubs {
      stub(condition: isHost("a.example"), response: .text("x"))
      let session = URLSession(configuration: .staged)
      return [try await session.data(from: url).1, try await session.data(from: url).1]
    }
    #expect(heads[0] !== heads[1])
  }

  @Test("leave their cookies in their session's own storage")
  func cookies() async throws {
    let configuration = URLSessionConfiguration.staged
    let url = URL(string: "http://cookies.example/")!
    _ = try await withStubs {
      stub(condition: isHost("cookies.example"), response: .text("x", headers: ["Set-Cookie": "stub=1"]))
      return try await URLSession(configuration: configuration).data(from: url)
    }
    #expect(configuration.httpCookieStorage?.cookies(for: url)?.map(\.name) == ["stub"])
    #expect(HTTPCookieStorage.shared.cookies(for: url)?.isEmpty != false)
  }
}

@Suite("A manual clock on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct ClockStories {
  @Test("moves the requests of a chain", arguments: 0..<10)
  func chain(round: Int) async throws {
    let clock = ManualClock()
    let answer = try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/from"), response: .redirect(to: "/to").delay(.seconds(10)))
      stub(condition: isPath("/to")) { _ in .text("there").delay(.seconds(10)) }
      return try await clock.run { try await text("http://a.example/from") }
    }
    #expect(answer == "there" && clock.elapsed == .seconds(20))
  }

  @Test("knows a session's timeouts")
  func timeouts() async throws {
    Stage.isSet
    let clock = ManualClock()
    let configuration = URLSessionConfiguration.staged
    configuration.timeoutIntervalForRequest = 5
    let session = URLSession(configuration: configuration)
    let error = await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isHost("a.example"), response: .text("late").delay(.seconds(3_600)))
      return await #expect(throws: URLError.self) {
        try await clock.run { try await text(session, "http://a.example/") }
      }
    }
    #expect(error?.code == .timedOut && clock.elapsed == .seconds(5))
  }

}

/// What people write without a library.
final class HandWritten: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.example" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("handwritten".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

@Suite("Beside StubKit on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct NeighbourStories {
  @Test("a handwritten URLProtocol keeps its place, StubKit answers the rest, and no clock waits for it")
  func handWritten() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(condition: .anything, response: .text("stubbed"))
      let configuration = URLSessionConfiguration.staged
      configuration.protocolClasses = [HandWritten.self] + (configuration.protocolClasses ?? [])
      let session = URLSession(configuration: configuration)
      let answer = try await text(session, "http://mock.example/")
      await clock.advance(by: .seconds(1))
      let rest = try await text(session, "http://other.example/")
      #expect([answer, rest] == ["handwritten", "stubbed"])
    }
  }

  @Test("a configuration without classes is intercepted")
  func noClasses() async throws {
    for classes in [nil, []] as [[AnyClass]?] {
      for original in [URLSessionConfiguration.default, .ephemeral] {
        original.protocolClasses = classes
        let copy = original.copy() as! URLSessionConfiguration
        let early = [original, copy].map { URLSession(configuration: $0, delegate: nil, delegateQueue: nil) }
        for session in early + [URLSession(configuration: early[0].configuration)] {
          let answers = try await withStubs {
            stub(condition: .anything, response: .text("stubbed"))
            let own = URLSession(configuration: original)
            return [try await text(session, "http://a.example/"), try await text(own, "http://a.example/")]
          }
          #expect(answers == ["stubbed", "stubbed"], "\(classes as Any)")
        }
      }
    }
  }

  @Test("a load without a task is the system's")
  func taskless() async throws {
    let server = try Server()
    let url = server.url("/")
    let data = try await withStubs {
      stub(condition: .anything, response: .text("stubbed"))
      return try await onOwnThread {
        try NSURLConnection.sendSynchronousRequest(URLRequest(url: url), returning: nil)
      }
    }
    #expect(data == Data("real".utf8) && server.lines == ["GET /"])
  }

  @Test("a session that is left alone goes to the network")
  func leftAlone() async throws {
    let server = try Server()
    let url = server.url("/").absoluteString
    let answer = try await withStubs {
      stub(condition: .anything, response: .text("stubbed"))
      let configuration = URLSessionConfiguration.staged
      HTTPStubs.setEnabled(false, for: configuration)
      return try await text(URLSession(configuration: configuration), url)
    }
    #expect(answer == "real")
  }
}

/// A task that is not made to load a request. Those of AVFoundation need a film on a Mac, and a stream says nothing of
/// itself, so only the stand-in has them.
enum OtherTask: CaseIterable, Sendable {
  case webSocket
  #if canImport(URLLoading)
    case unknownWebSocket, stream, assetDownload, aggregateAssetDownload
  #endif

  func task(in session: URLSession, for server: Server) -> URLSessionTask {
    switch self {
    case .webSocket: session.webSocketTask(with: URL(string: "ws://127.0.0.1:\(server.port)/")!)
    #if canImport(URLLoading)
      case .unknownWebSocket: session.unknownWebSocketTask(with: server.url("/"))
      case .stream: session.streamTask(withHostName: "127.0.0.1", port: Int(server.port))
      case .assetDownload: session.assetDownloadTask(of: server.url("/"))
      case .aggregateAssetDownload: session.aggregateAssetDownloadTask(of: server.url("/"))
    #endif
    }
  }
}

@Suite("Tasks of other kinds on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct OtherTaskStories {
  @Test("are left alone by their class", arguments: OtherTask.allCases)
  func leftAlone(kind: OtherTask) async throws {
    let server = try Server()
    let registry = StubRegistry()
    await withStubs(in: registry) {
      stub(condition: .anything, response: .text("stubbed"))
      await Watcher().run { kind.task(in: $0, for: server) }
    }
    #expect(server.lines == ["GET /"] && registry.journal.entries.isEmpty)
  }
}
