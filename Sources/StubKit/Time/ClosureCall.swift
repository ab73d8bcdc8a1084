/// A call of a stub's closure. Its timeline doesn't move until the closure returns, except while the closure waits for
/// the timeline.
struct ClosureCall: Sendable {
  /// The call that the code of the caller is part of, or `nil`.
  @TaskLocal static var current: ClosureCall?

  let timeline: VirtualTimeline
  fileprivate let number: UInt64
}

/// A wait of a closure for its own timeline: a sleep, a request, or the end of a move.
final class ClosureWait: Sendable {
  private let call: ClosureCall
  private let isOver = Protected(false)

  fileprivate init(of call: ClosureCall) { self.call = call }

  deinit { end() }

  func end() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if !wasOver { call.timeline.update { $0.endWait(of: call.number) } }
  }
}

extension VirtualTimeline {
  func answer<Response>(
    by stub: some CustomStringConvertible & Sendable, _ closure: () async throws -> Response
  ) async rethrows -> Response {
    let call = ClosureCall(timeline: self, number: update { $0.beginCall(of: stub) })
    defer { update { $0.endCall(call.number) } }
    return try await ClosureCall.$current.withValue(call) { try await closure() }
  }

  func beginWait() -> ClosureWait? {
    guard let call = ClosureCall.current, call.timeline === self else { return nil }
    update { $0.beginWait(of: call.number) }
    return ClosureWait(of: call)
  }
}

extension VirtualTimeline.State {
  /// The calls of closures that have not returned.
  struct Calls {
    fileprivate var last: UInt64 = 0
    fileprivate var open: [UInt64: (stub: any CustomStringConvertible & Sendable, waitCount: Int)] = [:]

    /// The stubs whose closures are at work, in the order of their calls.
    var working: [String] {
      open.filter { $1.waitCount == 0 }.sorted { $0.key < $1.key }.map { "\($1.stub)" }
    }
  }

  fileprivate mutating func beginCall(of stub: any CustomStringConvertible & Sendable) -> UInt64 {
    calls.last += 1
    calls.open[calls.last] = (stub, 0)
    begin()
    return calls.last
  }

  fileprivate mutating func endCall(_ number: UInt64) {
    if calls.open.removeValue(forKey: number)?.waitCount == 0 { end() }
  }

  fileprivate mutating func beginWait(of number: UInt64) {
    guard let call = calls.open[number] else { return }
    calls.open[number]?.waitCount += 1
    if call.waitCount == 0 { end() }
  }

  fileprivate mutating func endWait(of number: UInt64) {
    guard let call = calls.open[number] else { return }
    calls.open[number]?.waitCount -= 1
    if call.waitCount == 1 { begin() }
  }
}
