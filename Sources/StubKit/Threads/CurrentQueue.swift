import Foundation

extension DispatchQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    main.setSpecific(key: key, value: true)
    return key
  }()

  /// A Boolean value that indicates whether this is the main thread or the main queue, which another thread serves if
  /// the main one has nothing else to do.
  static var isMain: Bool { Thread.isMainThread || getSpecific(key: key) == true }
}

extension OperationQueue {
  /// A Boolean value that indicates whether this code is an operation of the queue, or work on the dispatch queue
  /// beneath it. Dispatch doesn't tell the current queue, but finds what is set on it.
  var isCurrent: Bool {
    if OperationQueue.current === self { return true }
    if self === OperationQueue.main { return DispatchQueue.isMain }
    guard let underlyingQueue else { return false }
    let key = DispatchSpecificKey<Bool>()
    underlyingQueue.setSpecific(key: key, value: true)
    defer { underlyingQueue.setSpecific(key: key, value: nil) }
    return DispatchQueue.getSpecific(key: key) == true
  }
}
