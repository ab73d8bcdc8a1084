import Foundation
import StubKit

/// What a server and its connections share.
final class ServerCore: Sendable {
  /// Why a server stops.
  enum End { case stopped, scopeEnded }

  let loop: EventLoop
  let scope: ServingScope
  let limits: StubServer.Limits
  /// The origin that the clients believe they talk to, or `nil` for the server's own.
  let origin: Origin?
  /// The server's own address.
  let own: Origin
  var port: Int { own.port }
  let neighbours: Neighbours
  let proxy = ReverseProxy()
  let hooks: StubServer.Hooks
  let listeners: [Int32]

  init(
    _ registry: StubRegistry, for origin: String?, port: Int, _ limits: StubServer.Limits, _ hooks: StubServer.Hooks
  ) throws(StubServerError) {
    self.origin = try origin.map { text throws(StubServerError) in
      guard let origin = Origin(text) else {
        throw StubServerError(
          .invalidOrigin,
          "\(text.debugDescription) is not an origin. Write a scheme, a host and perhaps a port, without a path: "
            + "\"https://api.example.com\" or \"http://localhost:8080\".")
      }
      return origin
    }
    guard let wanted = UInt16(exactly: port) else {
      let problem = "\(port) is not a port. Write a number up to 65535, or 0 for any free port."
      throw StubServerError(.invalidPort, problem)
    }
    let (bound, listeners): (UInt16, [Int32])
    do throws(Sockets.Failure) {
      (bound, listeners) = try Self.listen(wanted)
      do throws(Sockets.Failure) { loop = try EventLoop() } catch {
        for listener in listeners { Sockets.close(listener) }
        throw error
      }
    } catch { throw StubServerError(error, port: port) }
    self.listeners = listeners
    own = Origin(scheme: "http", host: "127.0.0.1", port: Int(bound))
    self.limits = limits.bounded
    self.hooks = hooks
    neighbours = Neighbours(of: registry, self.origin, at: own)
    scope = ServingScope(registry)
  }

  /// Binds 127.0.0.1, and ::1 at the same port where the machine has it.
  private static func listen(_ port: UInt16) throws(Sockets.Failure) -> (UInt16, [Int32]) {
    var attempts = 16
    while true {
      let (first, bound) = try Sockets.listener(port: port, isIPv6: false)
      do throws(Sockets.Failure) {
        return (bound, [first, try Sockets.listener(port: bound, isIPv6: true).descriptor])
      } catch {
        attempts -= 1
        guard error.isAddressInUse, attempts > 0 else { return (bound, [first]) }
        Sockets.close(first)
        // Somebody else has the free port of the one address at the other one.
        if port != 0 { throw error }
      }
    }
  }

  func start() {
    neighbours.add()
    loop.perform { [self] in for listener in listeners { loop.add(Listener(listener, of: self)) } }
    loop.start()
    scope.whenScopeEnds { [weak self] in
      guard let self else { return }
      stop(.scopeEnded)
      // The port is free when the scope is over.
      loop.waitUntilOver()
    }
  }

  /// Ends the server. Has no effect after the first call.
  func stop(_ end: End) {
    loop.stop { [self] in
      scope.close()
      neighbours.remove()
      proxy.close()
      for case let connection as Connection in loop.members { connection.cut(end) }
    }
  }
}

extension StubServer.Limits {
  /// The limits, with a usable number in place of each that makes no sense.
  fileprivate var bounded: StubServer.Limits {
    var limits = self
    limits.connections = max(1, connections)
    limits.idle = min(max(.milliseconds(1), idle), .seconds(1_000_000))
    limits.body = max(0, body)
    return limits
  }
}

/// A listening socket of a server. It accepts connections up to the server's limit.
final class Listener: EventLoopMember {
  /// The time without accepting after the process has run out of descriptors.
  private static let pause = Duration.milliseconds(100)

  let descriptor: Int32
  private let core: ServerCore
  private var resumes: ContinuousClock.Instant?

  init(_ descriptor: Int32, of core: ServerCore) {
    self.descriptor = descriptor
    self.core = core
  }

  func interest() -> EventLoopInterest {
    // Further clients wait in the system's queue.
    let now = core.loop.now
    guard let room = hasRoom ? now : longestIdle?.endsForOthers else { return EventLoopInterest() }
    let next = max(room, resumes ?? now)
    return next > now ? EventLoopInterest(wakesAfter: next - now) : EventLoopInterest(reads: true)
  }

  func proceed(canRead: Bool, canWrite: Bool, isGone: Bool) {
    guard canRead else { return }
    resumes = nil
    while true {
      let idle = hasRoom ? nil : longestIdle
      guard hasRoom || idle?.endsForOthers.map({ $0 <= core.loop.now }) == true else { return }
      switch Sockets.nextConnection(of: descriptor) {
      case .socket(let accepted):
        idle?.close()
        core.loop.add(Connection(accepted, of: core))
      case .none: return
      case .exhausted:
        resumes = core.loop.now + Self.pause
        return
      }
    }
  }

  private var hasRoom: Bool { core.loop.members.count - core.listeners.count < core.limits.connections }

  /// The idle connection that ends first in favour of another client.
  private var longestIdle: Connection? {
    core.loop.members.compactMap { $0 as? Connection }.filter { $0.endsForOthers != nil }
      .min { $0.idleSince < $1.idleSince }
  }
}
