#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit
  @testable import StubKitArchive
  @testable import StubKitRecorder

  /// Those that refuse a mechanism run in a process of their own.
  @Suite("Recording on Linux", .inTurn)
  struct RecordingMechanismTests {
    /// Redirects from `/from` to `/to`.
    fileprivate static func server() throws -> LoopbackServer {
      try LoopbackServer { line, _, send in
        let body = "real \(line)"
        let head = line == "GET /from" ? "302 Found\r\nLocation: /to" : "200 OK"
        let length = body.utf8.count + (line == "GET /broken" ? 1 : 0)
        send(Data("HTTP/1.1 \(head)\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n\(body)".utf8))
      }
    }

    fileprivate static func run(_ session: URLSession, _ events: DelegateEvents, _ url: URL) async throws -> [String] {
      let task = session.dataTask(with: url)
      task.resume()
      return try await events.untilCompletion()
    }

    fileprivate static func texts(_ entries: [HTTPArchive.Entry]) -> [String] {
      entries.map { entry in
        "\(entry.request.url?.path ?? "") \(entry.text ?? "nothing")\(entry.obstacle == nil ? "" : ", and an obstacle")"
      }
    }

    @Test("hears of a body that nobody listens to")
    func nobody() async throws {
      let server = try Self.server()
      defer { server.stop() }
      let (entries, _) = try await recording {
        let session = URLSession(configuration: .patient)
        let post = request(server.url("/post"), method: "POST", body: Data("body".utf8))
        for task in [session.dataTask(with: server.url("/get")), session.dataTask(with: post)] {
          task.resume()
          try await until("the task is complete") { task.state == .completed }
          #expect(task.countOfBytesSent == 0)
        }
        let download = session.downloadTask(with: server.url("/file"))
        download.resume()
        try await until("the download is complete") { download.state == .completed }
      }
      #expect(
        Self.texts(entries) == ["/get 200 real GET /get", "/post 200 real POST /post", "/file 200 real GET /file"])
    }

    @Test("has a body that goes to a delegate queue that is not serial")
    func concurrentQueue() async throws {
      let server = try Self.server()
      defer { server.stop() }
      let (entries, _) = try await recording {
        let events = DelegateEvents()
        let session = URLSession(configuration: .patient, delegate: events, delegateQueue: OperationQueue())
        _ = try await Self.run(session, events, server.url("/to"))
      }
      #expect(Self.texts(entries) == ["/to 200 real GET /to"])
    }

    @Test("has the file of a download with a delegate of its own once, which URLSession writes twice")
    func ownDownloadDelegate() async throws {
      let server = try Self.server()
      defer { server.stop() }
      let (entries, _) = try await recording {
        let session = URLSession(configuration: .patient)
        let (file, _) = try await session.download(from: server.url("/to"), delegate: TransferEvents())
        try FileManager.default.removeItem(at: file)
      }
      #expect(Self.texts(entries) == ["/to 200 real GET /to"])
    }

    @Test("has the headers that are added to a session's configuration later")
    func laterHeaders() async throws {
      let server = try Self.server()
      defer { server.stop() }
      let (entries, _) = try await recording {
        let session = URLSession(configuration: .patient)
        for token in ["one", "two", "two"] {
          // The configuration of a session is a live object on Linux.
          session.configuration.httpAdditionalHeaders = ["X-Token": token]
          _ = try await session.data(from: server.url("/to"))
        }
      }
      #expect(server.arrivals.map { $0["X-Token"] } == ["one", "two", "two"])
      #expect(entries.map { $0.request.value(forHTTPHeaderField: "X-Token") } == ["one", "two", "two"])
    }

    @Test("has a redirect that leads nowhere, with its body")
    func redirectToNowhere() async throws {
      let server = try LoopbackServer { _, _, send in
        send(Data("HTTP/1.1 302 Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlost".utf8))
      }
      defer { server.stop() }
      let (entries, _) = try await recording {
        _ = try await URLSession(configuration: .patient).data(from: server.url("/lost"))
      }
      #expect(Self.texts(entries) == ["/lost 302 lost"])
    }

    @Test("has a demand for a credential that nobody answers, although its task never ends")
    func unansweredDemand() async throws {
      let server = try LoopbackServer(realm: "films")
      defer { server.stop() }
      let recorder = ArchiveRecorder()
      try await withStubs {
        StubRegistry.current.tap = recorder
        StubRegistry.current.unmatched = .passThrough
        let task = URLSession(configuration: .patient).dataTask(with: server.url("/")) { _, _, _ in }
        task.resume()
        try await until("the demand is recorded") { recorder.contents.entries.count == 1 }
        task.cancel()
        try await until("the task has ended") { task.state == .completed }
      }
      #expect(Self.texts(recorder.contents.entries) == ["/ 401 who?"])
    }

    #if compiler(>=6.2)
      @Test("is an error in the plain mode")
      func plainMode() async {
        await #expect(processExitsWith: .success) {
          setenv("STUBKIT_PLAIN", "1", 1)
          let server = try RecordingMechanismTests.server()
          let (entries, _) = await recording {
            stub(condition: isHost("a.example"), response: .redirect(to: server.url("/to").absoluteString))
            for url in [url("http://a.example/"), server.url("/other")] {
              do {
                _ = try await URLSession.shared.data(from: url)
                preconditionFailure("a request went out without being recorded")
              } catch {
                precondition(error.localizedDescription.contains("StubKit can't record here"))
              }
            }
          }
          precondition(entries.isEmpty && server.requests.isEmpty)
        }
      }
    #endif
  }
#endif
