#if os(Linux)
  import Glibc

  /// The seam of the Swift runtime that every job passes on its way to the global executor, and what the runtime says
  /// of a job.
  ///
  /// The runtime exports the seam as a variable, for libraries that run the tasks of a test one after another.
  struct JobHook: @unchecked Sendable {
    // @unchecked holds because nothing in it changes. The variable lives as long as the process, and is read and
    // written in one piece.
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Receiver = @convention(thin) (UnownedJob, Original) -> Void

    /// The kind of the job that is a task, in the runtime's flags. Others are an actor's turn, for example.
    private static let task: UInt32 = 0

    private let variable: UnsafeMutablePointer<UnsafeRawPointer?>
    private let idFunction: @convention(thin) (UnownedJob) -> UInt64
    private let flagsFunction: @convention(thin) (UnownedJob) -> UInt32
    private let currentFunction: @convention(thin) () -> UnsafeRawPointer?

    /// Returns `nil` if the runtime doesn't export what is needed. `JobTrial` tries whether it does what its names
    /// say.
    init?(symbol: String = "swift_task_enqueueGlobal_hook") {
      guard let hook = dlsym(nil, symbol), let id = dlsym(nil, "swift_task_getJobTaskId"),
        let flags = dlsym(nil, "swift_task_getJobFlags"), let current = dlsym(nil, "swift_task_getCurrent"),
        MemoryLayout<UnownedJob>.size == MemoryLayout<UnsafeRawPointer>.size,
        MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size
      else { return nil }
      variable = hook.assumingMemoryBound(to: UnsafeRawPointer?.self)
      // These hold while the functions keep their signatures.
      idFunction = unsafeBitCast(id, to: (@convention(thin) (UnownedJob) -> UInt64).self)
      flagsFunction = unsafeBitCast(flags, to: (@convention(thin) (UnownedJob) -> UInt32).self)
      currentFunction = unsafeBitCast(current, to: (@convention(thin) () -> UnsafeRawPointer?).self)
    }

    var isFree: Bool { variable.pointee == nil }

    func isInstalled(_ receiver: Receiver) -> Bool { variable.pointee == Self.pointer(to: receiver) }

    func install(_ receiver: Receiver) { variable.pointee = Self.pointer(to: receiver) }

    func remove() { variable.pointee = nil }

    /// A function without a context is its address.
    private static func pointer(to receiver: Receiver) -> UnsafeRawPointer {
      unsafeBitCast(receiver, to: UnsafeRawPointer.self)
    }

    /// The number of the job's task, or `nil` for a job that isn't a task. The runtime counts on, so that no other task
    /// ever has it.
    func number(of job: UnownedJob) -> UInt64? { flagsFunction(job) & 0xff == Self.task ? idFunction(job) : nil }

    /// The number of the task that runs on this thread, or `nil` if none does.
    var currentNumber: UInt64? {
      // A task is its own job.
      currentFunction().map { idFunction(unsafeBitCast($0, to: UnownedJob.self)) }
    }

    /// Runs a job as the global executor does.
    func run(_ job: UnownedJob) {
      // The global executor is the one without an identity.
      job.runSynchronously(on: unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self))
    }
  }
#endif
