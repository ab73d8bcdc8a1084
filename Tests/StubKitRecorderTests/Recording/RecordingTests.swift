import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

/// What the client hears meanwhile is compared with what it hears without StubKit in DifferentialTests.
@Suite("A recording of what comes from the network", .inTurn)
struct RecordingTests {
  /// The entries of a POST to `/a`, which leads to `/b` as a GET, and that to `/c`.
  private func redirectedTwice() async throws -> [HTTPArchive.Entry] {
    let server = try LoopbackServer { line, _, send in
      switch line {
      case "POST /a": send(reply("302 Found\r\nLocation: /b", "to b"))
      case "GET /b": send(reply("307 Again\r\nLocation: /c", "to c"))
      default: send(reply("200 OK", "here"))
      }
    }
    return try await recording {
      let configuration = URLSessionConfiguration.patient
      configuration.httpAdditionalHeaders = ["X-Session": "yes"]
      let request = request(server.url("/a"), method: "POST", headers: ["X-Own": "yes"], body: Data("form".utf8))
      _ = try await URLSession(configuration: configuration).data(for: request)
    }.0
  }

  @Test("has an entry for each hop, with the request as the server got it, and the response's body")
  func redirects() async throws {
    let entries = try await redirectedTwice()
    #expect(entries.map { "\($0.request.httpMethod!) \($0.request.url!.path)" } == ["POST /a", "GET /b", "GET /c"])
    #expect(entries.map(\.request.httpBody) == [Data("form".utf8), nil, nil])
    for name in ["X-Session", "X-Own"] {
      #expect(entries.map { $0.request.value(forHTTPHeaderField: name) } == ["yes", "yes", "yes"], "\(name)")
    }
    #expect(entries.compactMap(\.text) == ["302 to b", "307 to c", "200 here"])
    #expect(entries.allSatisfy { $0.obstacle == nil && $0.error == nil }, "\(entries)")
  }

  @Test("has a start and a duration for each hop, in their order")
  func timesOfHops() async throws {
    let entries = try await redirectedTwice()
    #expect(entries.map(\.startedAt) == entries.map(\.startedAt).sorted())
    #expect(entries.allSatisfy { $0.duration > .zero })
  }

  @Test("has the final response to a request, and no interim one")
  func interim() async throws {
    let interim = Data("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8)
    let server = try LoopbackServer { line, _, send in
      send(interim + (line == "GET /none" ? Data() : reply("200 OK", "text")))
    }
    let (entries, _) = try await recording {
      let session = URLSession(configuration: .patient)
      _ = try await session.data(from: server.url("/"))
      await #expect(throws: URLError.self) { try await session.data(from: server.url("/none")) }
    }
    #expect(entries.map(\.text) == ["200 text", nil])
    #expect(entries.last?.error != nil)
  }

  @Test("has its entry by the time that a completion handler or a delegate is called at the end")
  func order() async throws {
    let server = try LoopbackServer()
    _ = try await recording {
      let recorder = StubRegistry.current.tap as? ArchiveRecorder
      let counts = Locked<[Int?]>([])
      @Sendable func count() { counts.withLock { $0.append(recorder?.contents.entries.count) } }
      let session = URLSession(configuration: .patient)
      try await untilResumed { (end: Resumption<Void>) in
        session.dataTask(with: server.url("/")) { _, _, _ in
          count()
          end.resume()
        }.resume()
      }
      try await untilResumed { (end: Resumption<Void>) in
        session.downloadTask(with: server.url("/")) { file, _, _ in
          if let file { try? FileManager.default.removeItem(at: file) }
          count()
          end.resume()
        }.resume()
      }
      let events = DelegateEvents()
      let other = events.session()
      for task in [other.dataTask(with: server.url("/")), other.downloadTask(with: server.url("/"))] {
        task.resume()
        _ = try await events.untilCompletion()
        count()
      }
      #expect(counts.withLock(\.self) == [1, 2, 3, 4])
    }
  }

  enum Sending: CaseIterable { case data, stream, upload, file, streamed }

  @Test("has the body that was sent, however the client passed it", arguments: Sending.allCases)
  func bodies(sending: Sending) async throws {
    let server = try LoopbackServer()
    let file = try LargeFile(length: 600_000)
    let body = file.bytes
    let (entries, _) = try await recording {
      var request = request(server.url("/up"), method: "POST")
      let events = TransferEvents(stream: InputStream(data: body))
      let session = events.session()
      let task: URLSessionTask
      switch sending {
      case .data:
        request.httpBody = body
        task = session.dataTask(with: request)
      case .stream:
        request.httpBodyStream = InputStream(data: body)
        task = session.dataTask(with: request)
      case .upload: task = session.uploadTask(with: request, from: body)
      case .file: task = session.uploadTask(with: request, fromFile: file.url)
      case .streamed: task = session.uploadTask(withStreamedRequest: request)
      }
      task.resume()
      _ = try await events.untilCompletion()
    }
    #expect(server.arrivals.map(\.body) == [body])
    #expect(entries.map(\.request.httpBody) == [body])
    #expect(entries.first?.text == "200 real POST /up")
    #expect(entries.first?.request.httpBodyStream == nil)
  }

  @Test("has a large body without pieces, and says of one with more than 64 MB that it was not kept")
  func largeBodies() async throws {
    let body = Data(count: 1 << 20)
    let server = try LoopbackServer { line, _, send in
      let count = line == "GET /long" ? 65 : 1
      send(Data("HTTP/1.1 200 OK\r\nContent-Length: \(count << 20)\r\nConnection: close\r\n\r\n".utf8))
      for _ in 0..<count { send(body) }
    }
    let (entries, _) = try await recording {
      for path in ["/", "/long"] {
        _ = try await URLSession.patient.data(from: server.url(path))
        let (file, _) = try await URLSession.patient.download(from: server.url(path))
        // Whatever its owner does with it, the recording has what came.
        try FileManager.default.removeItem(at: file)
      }
    }
    #expect(entries.map { $0.response?.body.count } == [body.count, body.count, 0, 0])
    #expect(entries[..<2].allSatisfy { $0.obstacle == nil && $0.pieces.isEmpty }, "\(entries)")
    #expect(entries[2...].allSatisfy { $0.obstacle == "has a body of more than 64 MB" }, "\(entries)")
  }

  @Test("has what a stub, a closure and a stubbed redirect let through, and nothing that a stub answers")
  func ways() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let base = server.url("")
    let (entries, _) = try await recording(unmatched: .fail) {
      stub(condition: isPath("/stubbed"), response: .text("stubbed"))
      stub(condition: isPath("/passed"), response: .passThrough)
      stub(condition: isPath("/closure")) { _ in .passThrough }
      stub(condition: isHost("a.example"), response: .redirect(to: "\(base)/passed"))
      for path in ["/stubbed", "/passed", "/closure"] {
        _ = try await URLSession.shared.fetch("\(base)\(path)")
      }
      let led = try await URLSession.shared.fetch("http://a.example/")
      #expect(led.text == "real GET /passed")
    }
    #expect(entries.map(\.request.url?.path) == ["/passed", "/closure", "/passed"])
    #expect(entries.compactMap(\.text) == ["200 real GET /passed", "200 real GET /closure", "200 real GET /passed"])
  }

  @Test(
    "ends without a task that is still loading, which gets its answer and doesn't keep the recorder alive",
    .withoutWarnings)
  func unfinished() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, _, send in
      arrival.yield()
      release.wait()
      send(reply("200 OK", "late"))
    }
    defer {
      release.signal()
      server.stop()
    }
    weak var gone: ArchiveRecorder?
    let late = try await withStubs {
      let recorder = ArchiveRecorder()
      let frame = RecordingInUse(recorder)
      gone = recorder
      _ = StubRegistry.current.begin(frame)
      StubRegistry.current.unmatched = .passThrough
      let late = Task { try await URLSession.patient.fetch("\(server.url("/"))").text }
      try await next(of: arrivals, when: "the request arrives")
      #expect(recorder.contents.entries.isEmpty && recorder.contents.unfinishedCount == 1)
      StubRegistry.current.end(frame)
      return late
    }
    try await until("nobody holds the recorder") { gone == nil }
    release.signal()
    #expect(try await late.value == "late")
  }

  @Test("has requests that the client cancels, which fail as cancelled when they are replayed")
  func cancelled() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let isOver = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { line, _, send in
      if line == "GET /users" { return send(reply("200 OK", "users")) }
      if line == "GET /begun" { send(Data("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbeg".utf8)) }
      arrival.yield()
      isOver.wait()
    }
    defer {
      for _ in 1...2 { isOver.signal() }
      server.stop()
    }
    let folder = try RecordingFolder()
    try await folder.with {
      try await withRecording(folder.recording("search", .once)) {
        for path in ["/slow", "/begun"] {
          let events = DelegateEvents()
          let task = events.session().dataTask(with: server.url(path))
          task.resume()
          try await next(of: arrivals, when: "\(path) arrives")
          if path == "/begun" { try await until("a part is there") { events.told.contains("data beg") } }
          task.cancel()
          _ = try await events.untilCompletion()
        }
        _ = try await URLSession.patient.data(from: server.url("/users"))
      }
      #expect(
        folder.said == ["Recorded 3 requests to \(folder.file("search").path) (2 cancelled, 0 values redacted)"])
      for mode in [RecordingMode.replay, .once, .newEpisodes] {
        try await withRecording(folder.recording("search", mode)) {
          for path in ["/slow", "/begun"] {
            let error = await URLSession.shared.failure(of: "\(server.url(path))")
            #expect((error as? URLError)?.code == .cancelled, "\(mode) \(path)")
          }
          let users = try await URLSession.shared.fetch("\(server.url("/users"))").text
          #expect(users == "users", "\(mode)")
        }
      }
    }
    #expect(server.requests.count == 3)
    #expect(folder.said.count == 1, "\(folder.said)")
  }

  @Test("has each of many requests at once exactly once")
  func parallel() async throws {
    let count = TestSize.of(400, inPart: 120)
    let server = try LoopbackServer { line, _, send in send(reply("200 OK", line)) }
    let (entries, unfinishedCount) = try await recording {
      let sessions = [
        URLSession(configuration: .patient), URLSession.shared,
        URLSession(configuration: .patient, delegate: DelegateEvents(), delegateQueue: nil),
      ]
      try await (0..<count).atOnce { number in
        let (session, request) = (sessions[number % 3], request(server.url("/\(number)"), timeout: 3_600))
        guard number % 4 == 3 else { return _ = try await session.data(for: request) }
        try FileManager.default.removeItem(at: try await session.download(for: request).0)
      }
    }
    #expect(unfinishedCount == 0)
    #expect(entries.allSatisfy { $0.text == "200 GET \($0.request.url!.path)" }, "\(entries)")
    #expect(entries.compactMap { $0.request.url?.path }.sorted() == (0..<count).map { "/\($0)" }.sorted())
  }

  @Test("leaves the requests of a session on one connection, and those of another session on another")
  func connections() async throws {
    let server = try LoopbackServer { _, connection in
      connection.write(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    }
    let (entries, _) = try await recording {
      let sessions = [URLSession(configuration: .patient), URLSession(configuration: .patient)]
      for session in sessions + sessions { _ = try await session.fetch("\(server.url("/"))") }
    }
    #expect(entries.compactMap(\.text) == Array(repeating: "200 ok", count: 4))
    #expect(server.connectionCount == 2)
  }

  private static let expiring = "Set-Cookie: a=1; Expires=Wed, 21-Oct-2026 07:28:00 GMT; Path=/"
  /// `hello` in gzip, in 29 bytes instead of 120.
  private static let zipped = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8igOwkAL/r4SHgAAAA=")!
  private static let hello = String(repeating: "hello ", count: 20)

  @Test(
    "has a cookie in each field, the decoded body of a compressed response, and fields that are true for it",
    arguments: [
      ("GET", ["Set-Cookie: a=1", "Set-Cookie: b=2; HttpOnly"], Data(), nil, ""),
      ("GET", [expiring, "Set-Cookie: b=1, 2, 3"], Data(), nil, ""),
      (
        "GET", ["Content-Length: 29", "Content-Encoding: gzip", "X-A: 1"], zipped, ["Content-Length: 120", "X-A: 1"],
        hello
      ),
      // What broke off has no length that is known.
      ("GET", ["Content-Length: 99", "Content-Encoding: gzip", "X-A: 1"], zipped, ["X-A: 1"], hello),
      ("GET", ["Content-Length: 9"], Data("1".utf8), nil, "1"),
      // The response to a HEAD has no body to decode.
      ("HEAD", ["Content-Encoding: gzip", "Content-Length: 7"], Data(), nil, ""),
    ] as [(String, [String], Data, [String]?, String)])
  func heads(method: String, head: [String], body: Data, changed: [String]?, text: String) async throws {
    let lines = ["HTTP/1.1 200 OK"] + head + ["Connection: close", "", ""]
    let server = try LoopbackServer { _, _, send in send(Data(lines.joined(separator: "\r\n").utf8) + body) }
    let (entries, _) = await recording {
      // What breaks off throws.
      _ = try? await URLSession.patient.data(for: request(server.url("/"), method: method))
    }
    let response = try #require(entries.first?.response, "\(entries)")
    let recorded = response.headers.map { "\($0.name): \($0.value)" }.filter { $0 != "Connection: close" }
    #expect(recorded == changed ?? head)
    #expect(response.body.text == text)
  }

  @Test("has the pieces that a delegate receives, with their times")
  func pieces() async throws {
    // The second event waits until the first has been heard.
    let isHeard = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, _, send in
      send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n".utf8))
      isHeard.wait()
      send(Data("data: 22\n\n".utf8))
    }
    defer { isHeard.signal() }
    let (entries, _) = try await recording {
      let events = DelegateEvents()
      events.session().dataTask(with: server.url("/events")).resume()
      try await until("the first event is heard") { events.told.contains("data data: 1\n\n") }
      isHeard.signal()
      #expect(try await events.untilCompletion() == ["head 200", "data data: 1\n\n", "data data: 22\n\n", "complete"])
    }
    let entry = try #require(entries.first)
    #expect(entry.text == "200 data: 1\n\ndata: 22\n\n")
    #expect(entry.pieces.map(\.end) == [9, 19])
    let times = [try #require(entry.timeToResponse)] + entry.pieces.map(\.time) + [entry.duration]
    #expect(times == times.sorted())
    #expect(entry.pieces[0].time < entry.pieces[1].time)
  }

  @Test(
    "has the pieces of an event stream for every client, and of another body only for one that receives pieces",
    arguments: [
      ("text/event-stream", true, [4, 9]), ("Text/Event-Stream; charset=utf-8", false, [4, 9]),
      ("text/plain", true, [4, 9]), ("text/plain", false, []),
    ])
  func kindsOfPieces(type: String, asPiece: Bool, ends: [Int]) {
    let recorder = ArchiveRecorder()
    let request = request("http://a.com/")
    let recording = ExchangeRecording(recorder, request)
    recording.headArrived(HTTPURLResponse(to: request, fields: ["Content-Type": type]))
    for piece in ["data", ": 1\n\n"] { recording.pieceArrived(Data(piece.utf8), asPiece: asPiece) }
    recording.end(error: nil)
    #expect(recorder.contents.entries.map { $0.pieces.map(\.end) } == [ends])
  }
}
