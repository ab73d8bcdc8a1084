import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on 127.0.0.1, or another address of this machine, at a port of the system's choice. It answers each request
/// with `real METHOD /path`, to tell what reached the network, or as a closure says.
///
/// Each connection has a thread of its own, so that an answer may wait. The server stops when the test lets go of it.
package final class LoopbackServer: Sendable {
  /// Answers a request on its connection. Returns whether the connection stays open for another one.
  package typealias Answerer = @Sendable (_ request: LoopbackRequest, _ connection: inout LoopbackConnection) -> Bool
  /// Sends what is to be answered, head and all, to a request with this line and these headers.
  package typealias Reply = @Sendable (_ line: String, _ headers: [String: String], _ send: (Data) -> Void) -> Void

  package let port: UInt16
  private let host: UInt8
  private let stopping: Latch
  private let state: Locked<State>

  private struct State {
    /// `nil` once it is closed. Its number may then be another socket's.
    var listener: Int32?
    var connections: Set<Int32> = []
    var connectionCount = 0
    var isStopped = false
    var lines: [String] = []
    var arrivals: [LoopbackRequest] = []

    mutating func closeListener() { if let descriptor = listener.take() { _ = close(descriptor) } }
  }

  /// The method and target of each request whose head has arrived.
  package var requests: [String] { state.withLock { $0.lines } }
  /// The requests that arrived whole.
  package var arrivals: [LoopbackRequest] { state.withLock { $0.arrivals } }

  /// The number of connections so far.
  package var connectionCount: Int { state.withLock(\.connectionCount) }

  /// - Parameters:
  ///   - host: The last byte of its address, 127.0.0.x. Other systems than Linux have only the first.
  ///   - isRefusing: Whether the server takes no connection at all, at a port that nobody else gets meanwhile.
  ///   - greeting: What each connection is sent in place of an answer, whatever it asks.
  ///   - stopping: Opens when the server is stopped, for answers that wait.
  package init(
    host: UInt8 = 1, isRefusing: Bool = false, greeting: Data? = nil, stopping: Latch = Latch(),
    answer: @escaping Answerer
  ) throws {
    self.host = host
    self.stopping = stopping
    let socket = try LoopbackListener(host: host, isListening: !isRefusing)
    port = socket.port
    state = Locked(State(listener: socket.descriptor))
    guard !isRefusing else { return }
    // The threads keep the state, and not the server.
    Thread.detachNewThread { [state] in Self.acceptConnections(socket.descriptor, state, greeting, answer) }
  }

  deinit { stop() }

  /// - Parameter realm: What the server asks for a credential for, with a 401; `nil` for a server that asks for none.
  package convenience init(realm: String? = nil) throws {
    try self.init { request, connection in
      let demand = request["Authorization"] == nil ? realm : nil
      let body = demand == nil ? "real \(request.line)" : "who?"
      let head = demand.map { "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"\($0)\"" } ?? "200 OK"
      _ = connection.write(
        Data("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8))
      return false
    }
  }

  package convenience init(reply: @escaping Reply) throws {
    try self.init { request, connection in
      reply(request.line, request.headers) { _ = connection.write($0) }
      return false
    }
  }

  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.\(host):\(port)\(path)")! }

  /// Ends the server and every connection that it has.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      guard let listener = state.listener else { return }
      // Ends `accept`, whose thread then closes the listener. It fails if nobody listens.
      if shutdown(listener, Int32(SHUT_RDWR)) != 0 { state.closeListener() }
    }
    stopping.open()
  }

  private static func acceptConnections(
    _ listener: Int32, _ state: Locked<State>, _ greeting: Data?, _ answer: @escaping Answerer
  ) {
    while case let descriptor = LoopbackListener.accept(on: listener), descriptor >= 0 {
      let isWelcome = state.withLock {
        $0.connectionCount += 1
        if !$0.isStopped { $0.connections.insert(descriptor) }
        return !$0.isStopped
      }
      guard isWelcome else {
        _ = close(descriptor)
        break
      }
      Thread.detachNewThread { serve(descriptor, state, greeting, answer) }
    }
    state.withLock { $0.closeListener() }
  }

  private static func serve(_ descriptor: Int32, _ state: Locked<State>, _ greeting: Data?, _ answer: Answerer) {
    var connection = LoopbackConnection(descriptor)
    if let greeting, connection.write(greeting) { connection.waitForEnd() }
    while var request = connection.nextHead() {
      state.withLock { $0.lines.append(request.line) }
      guard connection.readBody(of: &request) else { break }
      state.withLock { $0.arrivals.append(request) }
      guard answer(request, &connection) else { break }
    }
    // Before the descriptor is closed, and may become another connection's.
    _ = state.withLock { $0.connections.remove(descriptor) }
  }
}
