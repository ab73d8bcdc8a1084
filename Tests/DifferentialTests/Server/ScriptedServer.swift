import Foundation

@testable import StubKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP/1.1 server on 127.0.0.1 that answers as an exchange's routes say, and keeps what it received.
///
/// Each connection has a thread of its own, so that an answer may wait.
final class ScriptedServer: Sendable {
  let port: UInt16
  /// Opens when the first request has been read whole.
  let arrival = Latch()
  /// What answers that are held wait for.
  let release: Latch
  private let routes: [Route]
  private let listener: Int32
  private let state = Protected(State())
  private let stopping = Latch()

  private struct State {
    var received: [ReceivedRequest] = []
    var uses: [Int: Int] = [:]
    var connections: Set<Int32> = []
    var isStopped = false
  }

  var received: [ReceivedRequest] { state.withLock { $0.received } }

  /// - Parameter isRefusing: Whether it takes no connection at all.
  init(_ routes: [Route], release: Latch = Latch(), isRefusing: Bool = false) throws {
    self.routes = routes
    self.release = release
    let socket = try LoopbackListener(isListening: !isRefusing)
    (listener, port) = (socket.descriptor, socket.port)
    // A socket that does not listen fails to accept once it is shut down, and is held until then.
    Thread.detachNewThread { [self] in
      if isRefusing { stopping.blockUntilOpened() }
      acceptConnections()
    }
  }

  /// Ends the server and every connection it has.
  func stop() {
    stopping.open()
    state.withLock {
      // Once only: the thread that accepts closes the listener, whose number may then be another one's.
      guard !$0.isStopped else { return }
      $0.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in $0.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func acceptConnections() {
    while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
      let isWelcome = state.withLock {
        if !$0.isStopped { $0.connections.insert(descriptor) }
        return !$0.isStopped
      }
      guard isWelcome else {
        close(descriptor)
        break
      }
      var yes: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      Thread.detachNewThread { [self] in serve(descriptor) }
    }
    close(listener)
  }

  private func serve(_ descriptor: Int32) {
    var connection = Connection(descriptor)
    while let request = connection.nextRequest() {
      let answer = note(request)
      arrival.open()
      guard send(answer, to: request, over: &connection) else { break }
    }
    // Before the descriptor is closed, and may become another connection's.
    _ = state.withLock { $0.connections.remove(descriptor) }
  }

  /// Keeps the request, and finds the first route that takes it.
  private func note(_ request: ReceivedRequest) -> Answer {
    state.withLock { state in
      state.received.append(request)
      let route = routes.indices.first { index in
        routes[index].takes(request, after: state.uses[index, default: 0])
      }
      guard let route else { return Answer(status: 599, body: ["no route"]) }
      state.uses[route, default: 0] += 1
      return routes[route].answer
    }
  }

  /// False when the connection is to be closed.
  private func send(_ answer: Answer, to request: ReceivedRequest, over connection: inout Connection) -> Bool {
    if answer.isHeld {
      // A client that gives up meanwhile must not be answered once it has come back on another connection.
      release.blockUntilOpened()
    }
    if answer.pause > 0, stopping.blockUntilOpened(within: answer.pause) { return false }
    switch answer.ending {
    case .silentFromStart:
      connection.waitForEnd()
      return false
    case .droppedBeforeHead:
      return false
    default: break
    }
    guard connection.write(answer.head(for: request.method)) else { return false }
    guard answer.hasBody(for: request.method) else { return answer.keepsConnection }
    for (number, piece) in answer.pieces.enumerated() {
      if number > 0, answer.interval > 0, stopping.blockUntilOpened(within: answer.interval) { return false }
      guard connection.write(piece) else { return false }
    }
    switch answer.ending {
    case .complete: return answer.keepsConnection
    case .silentAfter:
      connection.waitForEnd()
      return false
    case .resetAfter:
      // The client is to have read what was sent before the reset throws it away.
      _ = stopping.blockUntilOpened(within: 0.1)
      connection.resetAtEnd()
      return false
    case .droppedAfter, .droppedBeforeHead, .silentFromStart: return false
    }
  }
}
