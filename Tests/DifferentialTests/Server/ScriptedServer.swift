import Foundation
import TestSupport

/// A server that answers as an exchange's routes say, and keeps what it received. It stops when the test lets go of it,
/// and no answer is held any longer.
final class ScriptedServer: Sendable {
  /// Opens when the first request has been read whole.
  let arrival = Latch()
  /// What answers that are held wait for.
  let release = Latch()
  private let server: LoopbackServer

  var port: UInt16 { server.port }
  var received: [ReceivedRequest] { server.arrivals.map(ReceivedRequest.init) }

  /// - Parameter isRefusing: Whether it takes no connection at all.
  init(_ routes: [Route], isRefusing: Bool = false) throws {
    let script = Script(routes)
    let stopping = Latch()
    server = try LoopbackServer(isRefusing: isRefusing, stopping: stopping) { [arrival, release] request, connection in
      removeNativeDownloads()
      let answer = script.answer(to: request)
      arrival.open()
      // A client that gives up meanwhile must not be answered once it has come back on another connection.
      if answer.isHeld { release.blockUntilOpened() }
      return answer.send(to: request, over: &connection, stopping: stopping)
    }
  }

  deinit { release.open() }
}

/// The routes, and how often each was used.
private final class Script: Sendable {
  private let routes: [Route]
  private let uses = Locked<[Int: Int]>([:])

  init(_ routes: [Route]) { self.routes = routes }

  /// The answer of the first route that takes the request.
  func answer(to request: LoopbackRequest) -> Answer {
    uses.withLock { uses in
      let received = ReceivedRequest(request)
      let route = routes.indices.first { routes[$0].takes(received, after: uses[$0, default: 0]) }
      guard let route else { return Answer(status: 599, body: ["no route"]) }
      uses[route, default: 0] += 1
      return routes[route].answer
    }
  }
}

extension Answer {
  /// Returns `false` if the connection is to be closed.
  fileprivate func send(
    to request: LoopbackRequest, over connection: inout LoopbackConnection, stopping: Latch
  ) -> Bool {
    if pause > 0, stopping.blockUntilOpened(within: pause) { return false }
    switch ending {
    case .silentFromStart:
      connection.waitForEnd()
      return false
    case .droppedBeforeHead:
      return false
    default: break
    }
    guard connection.write(head(for: request.method)) else { return false }
    guard hasBody(for: request.method) else { return keepsConnection }
    for (number, piece) in pieces.enumerated() {
      if number > 0, interval > 0, stopping.blockUntilOpened(within: interval) { return false }
      guard connection.write(piece) else { return false }
    }
    switch ending {
    case .complete: return keepsConnection
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
