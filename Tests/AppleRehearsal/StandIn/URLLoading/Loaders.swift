import Foundation

/// Where the system starts and stops the loads of `URLProtocol` classes.
protocol LoaderPlace: Sendable {
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Traps where the client of a load is called from a place from which it may not be called.
  func admitCall()
  var isClassic: Bool { get }
}

/// The classic loader's: one thread for the whole process, with a run loop.
final class CustomProtocolsThread: LoaderPlace, @unchecked Sendable {
  // @unchecked holds because nothing in it changes once it is made.
  static let shared = CustomProtocolsThread()
  let isClassic = true

  private let runLoop = CFRunLoop()

  private init() {
    let thread = Thread { [runLoop] in runLoop.run() }
    thread.name = "com.apple.CFNetwork.CustomProtocols"
    thread.start()
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    runLoop.perform(work)
    runLoop.wakeUp()
  }

  func admitCall() {
    if CFRunLoop.current !== runLoop {
      violation("the client was called off the thread com.apple.CFNetwork.CustomProtocols")
    }
  }
}

/// The new loader's: the session's delegate queue, on which no run loop runs unless it is the main one. The client may
/// be called anywhere.
struct LoaderQueue: LoaderPlace {
  let queue: OperationQueue
  let isClassic = false

  func perform(_ work: @escaping @Sendable () -> Void) { queue.addOperation(work) }
  func admitCall() {}
}

extension LoadingMode {
  func place(_ delegateQueue: OperationQueue) -> any LoaderPlace {
    switch self {
    case .classic:
      Fact.classicLoaderHasARunLoop.holds ? CustomProtocolsThread.shared : LoaderQueue(queue: delegateQueue)
    case .new:
      Fact.newLoaderHasNoRunLoop.holds ? LoaderQueue(queue: newQueue(delegateQueue)) : CustomProtocolsThread.shared
    }
  }

  private func newQueue(_ delegateQueue: OperationQueue) -> OperationQueue {
    if Fact.newLoaderUsesTheDelegateQueue.holds { return delegateQueue }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

/// A run loop that runs blocks. Every thread has one; only that of the classic loader ever runs.
public final class CFRunLoop: @unchecked Sendable {
  // @unchecked holds because what changes is guarded by `condition`.
  private let condition = NSCondition()
  private var blocks: [() -> Void] = []
  private var isAwake = false
  fileprivate private(set) var isRunning = false

  /// That of the main thread runs, and runs blocks as the main queue does, which has no thread of its own on Linux.
  fileprivate static let main: CFRunLoop = {
    let runLoop = CFRunLoop()
    runLoop.isRunning = true
    DispatchQueue.main.setSpecific(key: isMain, value: true)
    return runLoop
  }()
  private static let isMain = DispatchSpecificKey<Bool>()

  fileprivate static var current: CFRunLoop? { Thread.current.threadDictionary["CFRunLoop"] as? CFRunLoop }

  fileprivate func run() {
    Thread.current.threadDictionary["CFRunLoop"] = self
    isRunning = true
    while true {
      condition.lock()
      // A block that is added wakes nobody: that takes a call of its own.
      while !isAwake { condition.wait() }
      isAwake = false
      condition.unlock()
      runBlocks()
    }
  }

  private func runBlocks() {
    let due = condition.withLock {
      defer { blocks = [] }
      return blocks
    }
    for block in due { block() }
  }

  func perform(_ block: @escaping () -> Void) { condition.withLock { blocks.append(block) } }

  func wakeUp() {
    if self === Self.main { return DispatchQueue.main.async { self.runBlocks() } }
    condition.withLock {
      isAwake = true
      condition.signal()
    }
  }

  static func ofThisThread() -> CFRunLoop {
    let main = Self.main
    if DispatchQueue.getSpecific(key: isMain) == true { return main }
    if let current { return current }
    let runLoop = CFRunLoop()
    Thread.current.threadDictionary["CFRunLoop"] = runLoop
    return runLoop
  }
}

public struct CFRunLoopMode: Sendable {
  public let rawValue: String
  public static let commonModes = CFRunLoopMode(rawValue: "kCFRunLoopCommonModes")
  public static let defaultMode = CFRunLoopMode(rawValue: "kCFRunLoopDefaultMode")
}

public func CFRunLoopGetCurrent() -> CFRunLoop! { .ofThisThread() }
public func CFRunLoopGetMain() -> CFRunLoop! { .main }
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode? { rl.isRunning ? .defaultMode : nil }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: Any!, _ block: (() -> Void)!) { rl.perform(block) }
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { rl.wakeUp() }
