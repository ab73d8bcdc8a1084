#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  /// What a test lets through to a server of this machine leads to another machine. None of these servers is asked.
  @Suite("A server's redirect to another machine", .inOwnProcess, .inTurn)
  struct BlockedRedirectTests {
    private let servers: TwoServers

    init() throws {
      servers = try TwoServers(status: 307)
      SessionInstallation.activate()
    }

    /// The error of a request that is made on a plain queue, or here.
    private func failure(onQueue: Bool = false) async -> (any Error)? {
      let request = URLRequest(url: servers.near.url("/to"))
      guard onQueue else { return await URLSession.patient.failure(of: "\(servers.near.url("/to"))") }
      return await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          URLSession.patient.dataTask(with: request) { _, _, error in continuation.resume(returning: error) }.resume()
        }
      }
    }

    private func expectBlocked(
      _ error: (any Error)?, saying text: String, at location: SourceLocation = #_sourceLocation
    ) {
      #expect(error?.localizedDescription.contains(text) == true, "\(error as Any)", sourceLocation: location)
      #expect(servers.near.requests == ["GET /to"], sourceLocation: location)
      #expect(servers.far.requests.isEmpty, sourceLocation: location)
    }

    @Test("is blocked by STUBKIT_NETWORK=off in a process without scopes", arguments: [true, false])
    func off(onQueue: Bool) async throws {
      NetworkAccess.isOffForTests.current = true
      expectBlocked(await failure(onQueue: onQueue), saying: "STUBKIT_NETWORK=off keeps it from the network")
    }

    @Test("is blocked by STUBKIT_NETWORK=off where a policy or a stub lets it through", arguments: [true, false])
    func offInScope(byStub: Bool) async throws {
      NetworkAccess.isOffForTests.current = true
      let error = await withStubs {
        if byStub { stub(condition: .anything, response: .passThrough) } else { HTTPStubs.unmatched = .passThrough }
        return await failure()
      }
      expectBlocked(error, saying: byStub ? "passes it through, and STUBKIT_NETWORK=off" : "No stub matches")
    }

    @Test("is blocked by STUBKIT_NETWORK=off in a scope of a registry that isn't enabled")
    func offBesideRegistry() async throws {
      NetworkAccess.isOffForTests.current = true
      let error = await withStubs(in: StubRegistry(isEnabled: false)) { await failure() }
      expectBlocked(error, saying: "STUBKIT_NETWORK=off keeps it from the network")
    }

    @Test("is blocked by the policy for requests outside of scopes")
    func unscoped() async throws {
      HTTPStubs.unscoped = .fail
      expectBlocked(await failure(), saying: "HTTPStubs.unscoped = .fail keeps it from the network")
    }

    @Test("fails on a plain queue after the end of every scope")
    func late() async throws {
      withStubs {}
      let error = await failure(onQueue: true)
      #expect(error is StubScopeEndedError)
      expectBlocked(error, saying: "scope")
    }

    @Test("fails on a plain queue beside several scopes, of which none has a stub for the first server")
    func beside() async throws {
      let error = await withStubs {
        let (isOpen, isDone) = (Latch(), Latch())
        async let other: Void = Task.detached {
          await withStubs {
            isOpen.open()
            await isDone.pass()
          }
        }.value
        await isOpen.pass()
        let error = await failure(onQueue: true)
        isDone.open()
        await other
        return error
      }
      expectBlocked(error, saying: "unclear")
    }

    @Test("is answered on a plain queue by the only scope, although that has no stub for the first server")
    func only() async throws {
      let error = await withStubs {
        stub(condition: isHost("127.0.0.2"), response: .failure(.dnsLookupFailed))
        return await failure(onQueue: true)
      }
      #expect((error as? URLError)?.code == .dnsLookupFailed)
      #expect(servers.near.requests == ["GET /to"])
      #expect(servers.far.requests.isEmpty)
    }

    @Test("is told if it is allowed, and its test has no scope")
    func told() async throws {
      RunningTest.use(NamedTest.self)
      let lines = Locked<[String]>([])
      RunningTest.listener.current = Closure { line in lines.withLock { $0.append(line) } }
      #expect(await failure() == nil)
      try await until("the line is there") { !lines.withLock(\.isEmpty) }
      #expect(
        lines.withLock { $0.first }?.hasPrefix("GET \(servers.far.url("/x")) goes to the network") == true,
        "\(lines.withLock { $0 })")
      #expect(servers.far.requests == ["GET /x"])
    }
  }

  private final class NamedTest: QuietFramework {
    static var knowsTest: Bool { true }
    static var testName: String? { "aTest()" }
  }
#endif
