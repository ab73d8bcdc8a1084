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
    guard core.loop.memberCount - core.listenerCount < core.limits.connections else { return EventLoopInterest() }
    if let resumes, resumes > core.loop.now { return EventLoopInterest(wakesAfter: resumes - core.loop.now) }
    return EventLoopInterest(reads: true)
  }

  func proceed(canRead: Bool, canWrite: Bool, isGone: Bool) {
    guard canRead else { return }
    resumes = nil
    while core.loop.memberCount - core.listenerCount < core.limits.connections {
      switch Sockets.accept(descriptor) {
      case .socket(let accepted): core.loop.add(Connection(accepted, of: core))
      case .none: return
      case .exhausted:
        resumes = core.loop.now + Self.pause
        return
      }
    }
  }

  func settle() {}

  func stop() { Sockets.close(descriptor) }
}
