import Dispatch
import Foundation
import StubKitCommandLine
import StubKitRecorder
import StubKitServer

/// Running servers on one registry, and what is printed about their requests.
struct Servers {
  let servers: [StubServer]
  private let kept: (any DispatchSourceTimer)?

  /// Starts a server for each origin, and prints their addresses.
  ///
  /// - Parameters:
  ///   - origins: The origins. `nil` stands for the server's own address.
  ///   - port: The port of the first one. The others have the ports after it. `nil` stands for any free ones.
  ///   - kept: Lives as long as the servers.
  init(
    _ registry: StubRegistry, for origins: [String?], port: Int?, _ console: Console, hooks: StubServer.Hooks = .init(),
    keeping kept: (any DispatchSourceTimer)? = nil
  ) throws {
    var hooks = hooks
    hooks.log = console.warn
    servers = try origins.enumerated().map { [hooks] position, origin in
      try StubServer(registry: registry, for: origin, port: port.map { $0 + position } ?? 0, hooks: hooks)
    }
    self.kept = kept
    for (origin, server) in zip(origins, servers) {
      try console.print("\(origin ?? "What is stubbed") is served at \(server.url)")
    }
  }

  /// Waits for ^C, for `SIGTERM`, or until the terminal is closed. A second signal ends the process at once.
  func waitForInterrupt() {
    let isInterrupted = DispatchSemaphore(value: 0)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      // Otherwise, the signal ends the process at once.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { isInterrupted.signal() }
      source.activate()
      return source
    }
    // A reader of the output that ends, such as `head`, is no reason to lose a recording.
    signal(SIGPIPE, SIG_IGN)
    isInterrupted.wait()
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// Returns the number after `--port`.
  static func port(_ arguments: inout Arguments) throws(Mistake) -> Int? {
    guard let text = try arguments.takeValue("--port", what: "a number") else { return nil }
    guard let port = Int(text), (1...65_535).contains(port) else {
      throw Mistake("--port \(text) is not a port, which is a number from 1 to 65535.")
    }
    return port
  }
}

extension URLRequest {
  /// The method and the URL, for a line.
  var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }
}
