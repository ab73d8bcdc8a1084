@testable import StubKit

/// A queue whose time passes when the test says so. Used from one thread.
final class VirtualQueue: DeliveryQueue, @unchecked Sendable {
  // @unchecked holds because a test uses it from its own thread only.
  var timesOutWaits = true
  private(set) var now = Time.zero
  private var scheduled: [(deadline: Time, work: @Sendable () -> Void, isOn: Flag)] = []
  private var works: [@Sendable () -> Void] = []

  private final class Flag { var value = true }
  private struct Timer: DeliveryTimer {
    let flag: Flag
    func cancel() { flag.value = false }
  }

  var pendingCount: Int { scheduled.filter(\.isOn.value).count }

  func perform(_ work: @escaping @Sendable () -> Void) { works.append(work) }

  func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    let flag = Flag()
    scheduled.append((deadline, work, flag))
    return Timer(flag: flag)
  }

  func runWorks() {
    while !works.isEmpty { works.removeFirst()() }
  }

  /// Runs what falls due, in the order of the deadlines.
  func advance(by duration: Time) {
    let end = now + duration
    while let index = scheduled.indices.filter({ scheduled[$0].isOn.value && scheduled[$0].deadline <= end })
      .min(by: { scheduled[$0].deadline < scheduled[$1].deadline })
    {
      let (deadline, work, _) = scheduled.remove(at: index)
      now = max(now, deadline)
      work()
    }
    now = end
  }
}
