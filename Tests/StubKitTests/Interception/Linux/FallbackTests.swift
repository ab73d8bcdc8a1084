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
      @Test("without the hook, the shared session is intercepted")
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
        "without marks, a session belongs where it says so")
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
    #endif
  }
#endif
