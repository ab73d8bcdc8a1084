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
      switch Sockets.accept(descriptor) {
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

  func settle() {}

  private var hasRoom: Bool { core.loop.members.count - core.listeners.count < core.limits.connections }

  /// The idle connection that ends first in favour of another client.
  private var longestIdle: Connection? {
    core.loop.members.compactMap { $0 as? Connection }.filter { $0.endsForOthers != nil }
      .min { $0.idleSince < $1.idleSince }
  }

  func stop() { Sockets.close(descriptor) }
}
