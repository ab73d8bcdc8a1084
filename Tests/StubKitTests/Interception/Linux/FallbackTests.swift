#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc
  import TestSupport
  import Testing

  @testable import StubKit

  /// Each in a process of its own, in the plain mode or without the configuration hook. PlainModeTests compares the plain mode
  /// with a server.
  @Suite("Without what lies beyond public API", .inTurn)
  struct FallbackTests {
    #if compiler(>=6.2)
      @Test("a download fails and leaves no file behind: it can't be handed over")
      func noLoadProperties() async throws {
        await #expect(processExitsWith: .success) {
          setenv(URLSessionInternals.variable, "1", 1)
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

      @Test("the shared session, and configurations that ask for it, are still intercepted: no hook")
      func noHook() async {
        await #expect(processExitsWith: .success) {
          Platform.makeConfigurationHook = { throw MissingInternal("refused by the test") }
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
          setenv(URLSessionInternals.variable, "1", 1)
          stub(condition: .anything, response: .text("global"))
          try await withStubs {
            stub(condition: .anything, response: .text("scope"))
            let sessions = [URLSession(configuration: .patient), StubRegistry.current.makeSession()]
            let here = try await sessions[0].fetch("http://a.example/").text
            let away = try await Task.detached { try await sessions[0].fetch("http://a.example/").text }.value
            let bound = try await Task.detached { try await sessions[1].fetch("http://a.example/").text }.value
            precondition([here, away, bound] == ["scope", "global", "scope"])
          }
        }
      }

      @Test("a redirect is followed, also to the network, without a question: a task has no session and no requests")
      func noTaskRequests() async {
        await #expect(processExitsWith: .success) {
          setenv(URLSessionInternals.variable, "1", 1)
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
  }
#endif
