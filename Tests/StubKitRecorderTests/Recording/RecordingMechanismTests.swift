#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKitRecorder

  /// Those that refuse a mechanism run in a process of their own.
  @Suite("Recording on Linux", .inTurn)
  struct RecordingMechanismTests {
    private static func texts(_ entries: [HTTPArchive.Entry]) -> [String] {
      entries.map { entry in
        "\(entry.request.url?.path ?? "") \(entry.text ?? "nothing")\(entry.obstacle == nil ? "" : ", and an obstacle")"
      }
    }

    @Test("has an entry for each task, without a listener, on a concurrent queue, or redirected to nowhere")
    func uses() async throws {
      let server = try LoopbackServer { line, _, send in
        send(line == "GET /lost" ? reply("302 Found", "lost") : reply("200 OK", "real \(line)"))
      }
      let (entries, _) = try await recording {
        let session = URLSession(configuration: .patient)
        // A body that nobody listens to.
        let post = request(server.url("/post"), method: "POST", body: Data("body".utf8))
        let file = session.downloadTask(with: server.url("/file"))
        for task in [session.dataTask(with: server.url("/get")), session.dataTask(with: post), file] {
          task.resume()
          try await until("\(task.originalRequest!) is complete") { task.state == .completed }
          // Without a listener, nothing is counted.
          #expect(task.countOfBytesSent == 0, "\(task.originalRequest!)")
        }
        // A delegate queue that is not serial.
        let events = DelegateEvents()
        events.session(on: OperationQueue()).dataTask(with: server.url("/queue")).resume()
        _ = try await events.untilCompletion()
        // A download with a delegate of its own, which URLSession writes twice.
        let (own, _) = try await session.download(from: server.url("/own"), delegate: TransferEvents())
        try FileManager.default.removeItem(at: own)
        // A redirect that leads nowhere, whose answer can come before `resume()` returns.
        for _ in 1...30 { _ = try await session.data(from: server.url("/lost")) }
      }
      let expected = [
        "/get 200 real GET /get", "/post 200 real POST /post", "/file 200 real GET /file", "/queue 200 real GET /queue",
        "/own 200 real GET /own",
      ]
      #expect(Self.texts(entries) == expected + Array(repeating: "/lost 302 ", count: 30))
    }

    @Test("has the headers that are added to a session's configuration later")
    func laterHeaders() async throws {
      let server = try LoopbackServer()
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

    @Test("has an entry for a challenge that nobody answers, although its task doesn't end by itself")
    func unansweredDemand() async throws {
      let server = try LoopbackServer(realm: "films")
      let recorder = ArchiveRecorder()
      try await withStubs {
        _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
        StubRegistry.current.unmatched = .passThrough
        let task = URLSession(configuration: .patient).dataTask(with: server.url("/")) { _, _, _ in }
        task.resume()
        try await until("the demand is recorded") { recorder.contents.entries.count == 1 }
        task.cancel()
        try await until("the task has ended") { task.state == .completed }
      }
      #expect(Self.texts(recorder.contents.entries) == ["/ 401 who?"])
    }

    // In that mode, StubKit uses public API of Foundation only, and sees too little of a task to record it.
    @Test("is an error with STUBKIT_PLAIN, where StubKit uses public API only", .inPlainMode)
    func plainMode() async throws {
      let server = try LoopbackServer()
      let errors = Locked<[String]>([])
      let (entries, _) = await recording {
        stub(condition: isHost("a.example"), response: .redirect(to: server.url("/to").absoluteString))
        for text in ["http://a.example/", server.url("/other").absoluteString] {
          let error = await URLSession.shared.failure(of: text)
          errors.withLock { $0.append(error?.localizedDescription ?? "none") }
        }
      }
      #expect(
        errors.withLock { $0.count { $0.contains("StubKit can't record here") } } == 2, "\(errors.withLock { $0 })")
      #expect(entries.isEmpty && server.requests.isEmpty)
    }
  }
#endif
