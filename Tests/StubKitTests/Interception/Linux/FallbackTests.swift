#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc
  import TestSupport
  import Testing

  @testable import StubKit

  /// Each in a process of its own, where one mechanism is refused before the first request. Without any field of URLSession's,
  /// StubKit is in the plain mode, which PlainModeTests compare.
  @Suite("Without a mechanism", .inTurn)
  struct FallbackTests {
    #if compiler(>=6.2)
      @Test("a request from a completion handler belongs to its session's scope: callbacks can't be kept in their own")
      func noCallbackHook() async throws {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.callbacks = nil
          stub(condition: .anything, response: .text("global"))
          try await withStubs {
            stub(condition: .anything, response: .text("scope"))
            let session = StubRegistry.current.makeSession()
            let (isOutside, text) = try await untilResumed { continuation in
              session.dataTask(with: url("http://a.example/outer")) { _, _, _ in
                let isOutside = StubRegistry.current === StubRegistry.global
                session.dataTask(with: url("http://a.example/inner")) { data, _, _ in
                  continuation.resume(returning: (isOutside, String(decoding: data ?? Data(), as: UTF8.self)))
                }.resume()
              }.resume()
            }
            precondition(isOutside && text == "scope")
          }
          HTTPStubs.removeAllStubs()
          try await FallbackTests.checkAnswers()
        }
      }

      @Test("a download fails and leaves no file behind: it can't be handed over")
      func noLoadProperties() async throws {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.internals = nil
          let directory = temporaryPlace()
          try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
          setenv("TMPDIR", directory.path, 1)
          defer { try? FileManager.default.removeItem(at: directory) }
          stub(condition: .anything, response: .text("file"))
          do {
            _ = try await URLSession.shared.download(from: url("http://a.example/"))
            throw WrongAnswer(what: "a file")
          } catch is DownloadUnavailableError {}
          // The file goes with the load, which may outlive its last word by a moment.
          let files = { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
          try await until("the file is gone") { try files().isEmpty }
        }
      }

      @Test("requests are answered all the same: the current queue is not known")
      func noCurrentQueue() async {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.currentQueue = nil
          try await FallbackTests.checkAnswers()
        }
      }

      @Test("the shared session, and configurations that ask for it, are still intercepted: no hook")
      func noHook() async {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.makeConfigurationHook = { throw ClassSlot.Refusal(description: "refused by the test") }
          let capabilities = StubKitCapabilities.current
          precondition(capabilities.mechanisms.first { $0.name == "configuration hook" }?.isActive == false)
          stub(condition: isPath("/x"), response: .text("stubbed"))
          let shared = try await URLSession.shared.fetch("http://a.example/x")
          precondition(shared.text == "stubbed")
          let configuration = URLSessionConfiguration.ephemeral
          precondition(!HTTPStubs.isEnabled(for: configuration))
          HTTPStubs.setEnabled(true, for: configuration)
          let asked = try await URLSession(configuration: configuration).fetch("http://a.example/x")
          precondition(asked.text == "stubbed")
        }
      }

      @Test(
        "a session that is made in a scope belongs to it where it says so: copies of configurations can't be marked")
      func noSessionMark() async {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.sessionMark = nil
          stub(condition: .anything, response: .text("global"))
          try await withStubs {
            stub(condition: .anything, response: .text("scope"))
            let sessions = [URLSession(configuration: .patient), StubRegistry.current.makeSession()]
            let here = try await sessions[0].fetch("http://a.example/").text
            let away = try await Task.detached { try await sessions[0].fetch("http://a.example/").text }.value
            let bound = try await Task.detached { try await sessions[1].fetch("http://a.example/").text }.value
            precondition([here, away, bound] == ["scope", "global", "scope"])
          }
          HTTPStubs.removeAllStubs()
          try await FallbackTests.checkAnswers()
        }
      }

      @Test("a request fails: neither fields nor the current queue are known")
      func noQueue() async {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.internals = nil
          Platform.mechanisms.currentQueue = nil
          stub(condition: .anything, response: .text("answer"))
          let error = await URLSession.shared.failure(of: "http://a.example/")
          precondition(error is MissingContextError)
        }
      }

      @Test("a redirect is followed, also to the network, without a question: a task has no session and no requests")
      func noTaskRequests() async {
        await #expect(processExitsWith: .success) {
          Platform.mechanisms.internals = nil
          let server = try LoopbackServer()
          defer { server.stop() }
          StubRegistry.global.unmatched = .passThrough
          stub(condition: isPath("/away"), response: .redirect(to: server.url("/real")))
          stub(condition: isPath("/on"), response: .redirect(to: "/there"))
          stub(condition: isPath("/there"), response: .text("there"))
          let delegate = AnsweringDelegate(redirect: { _, _ in nil })
          let delegated = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
          for session in [URLSession.shared, URLSession(configuration: .patient), delegated] {
            let away = try await session.fetch("http://a.example/away").text
            if away != "real GET /real" { throw WrongAnswer(what: "away \(away)") }
            let there = try await session.fetch("http://a.example/on").text
            if there != "there" { throw WrongAnswer(what: "on \(there)") }
          }
          let outcomes = StubRegistry.global.journal.entries.map(\.outcome)
          let posted = request("http://a.example/kept", method: "POST", body: "body")
          stub(condition: isPath("/kept"), response: .redirect(to: server.url("/real"), status: 307))
          let kept = try await URLSession.shared.fetch(posted).text
          let isEmpty = server.arrivals.allSatisfy(\.body.isEmpty)
          if kept != "real POST /real" || !isEmpty { throw WrongAnswer(what: "kept \(kept)") }
          let two: [RecordedRequest.Outcome] = [
            .answered(status: 302), .passedThrough, .answered(status: 302), .answered(status: 200),
          ]
          if outcomes != two + two + two { throw WrongAnswer(what: "\(outcomes)") }
        }
      }
    #endif

    /// Every way in which a load can go, on one after the other.
    private static func checkAnswers() async throws {
      func check(_ what: String, _ holds: Bool) throws { if !holds { throw WrongAnswer(what: what) } }
      stub(condition: isPath("/constant"), response: .text("constant"))
      stub(condition: isPath("/delayed"), response: .text("delayed").delay(.milliseconds(20)))
      stub(condition: isPath("/paced"), response: .text("a body in pieces").bodyDuration(.milliseconds(80)))
      stub(condition: isPath("/closure")) { _ in .text("closure") }
      stub(condition: isPath("/endless"), response: .text("never").delay(.seconds(600)))
      for session in [URLSession.shared, URLSession(configuration: .patient)] {
        for name in ["constant", "delayed", "closure"] {
          let text = try await session.fetch("http://a.example/\(name)").text
          try check(name, text == name)
        }
        let paced = try await session.fetch("http://a.example/paced").text
        try check("paced", paced == "a body in pieces")
        let error = await session.failure(of: "http://a.example/none")
        try check("unmatched", error is UnmatchedRequestError)

        let events = DelegateEvents()
        let delegated = URLSession(configuration: session.configuration, delegate: events, delegateQueue: nil)
        let task = delegated.dataTask(with: url("http://a.example/paced"))
        task.resume()
        task.suspend()
        task.resume()
        let told = try await events.untilCompletion()
        try check("delegate \(told)", told.first == "head 200" && told.last == "complete")
        let pieces = told.filter { $0.hasPrefix("data ") }.map { $0.dropFirst(5) }.joined()
        try check("pieces", pieces == "a body in pieces")

        let cancelledEvents = DelegateEvents()
        let cancelling = URLSession(configuration: .patient, delegate: cancelledEvents, delegateQueue: nil)
        let endless = cancelling.dataTask(with: url("http://a.example/endless"))
        endless.resume()
        endless.cancel()
        let cancelled = try await cancelledEvents.untilCompletion()
        try check("cancelled", cancelled == ["error \(NSURLErrorDomain) \(NSURLErrorCancelled)"])
      }
      let (file, _) = try await URLSession.shared.download(from: url("http://a.example/constant"))
      defer { try? FileManager.default.removeItem(at: file) }
      let text = try String(contentsOf: file, encoding: .utf8)
      try check("download", text == "constant")
    }
  }
#endif
