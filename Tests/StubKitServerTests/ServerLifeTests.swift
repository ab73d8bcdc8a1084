import Foundation
import TestSupport
import Testing

@testable import StubKitServer

@Suite("The life of a server", .inTurn)
struct ServerLifeTests {
  private static func isFree(_ port: Int) -> Bool {
    guard let socket = try? Sockets.listener(port: UInt16(port), isIPv6: false) else { return false }
    Sockets.close(socket.descriptor)
    return true
  }

  /// A process that another test has just started holds the port until it runs its own program.
  private static func waitUntilFree(_ port: Int) async throws {
    try await until("port \(port) is free") { isFree(port) }
  }

  @Test("ends with stop(), which can be called twice, and frees the port")
  func stops() async throws {
    try await withStubs {
      let server = try await StubServer()
      #expect(!Self.isFree(server.port))
      for _ in 1...2 { await server.stop() }
      try await Self.waitUntilFree(server.port)
    }
  }

  @Test("ends when only a weak reference in one of its stubs is left")
  func heldWeakly() async throws {
    weak var left: StubServer?
    func serve() async throws -> Int {
      let registry = StubRegistry()
      let server = try await StubServer(for: "https://api.example.com", in: registry)
      stub(condition: isPath("/feed"), in: registry) { [weak server] request in
        .text(server?.url(for: request.url!).absoluteString ?? "no server")
      }
      left = server
      #expect(try await server.get("/feed")?.text == "\(server.url)/feed")
      return server.port
    }
    try await Self.waitUntilFree(serve())
    try await until("the server is gone") { left == nil }
  }

  @Test("leaves nothing of its scope behind, even if one of its stubs captures it")
  func released() async throws {
    struct Held { weak var object: AnyObject? }
    var held: [Held] = []
    func serve() async throws -> [Held] {
      try await withStubs {
        let (registry, server) = (StubRegistry.current, try await StubServer(for: "https://api.example.com"))
        let session = registry.makeSession()
        let answering = stub(condition: isPath("/port")) { _ in .text("\(server.port)") }
        #expect(try await server.get("/port")?.text == "\(server.port)")
        #expect(try await session.fetch("https://api.example.com/port").text == "\(server.port)")
        session.finishTasksAndInvalidate()
        return ([registry, registry.journal, answering, session, server] as [AnyObject]).map { Held(object: $0) }
      }
    }
    held = try await serve()
    try await until("registry, journal, stub, session and server are gone") { held.allSatisfy { $0.object == nil } }
  }

  @Test("ends with the outermost scope of its registry, and cuts off what waits, what is sent, and what passes through")
  func scope() async throws {
    let (mayAnswer, hasArrived) = (Latch(), Latch())
    let real = try LoopbackServer(stopping: mayAnswer) { _, _ in
      hasArrived.open()
      mayAnswer.blockUntilOpened()
      return false
    }
    defer { real.stop() }
    // Somebody keeps the servers, so that it is the scope that ends them.
    let (kept, journal) = (Locked<[StubServer]>([]), Locked<RequestJournal?>(nil))
    let clients = try await withStubs {
      let servers = [try await StubServer(for: "http://127.0.0.1:\(real.port)"), try await StubServer()]
      journal.withLock { $0 = StubRegistry.current.journal }
      kept.withLock { $0 = servers }
      // The end of a scope of the same registry within this one ends nothing.
      withStubs(in: .current) {}
      stub(condition: isPath("/large"), response: .data(Data(count: 40_000_000)).chunked(by: 100_000))
      let waiting = stub(condition: isPath("/held"), response: .text("x").held(by: ResponseGate()))
      stub(condition: isPath("/real"), response: .passThrough)
      var clients: [LoopbackClient] = []
      for path in ["/large", "/held", "/real"] {
        clients.append(try await servers[0].connected(servers[0].request(line: "GET \(path)")) { $0 })
      }
      let large = clients[0]
      #expect(try await onOwnThread { large.readHead()?.status } == 200)
      try await until("the others have arrived") { waiting.callCount == 1 && hasArrived.isOpen }
      return clients
    }
    #expect(try await onOwnThread { clients.map { $0.readToEnd().end } } == [.reset, .reset, .reset])
    let outcomes = try #require(journal.withLock { $0 }).entries.map(\.outcome)
    #expect(outcomes.count { "\($0)".contains("scope") } == 2 && outcomes.contains(.passedThrough), "\(outcomes)")
    for server in kept.withLock({ $0 }) { try await Self.waitUntilFree(server.port) }
  }

  @Test("can't begin at a port that is taken, and the error says so")
  func takenPorts() async throws {
    try await withStubs {
      let server = try await StubServer()
      // Taken at both addresses of this machine, at one, or at all of either family.
      var listeners = [AF_INET, AF_INET6].compactMap(Self.listenEverywhere)
      if let one = try? Sockets.listener(port: 0, isIPv6: true) { listeners.append((one.descriptor, Int(one.port))) }
      for port in [server.port] + listeners.map(\.port) {
        let taken = await #expect(throws: StubServerError.self) { try await StubServer(port: port) }
        #expect(taken?.reason == .portTaken, "\(port), \(listeners)")
        #expect(taken?.description.hasPrefix("Port \(port) is taken by") == true, "\(taken as Any), \(listeners)")
      }
      for listener in listeners { close(listener.descriptor) }
    }
  }

  @Test("can't begin at a port below 0 or above 65535", arguments: [-1, 65_536])
  func invalidPorts(port: Int) async {
    await withStubs {
      let invalid = await #expect(throws: StubServerError.self) { try await StubServer(port: port) }
      #expect(invalid?.reason == .invalidPort)
    }
  }

  @Test(
    "can't begin for what is no origin, and the error says what to write",
    arguments: [
      "api.example.com", "https://", "ftp://a.example", "https://a.example/v1", "https://a.example?x", "",
      "https://u@a.example", "https://a.example:0", "https://a.example:99999", "//a.example",
    ])
  func invalidOrigins(origin: String) async {
    await withStubs {
      let invalid = await #expect(throws: StubServerError.self) { try await StubServer(for: origin) }
      #expect(invalid?.reason == .invalidOrigin)
      #expect(invalid?.localizedDescription.contains("is not an origin. Write a scheme, a host") == true)
    }
  }

  @Test("can begin for an origin in any spelling")
  func validOrigins() async throws {
    try await withStubs {
      for origin in ["https://a.example", "HTTP://A.example:8080/", "http://[::1]:1"] {
        _ = try await StubServer(for: origin)
      }
    }
  }

  /// Returns a listener of all addresses of a family, and its port, or `nil` if the machine lacks the family.
  private static func listenEverywhere(_ family: Int32) -> (descriptor: Int32, port: Int)? {
    let listener = socket(family, Sockets.stream, 0)
    // Without a call of bind, a listener gets all addresses and a free port.
    guard listener >= 0, listen(listener, 1) == 0 else { return nil }
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    // The port is at the same place in both families.
    return (listener, Int(UInt16(bigEndian: address.sin6_port)))
  }

  @Test("goes on however clients drop their connections")
  func dropped() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .text(String(repeating: "x", count: 100_000)).delay(.milliseconds(1)))
      let (port, request) = (server.port, server.request(line: "GET /") + server.request(line: "GET /"))
      try await onOwnThread {
        var random = SplitMix64(seed: 1)
        for _ in 0..<TestSize.of(1_000, inPart: 200) {
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
      #expect(try await server.get("/")?.status == 200)
      try await until("every request is over") {
        !outcomes.contains(.inProgress)
      }
    }
  }

  // In a process of its own, where nothing else grows.
  @Test("leaves no descriptor and no thread behind, however often it starts", .inOwnProcess)
  func startsOften() async throws {
    func startAndStop(_ count: Int) async throws {
      for _ in 0..<count {
        try await withStubServer { server in
          let status = try await server.get("/")?.status
          // There is no stub.
          #expect(status == 501)
        }
      }
    }
    func openDescriptors() -> Int { (0..<Int32(1_024)).count { fcntl($0, F_GETFD) != -1 } }
    func threads() -> Int {
      #if os(Linux)
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
      #else
        0
      #endif
    }
    try await startAndStop(100)
    let before = (descriptors: openDescriptors(), threads: threads())
    try await startAndStop(TestSize.of(10_000, inPart: 300))
    // Dispatch keeps threads for the next work for some seconds, dozens on a busy machine. A server that stayed would
    // cost one for each start.
    try await until("the threads are those of before, but for 20") { threads() <= before.threads + 20 }
    #expect(openDescriptors() <= before.descriptors + 4)
  }
}
