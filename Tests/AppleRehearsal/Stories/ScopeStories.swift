import Foundation
import StubKitTesting
import Testing

@Suite("A scope on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct ScopeStories {
  @Test("is what the trait makes", .withEarlySession, .stubbed)
  func trait() async throws {
    stub(condition: isHost("a.example"), response: .text("stubbed"))
    let answer = try await text("http://a.example/")
    #expect(answer == "stubbed")
  }

  @Test("goes with a session that was made in it, also onto plain queues", arguments: [false, true])
  func inside(hasDelegate: Bool) async throws {
    let answer = await withStubs {
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      let session =
        hasDelegate
        ? URLSession(configuration: .default, delegate: Watcher(), delegateQueue: nil)
        : URLSession(configuration: .default)
      return await askOnAPlainQueue(session, "http://a.example/")
    }
    #expect(answer == "stubbed")
  }

  @Test("is not needed by a session that is bound to a registry")
  func bound() async throws {
    let registry = StubRegistry()
    stub(condition: isHost("a.example"), response: .text("stubbed"), in: registry)
    let session = registry.makeSession()
    let answer = await askOnAPlainQueue(session, "http://a.example/")
    #expect(answer == "stubbed")
  }

  @Test("sees its own requests only, with 200 scopes at a time")
  func parallel() async throws {
    let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<200 {
        group.addTask {
          try await withStubs {
            stub(condition: isHost("a.example"), response: .text("\(number)"))
            return (number, try await text("http://a.example/"))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 200 && answers.allSatisfy { "\($0.0)" == $0.1 })
  }

  @Test("lets nothing reach the network unnoticed", .timeLimit(.minutes(1)))
  func unmatched() async throws {
    let server = try Server()
    let url = server.url("/")
    let error = await withStubs {
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      return await #expect(throws: (any Error).self) { try await URLSession.shared.data(from: url) }
    }
    let miss = try #require(error.flatMap { UnmatchedRequestError(from: $0) })
    #expect(miss.nearest.count == 1 && miss.description.hasPrefix("No stub matches GET http://127.0.0.1"))
    #expect(server.lines.isEmpty)
  }

  @Test("leaves the network to a test that has none")
  func none() async throws {
    let server = try Server()
    let answer = try await text(server.url("/").absoluteString)
    #expect(answer == "real" && server.lines == ["GET /"])
  }

  @Test("holds for what a completion handler asks for next, beside another scope")
  func handlers() async throws {
    try await beside { done in
      URLSession.shared.dataTask(with: URL(string: "http://a.example/1")!) { _, _, _ in done() }.resume()
    }
  }

  #if canImport(URLLoading)
    // Real resume data comes from a download that was cancelled by its maker. The stand-in takes a URL for it.
    @Test("holds for what the handler of a resumed download asks for next, beside another scope")
    func resumedDownload() async throws {
      try await beside { done in
        let session = URLSession(configuration: .staged)
        session.downloadTask(withResumeData: Data("http://a.example/1".utf8)) { _, _, _ in done() }.resume()
      }
    }
  #endif

  /// Checks that what a handler asks for is the scope's, while another scope is open.
  private func beside(_ request: @escaping (_ done: @escaping @Sendable () -> Void) -> Void) async throws {
    let gate = ResponseGate()
    let other = Task {
      try await withStubs {
        stub(condition: isHost("b.example"), response: .text("other").held(by: gate))
        return try await text("http://b.example/")
      }
    }
    let answer = await withStubs {
      stub(condition: isPath("/1"), response: .text("one"))
      stub(condition: isPath("/2"), response: .text("two"))
      return await withCheckedContinuation { continuation in
        request { ask(.shared, "http://a.example/2") { continuation.resume(returning: $0) } }
      }
    }
    gate.open()
    #expect(answer == "two")
    _ = try await other.value
  }

  @Test("is not guessed at for a detached task where several are open: the request fails, and does not go out")
  func detached() async throws {
    let server = try Server()
    let (open, isOpen) = AsyncStream.makeStream(of: Void.self)
    let (over, isOver) = AsyncStream.makeStream(of: Void.self)
    let other = Task {
      await withStubs {
        isOpen.yield()
        for await _ in over { return }
      }
    }
    for await _ in open { break }
    let url = server.url("/")
    let failed = await withStubs {
      stub(condition: isHost("127.0.0.1"), response: .text("stubbed"))
      let request: Task<Data, any Error> = Task.detached { try await URLSession.shared.data(from: url).0 }
      return await request.result
    }
    isOver.yield()
    await other.value
    #expect(throws: (any Error).self) { try failed.get() }
    #expect(server.lines.isEmpty)
  }

  @Test("reaches uploads and downloads")
  func transfers() async throws {
    let (uploaded, downloaded) = try await withStubs {
      stub(condition: isMethod(.post) && hasBody(Data("film".utf8)), response: .text("got it"))
      stub(condition: isPath("/film"), response: .text("film"))
      let request = request("POST", URL(string: "http://a.example/up")!)
      let (answer, _) = try await URLSession.shared.upload(for: request, from: Data("film".utf8))
      let (file, _) = try await URLSession.shared.download(from: URL(string: "http://a.example/film")!)
      return (answer, try Data(contentsOf: file))
    }
    #expect(uploaded == Data("got it".utf8) && downloaded == Data("film".utf8))
  }

  @Test("ends with what is in flight")
  func end() async throws {
    let request = await withStubs {
      stub(condition: isHost("a.example"), response: .text("late").held(by: ResponseGate()))
      let task = Task { try await text("http://a.example/") }
      _ = try? await StubRegistry.current.stubs.first?.waitForCalls()
      return task
    }
    let error = try #require(await #expect(throws: (any Error).self) { try await request.value })
    #expect(StubScopeEndedError(from: error) != nil, "\(error)")
  }

  @Test("has every mechanism of the platform, as the guide says it")
  func capabilities() throws {
    let root = URL(fileURLWithPath: #filePath + "/../../../..").standardized
    let guide = try String(
      contentsOf: root.appendingPathComponent("Sources/StubKit/StubKit.docc/Platforms.md"), encoding: .utf8)
    let section = try #require(guide.components(separatedBy: "\n## Apple platforms\n").last)
    let listed = section.split(separator: "\n").prefix { !$0.hasPrefix("Each mechanism") }.filter {
      $0.hasPrefix("- **")
    }
    let mechanisms = HTTPStubs.capabilities.split(separator: "\n")
    #expect(listed.count == mechanisms.count)
    for (line, mechanism) in zip(listed, mechanisms) {
      let active = line.replacing("**", with: "").components(separatedBy: ". *Refused:* ")[0].dropFirst(2)
      #expect(mechanism == "active   \(active)")
    }
  }
}
