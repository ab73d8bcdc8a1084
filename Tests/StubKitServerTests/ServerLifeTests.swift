import Foundation
import StubKit
import TestSupport
import Testing

@testable import StubKitServer

@Suite("The life of a server", .inTurn)
struct ServerLifeTests {
  private static func isFree(_ port: Int) -> Bool {
    guard let socket = try? Sockets.listen(port: UInt16(port), isIPv6: false) else { return false }
    Sockets.close(socket.descriptor)
    return true
  }

  /// A process that another test has just started holds the port until it runs its own program.
  private static func waitUntilFree(_ port: Int) async throws {
    try await until("port \(port) is free") { isFree(port) }
  }

  @Test("learns at once of a scope that has ended before it asks")
  func endedScope() {
    let (registry, ends) = (StubRegistry(), Locked(0))
    let scope = withStubs(registry: registry) { ServingScope(registry) }
    scope.whenScopeEnds { ends.withLock { $0 += 1 } }
    #expect(ends.withLock { $0 } == 1)
    scope.close()
  }

  @Test("ends with stop(), which can be called twice, and when nobody holds it, and frees the port")
  func stops() async throws {
    try await withStubs {
      var server: StubServer? = try await StubServer()
      let stopped = try await StubServer()
      let ports = [try #require(server?.port), stopped.port]
      #expect(!ports.contains(where: Self.isFree))
      server = nil
      for _ in 1...2 { await stopped.stop() }
      for port in ports { try await Self.waitUntilFree(port) }
    }
  }

  @Test("ends with the outermost scope of its registry, and cuts its answers off")
  func scope() async throws {
    // They are held, so that it is the scope that ends them.
    let (held, journal) = (Locked<[StubServer]>([]), Locked<RequestJournal?>(nil))
    let reading = try await withStubs {
      let servers = [try await StubServer(), try await StubServer(for: "https://a.example")]
      journal.withLock { $0 = StubRegistry.current.journal }
      held.withLock { $0 = servers }
      let waiting = stub(condition: isPath("/"), response: .text("x").held(by: ResponseGate()))
      withStubs(registry: .current) {}
      let request = servers[0].request(line: "GET /")
      let reading = Task { try await servers[0].connected(request) { $0.readToEnd().end } }
      try await until("the request has arrived") { waiting.callCount == 1 }
      return reading
    }
    #expect(try await reading.value == .reset)
    let outcome = try #require(journal.withLock { $0 }?.entries.first?.outcome)
    #expect("\(outcome)".contains("scope"))
    for server in held.withLock({ $0 }) { try await Self.waitUntilFree(server.port) }
  }

  @Test("says in a sentence why it can't begin")
  func errors() async throws {
    try await withStubs {
      let server = try await StubServer()
      func error(_ start: () async throws -> StubServer) async -> StubServerError? {
        do {
          _ = try await start()
          return nil
        } catch { return error as? StubServerError }
      }
      let taken = await error { try await StubServer(port: server.port) }
      #expect(taken?.reason == .portTaken && taken?.description.hasPrefix("Port \(server.port) is taken by") == true)
      for port in [-1, 65_536] {
        #expect(await error { try await StubServer(port: port) }?.reason == .invalidPort)
      }
      for origin in [
        "api.example.com", "https://", "ftp://a.example", "https://a.example/v1", "https://a.example?x", "",
        "https://u@a.example", "https://a.example:0", "https://a.example:99999", "//a.example",
      ] {
        let invalid = await error { try await StubServer(for: origin) }
        #expect(invalid?.reason == .invalidOrigin, "\(origin)")
        #expect(invalid?.localizedDescription.contains("is not an origin. Write a scheme, a host") == true)
      }
      for origin in ["https://a.example", "HTTP://A.example:8080/", "http://[::1]:1"] {
        #expect(await error { try await StubServer(for: origin) } == nil, "\(origin)")
      }
    }
  }

  @Test("can ask whether a listener of all addresses has a port, of either family", arguments: [AF_INET, AF_INET6])
  func allAddresses(family: Int32) throws {
    let listener = socket(family, Sockets.stream, 0)
    defer { close(listener) }
    // Without a call of bind, a listener gets all addresses and a free port.
    guard listener >= 0, listen(listener, 1) == 0 else { return }
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) == 0 }
    }
    #expect(isNamed)
    // The port is at the same place in both families.
    let port = UInt16(bigEndian: address.sin6_port)
    #expect(Sockets.isTakenForAllAddresses(port))
    shutdown(listener, Int32(SHUT_RDWR))
    #expect(!Sockets.isTakenForAllAddresses(port))
  }

  @Test("leaves no descriptor behind, however clients drop their connections")
  func descriptors() async throws {
    let count = TestSize.of(1_000, inPart: 200)
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .text(String(repeating: "x", count: 100_000)).delay(.milliseconds(1)))
      let (port, request) = (server.port, server.request(line: "GET /") + server.request(line: "GET /"))
      try await withThrowingTaskGroup { group in
        for worker in 0..<4 {
          group.addTask {
            try await onOwnThread {
              var random = SplitMix64(seed: UInt64(worker))
              for _ in 0..<count / 4 {
                let client = try LoopbackClient(port: port)
                let sent = random.below(request.utf8.count + 1)
                client.send(request.utf8.prefix(sent))
                // Otherwise, the server waits for the rest.
                let isWhole = sent >= request.utf8.count / 2
                if isWhole, random.chance(percent: 50) { _ = client.read(1 + random.below(50_000)) }
                if random.chance(percent: 30) { client.resetAtEnd() }
                if random.chance(percent: 20) { client.endWriting() }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      stub(condition: isPath("/after"), response: .text("after"))
      let after = try await server.get("/after")
      #expect(after?.text == "after")
      try await until("every request is over") {
        !StubRegistry.current.journal.entries.map(\.outcome).contains(.inProgress)
      }
    }
  }

  // In a process of its own, where nothing else grows.
  @Test("leaves no descriptor, no thread and no memory behind, however often it starts", .inOwnProcess)
  func startsOften() async throws {
    func startAndStop(_ count: Int) async throws {
      for _ in 0..<count {
        try await withStubServer { server in
          stub(condition: isPath("/"), response: .text("x"))
          let text = try await server.get("/")?.text
          #expect(text == "x")
        }
      }
    }
    func openDescriptors() -> Int { (0..<Int32(1_024)).count { fcntl($0, F_GETFD) != -1 } }
    try await startAndStop(100)
    let before = (openDescriptors(), Self.threadsAndMemory)
    let count = TestSize.of(10_000, inPart: 300)
    try await startAndStop(count)
    // Dispatch keeps threads for the next work for some seconds, dozens on a busy machine. A server that stayed would cost
    // each of these once a start.
    try await until("the threads are those of before, but for 20") {
      Self.threadsAndMemory.threads <= before.1.threads + 20
    }
    let after = (openDescriptors(), Self.threadsAndMemory)
    #expect(after.0 <= before.0 + 4, "\(before), \(after)")
    #expect(
      after.1.bytes - before.1.bytes < 20_000_000, "\(after.1.bytes - before.1.bytes) bytes after \(count) starts")
  }

  /// The threads and the resident bytes of this process, on Linux.
  static var threadsAndMemory: (threads: Int, bytes: Int) {
    #if os(Linux)
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      func number(_ name: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return Int(line?.filter(\.isNumber) ?? "") ?? 0
      }
      return (number("Threads"), number("VmRSS") * 1_024)
    #else
      return (0, 0)
    #endif
  }
}
