import Foundation
import StubKit

/// One thread that serves all sockets of a server. It alone reads, writes and closes them.
///
/// It never waits for anything but the sockets, so a closure of a stub or a slow client delays nobody else.
final class EventLoop: DeliveryQueue, @unchecked Sendable {
  // @unchecked holds because `members`, `unsettled` and `now` are touched on the loop's thread only.
  private let state: Protected<State>
  private let wakeReader: Int32
  private(set) var members: [any EventLoopMember] = []
  /// The connections to call before the next wait.
  private var unsettled: [Connection] = []
  /// Runs what comes after the end of the thread, so that nobody waits for it in vain.
  private let afterlife = DispatchQueue(label: "StubKit.server.afterlife", qos: .userInitiated)
  private let end = DispatchGroup()

  private struct State {
    var work: [@Sendable () -> Void] = []
    /// `nil` once the thread is over and the pipe is closed.
    var wakeWriter: Int32?
    /// Whether a byte is in the pipe already.
    var isAwake = false
    var isStopping = false
    var thread: ObjectIdentifier?
  }

  init() throws(Sockets.Failure) {
    let pipe = try Sockets.makePipe()
    wakeReader = pipe.read
    state = Protected(State(wakeWriter: pipe.write))
    end.enter()
  }

  /// Starts the thread, which keeps the loop until `stop()`.
  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "StubKit.server"
    // Conditions can parse deeply nested bodies.
    thread.stackSize = 8 << 20
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard let writer = state.wakeWriter else { return true }
      state.work.append(work)
      guard !state.isAwake else { return false }
      state.isAwake = true
      var byte: UInt8 = 0
      // Under the lock, so that the pipe is not closed meanwhile. It never blocks.
      _ = write(writer, &byte, 1)
      return false
    }
    if isOver { afterlife.async(execute: work) }
  }

  /// Ends all members and the thread. Has no effect after the first call.
  ///
  /// - Parameter willEnd: Runs on the thread before the sockets of the members that are left are closed.
  func stop(_ willEnd: @escaping @Sendable () -> Void) {
    perform { [self] in
      let isFirst = state.withLock { state in
        defer { state.isStopping = true }
        return !state.isStopping
      }
      if isFirst { willEnd() }
    }
  }

  /// Calls a closure on any thread when the thread of the loop is over.
  func whenOver(_ completion: @escaping @Sendable () -> Void) {
    end.notify(queue: .global(qos: .userInitiated), execute: completion)
  }

  /// Blocks until the thread of the loop is over. Has no effect on this thread itself.
  func waitUntilOver() {
    if state.withLock({ $0.thread == ObjectIdentifier(Thread.current) }) { return }
    end.wait()
  }

  // MARK: On the thread

  /// The time that idle clients are measured by: that of the last wait's end.
  private(set) var now = ContinuousClock.now

  func add(_ member: some EventLoopMember) { members.append(member) }

  func remove(_ member: some EventLoopMember) { members.removeAll { $0 === member } }

  /// Calls the connection before the next wait.
  func settle(_ connection: Connection) {
    if !unsettled.contains(where: { $0 === connection }) { unsettled.append(connection) }
  }

  private func run() {
    state.withLock { $0.thread = ObjectIdentifier(Thread.current) }
    var polled: [pollfd] = []
    while true {
      perform()
      if state.withLock({ $0.isStopping }) { break }
      polled.removeAll(keepingCapacity: true)
      polled.append(pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0))
      let waiting = members
      var wait: Duration?
      for member in waiting {
        let interest = member.interest()
        let events = (interest.reads ? Int16(POLLIN) : 0) | (interest.writes ? Int16(POLLOUT) : 0)
        polled.append(pollfd(fd: member.descriptor, events: events, revents: 0))
        if let next = interest.wakesAfter { wait = min(wait ?? next, next) }
      }
      // A signal ends the wait as well.
      _ = poll(&polled, nfds_t(polled.count), wait.map(Self.milliseconds) ?? -1)
      now = .now
      if polled[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakeReader, &bytes, bytes.count)
        // In this order: work that is added in between needs no byte, because it runs before the next wait.
        state.withLock { $0.isAwake = false }
      }
      for (member, result) in zip(waiting, polled.dropFirst()) {
        let events = Int32(result.revents)
        member.proceed(
          canRead: events & (POLLIN | POLLHUP | POLLERR) != 0, canWrite: events & POLLOUT != 0,
          isGone: events & (POLLERR | POLLNVAL) != 0)
      }
    }
    for member in members { Sockets.close(member.descriptor) }
    members = []
    let work = state.withLock { state in
      defer { state.work = [] }
      if let writer = state.wakeWriter.take() { Sockets.close(writer) }
      return state.work
    }
    Sockets.close(wakeReader)
    afterlife.async { for piece in work { piece() } }
    end.leave()
  }

  /// Rounds up, so that a deadline is over after the wait.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = max(duration, .zero).components
    return Int32(clamping: min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Runs the waiting work, and what it leads to.
  private func perform() {
    while true {
      let work = state.withLock { state in
        defer { state.work = [] }
        return state.work
      }
      for piece in work { piece() }
      let connections = unsettled
      unsettled = []
      for connection in connections { connection.settle() }
      if work.isEmpty && connections.isEmpty { return }
    }
  }
}

/// A socket of an event loop. The loop calls it on its thread.
protocol EventLoopMember: AnyObject {
  var descriptor: Int32 { get }
  func interest() -> EventLoopInterest

  /// - Parameters:
  ///   - canRead: Whether there is something to read, or the end.
  ///   - isGone: Whether the other end is gone.
  func proceed(canRead: Bool, canWrite: Bool, isGone: Bool)
}

/// What a member waits for.
struct EventLoopInterest {
  var reads = false
  var writes = false
  /// The time after which it wants to be called anyway, or `nil` for never.
  var wakesAfter: Duration?
}
