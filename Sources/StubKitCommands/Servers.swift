import Foundation
import StubKitRecorder
import StubKitServer

/// Running servers on one registry, and what is printed about their requests.
struct Servers {
  let servers: [StubServer]

  /// Starts a server for each origin, and prints their addresses.
  ///
  /// - Parameters:
  ///   - origins: The origins.
  ///   - port: The port of the first one. The others have the ports after it. `nil` stands for any free ones.
  init(
    _ registry: StubRegistry, for origins: [String], port: Int?, _ console: Console, hooks: StubServer.Hooks = .init()
  ) throws {
    var hooks = hooks
    hooks.log = console.warn
    servers = try origins.enumerated().map { [hooks] position, origin in
      try StubServer(for: origin, port: port.map { $0 + position } ?? 0, in: registry, hooks: hooks)
    }
    for (origin, server) in zip(origins, servers) {
      try console.print("\(origin) is served at \(server.url)")
    }
  }
}

/// What ends a command with servers: ^C, `SIGTERM`, or the end of the terminal. A second signal ends the process at
/// once.
///
/// Create it before anybody knows a server. A signal that came earlier would end the process as it is, and waiting for
/// one takes descriptors, of which clients can leave none.
struct Interrupt {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let isInterrupted: DispatchSemaphore
  private let sources: [any DispatchSourceSignal]

  init() {
    let isInterrupted = DispatchSemaphore(value: 0)
    sources = Self.numbers.map { number in
      // Otherwise, the signal ends the process at once.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      let isInstalled = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { isInstalled.signal() }
      source.setEventHandler { isInterrupted.signal() }
      source.activate()
      isInstalled.wait()
      return source
    }
    self.isInterrupted = isInterrupted
    // A reader of the output that ends, such as `head`, is no reason to lose a recording.
    signal(SIGPIPE, SIG_IGN)
  }

  func wait() {
    isInterrupted.wait()
    for source in sources { source.cancel() }
    for number in Self.numbers { signal(number, SIG_DFL) }
  }
}
