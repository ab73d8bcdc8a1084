#if os(Linux)
  import Synchronization

  /// Sees each job on its way to the global executor, and runs those itself that concern a timeline, so that it is
  /// known when they end.
  ///
  /// A job concerns the timelines of its task, or else of the code that enqueues it. All other jobs concern none, such
  /// as those of other tests, and the runtime runs them as ever.
  final class JobWatch: CodeWatch, PlatformMechanism {
    /// The watch of the process, or `nil` if it was refused.
    static let shared = JobWatch()

    // Holds: the watch in it is retained and lives as long as the process.
    private static let receiver = Atomic<Unmanaged<JobWatch>?>(nil)
    private static let receive: JobHook.Receiver = { job, original in
      let watch = JobWatch.receiver.load(ordering: .acquiring)?.takeUnretainedValue()
      if watch?.take(job) != true { original(job) }
    }

    private let hook: JobHook
    /// The family of the code that runs on a thread, where that is known.
    private let marks: ThreadSlot
    private let (aside, others) = (JobFamily(.aside), JobFamily(.others))
    /// A Boolean value that indicates whether there is a timeline, or the watch is being tried.
    private let isNeeded = Atomic(false)
    private let state = Protected(State())

    private struct State {
      /// The families of tasks since there was no timeline.
      var families: [UInt64: JobFamily] = [:]
      /// The first number of a task that was started then. Earlier tasks that aren't known are others.
      var firstNumber = UInt64.max
      /// The number of the last task that was set aside.
      var lastAside: UInt64 = 0
      var timelines: [ObjectIdentifier: WatchedTimeline] = [:]
      private var mostFamilies = 100_000

      /// Notes the family of a task. Now and then, forgets the tasks that concern no timeline, because nobody knows
      /// which of them have ended.
      mutating func note(_ family: JobFamily, of number: UInt64) {
        families[number] = family
        guard families.count > mostFamilies else { return }
        firstNumber = max(firstNumber, families.keys.max() ?? 0)
        families = families.filter { $1.isUsers && $1.isNeeded }
        mostFamilies = max(mostFamilies, 2 * families.count)
      }
    }

    /// Returns `nil` if the seam is unknown or taken, or doesn't work as expected.
    init?(hook: JobHook? = JobHook()) {
      guard let hook, hook.isFree, let marks = ThreadSlot() else { return nil }
      self.hook = hook
      self.marks = marks
      isNeeded.store(true, ordering: .relaxed)
      Self.receiver.store(.passRetained(self), ordering: .releasing)
      hook.install(Self.receive)
      let trial = JobTrial(hook)
      let isAsExpected = mark(JobFamily(.trial(trial))) { trial.succeeds() }
      isNeeded.store(false, ordering: .relaxed)
      guard isAsExpected else {
        if isActive { hook.remove() }
        return nil
      }
    }

    /// Another library may have taken the seam since.
    var isActive: Bool { hook.isInstalled(Self.receive) }

    // MARK: Timelines

    func add(_ timeline: VirtualTimeline) {
      if hook.isFree { hook.install(Self.receive) }
      let isFirst = state.withLock { state in
        let isFirst = state.timelines.isEmpty
        if isFirst { (state.families, state.firstNumber) = ([:], .max) }
        state.timelines[ObjectIdentifier(timeline)] = WatchedTimeline(timeline)
        isNeeded.store(true, ordering: .relaxed)
        return isFirst
      }
      if isFirst {
        _ = aside { Task.detached {} }
        state.withLock { $0.firstNumber = $0.lastAside }
      }
      join(timeline)
    }

    func remove(_ timeline: VirtualTimeline) {
      state.withLock { state in
        state.timelines.removeValue(forKey: ObjectIdentifier(timeline))?.isOver = true
        if state.timelines.isEmpty { isNeeded.store(false, ordering: .relaxed) }
      }
    }

    func join(_ timeline: VirtualTimeline) {
      guard let number = hook.currentNumber else { return }
      let mark = mark
      state.withLock { state in
        guard let watched = state.timelines[ObjectIdentifier(timeline)] else { return }
        let known = state.families[number] ?? mark
        guard known !== aside else { return }
        let family = known.flatMap { $0.isUsers ? $0 : nil } ?? JobFamily(.users)
        family.add(watched)
        state.note(family, of: number)
      }
    }

    func moved(_ timeline: VirtualTimeline) {
      state.withLock { $0.timelines[ObjectIdentifier(timeline)]?.moveCount += 1 }
    }

    // MARK: Threads

    func aside<Result>(_ body: () -> Result) -> Result { mark(aside, body) }

    func attribute<Result>(to timeline: VirtualTimeline, _ body: () -> Result) -> Result {
      let family = state.withLock { $0.timelines[ObjectIdentifier(timeline)]?.ownFamily }
      return family.map { mark($0, body) } ?? body()
    }

    private var mark: JobFamily? {
      marks.pointer.map { Unmanaged<JobFamily>.fromOpaque($0).takeUnretainedValue() }
    }

    private func mark<Result>(_ family: JobFamily, _ body: () -> Result) -> Result {
      let old = marks.pointer
      // Holds: the family lives at least as long as this call.
      marks.pointer = UnsafeRawPointer(Unmanaged.passUnretained(family).toOpaque())
      defer { marks.pointer = old }
      return withExtendedLifetime(family) { body() }
    }

    // MARK: Jobs

    /// Returns `false` if nobody waits for the job.
    private func take(_ job: UnownedJob) -> Bool {
      guard isNeeded.load(ordering: .relaxed) else { return false }
      let (number, current, mark) = (hook.number(of: job), hook.currentNumber, mark)
      if let mark, case .trial(let trial) = mark.kind {
        trial.saw(number)
        start(job, of: mark, for: [])
        return true
      }
      let (family, timelines) = state.withLock { state -> (JobFamily, [VirtualTimeline]) in
        let family = self.family(of: number, by: current, mark, &state)
        guard family.isUsers else { return (family, []) }
        return (family, family.resumed(number, isFromPlainThread: current == nil && mark == nil))
      }
      guard !timelines.isEmpty else { return false }
      for timeline in timelines { timeline.jobBegan() }
      start(job, of: family, for: timelines)
      return true
    }

    /// - Parameters:
    ///   - number: The number of the task, or `nil` for a job that isn't one.
    ///   - current: The number of the task that enqueues the job, or `nil` if it is enqueued by a plain thread.
    ///   - mark: The family of the code that enqueues the job, if the thread knows it.
    private func family(
      of number: UInt64?, by current: UInt64?, _ mark: JobFamily?, _ state: inout State
    ) -> JobFamily {
      if let number, let known = state.families[number] { return known }
      // A task that is older than the timelines and was never seen with one of them.
      if let number, number < state.firstNumber, mark !== aside { return others }
      let family = (mark === aside ? mark : current.flatMap { state.families[$0] } ?? mark) ?? others
      if let number {
        state.note(family, of: number)
        if family === aside { state.lastAside = number }
      }
      return family
    }

    private func start(_ job: UnownedJob, of family: JobFamily, for timelines: [VirtualTimeline]) {
      WorkerPool.jobs.run { [self] in
        mark(family) { hook.run(job) }
        for timeline in timelines { timeline.jobEnded() }
      }
    }
  }
#endif
