#if os(Linux)
  /// Tasks that belong together: one that uses a timeline, and those that it has started.
  final class JobFamily: @unchecked Sendable {
    // @unchecked holds because everything that changes is touched under the lock of the watch only.
    enum Kind: Sendable {
      case users
      /// Tasks of the clocks themselves.
      case aside
      /// Tasks that concern no timeline.
      case others
      /// The tasks with which the watch is tried.
      case trial(JobTrial)
    }

    /// The number of times that a task can yield before nobody waits for it. One that yields more often only looks
    /// whether time has moved.
    private static let mostYields = 128

    let kind: Kind
    private var timelines: [WatchedTimeline] = []
    /// How often each task has yielded since time moved.
    private var yields: [UInt64: Int] = [:]
    private var moveCount: UInt64 = 0

    var isUsers: Bool { if case .users = kind { true } else { false } }
    /// A Boolean value that indicates whether a timeline of the family still exists.
    var isNeeded: Bool { timelines.contains { !$0.isOver } }

    init(_ kind: Kind) { self.kind = kind }

    func add(_ timeline: WatchedTimeline) {
      timelines.removeAll(where: \.isOver)
      if !timelines.contains(where: { $0 === timeline }) { timelines.append(timeline) }
    }

    /// A task goes on, or an actor for a `nil` number. Returns the timelines that wait for it.
    ///
    /// - Parameter isFromPlainThread: Whether no task resumes it. A task that yields is resumed so.
    func resumed(_ number: UInt64?, isFromPlainThread: Bool) -> [VirtualTimeline] {
      if isFromPlainThread, let number {
        let moves = timelines.reduce(0) { $0 &+ $1.moveCount }
        if moves != moveCount { (yields, moveCount) = ([:], moves) }
        yields[number, default: 0] += 1
        if yields[number, default: 0] > Self.mostYields { return [] }
      }
      return timelines.compactMap(\.timeline)
    }
  }

  /// A timeline, as the watch knows it.
  final class WatchedTimeline: @unchecked Sendable {
    // @unchecked holds because everything that changes is touched under the lock of the watch only.
    private(set) weak var timeline: VirtualTimeline?
    /// Whether the timeline is gone. To look at the reference would retain the timeline, which must not end under the lock.
    var isOver = false
    /// How often its time has moved.
    var moveCount: UInt64 = 0
    /// The family of code that runs on the timeline's own executor.
    private(set) lazy var ownFamily: JobFamily = {
      let family = JobFamily(.users)
      family.add(self)
      return family
    }()

    init(_ timeline: VirtualTimeline) { self.timeline = timeline }
  }
#endif
