import Dispatch

/// Many timers that are nearly always called off, kept by one of the system's: to set one up and to cancel it again costs
/// next to nothing. They are never early, and a little late.
final class TimerTable: @unchecked Sendable {
  // @unchecked holds because the source is set once, and may be called from any thread; the rest is behind a lock.
  static let shared = TimerTable()

  private let queue = DispatchQueue(label: "StubKit.timers")
  private let source: any DispatchSourceTimer
  private let state = Protected(State())

  private struct State {
    var waiting: [UInt64: Entry] = [:]
    var next: UInt64 = 0
    /// When the system's timer fires: not later than the first of those that wait is due.
    var armed: DispatchTime?
  }

  private struct Entry {
    let deadline: DispatchTime
    let work: @Sendable () -> Void
  }

  private struct Timer: DeliveryTimer {
    let number: UInt64
    let table: TimerTable

    func cancel() {
      let entry = table.state.withLock { $0.waiting.removeValue(forKey: number) }
      _ = consume entry
    }
  }

  init() {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { [weak self] in self?.runWhatIsDue() }
    source.activate()
  }

  deinit { source.cancel() }

  var count: Int { state.withLock { $0.waiting.count } }

  /// - Parameter work: Runs on a queue of the table's, and should be short.
  func schedule(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    let number = state.withLock { state in
      state.next += 1
      state.waiting[state.next] = Entry(deadline: deadline, work: work)
      arm(&state, for: deadline)
      return state.next
    }
    return Timer(number: number, table: self)
  }

  private func runWhatIsDue() {
    let now = DispatchTime.now()
    let due = state.withLock { state in
      let due = state.waiting.filter { $0.value.deadline <= now }
      for number in due.keys { state.waiting[number] = nil }
      state.armed = nil
      if let first = state.waiting.values.map(\.deadline).min() { arm(&state, for: first) }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, entry) in due { entry.work() }
  }

  private func arm(_ state: inout State, for deadline: DispatchTime) {
    if let armed = state.armed, armed <= deadline { return }
    state.armed = deadline
    source.schedule(deadline: deadline, leeway: .milliseconds(1))
  }
}
