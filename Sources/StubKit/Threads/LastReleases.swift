import Foundation

/// The last releases of the user's values on queues of URLSession.
///
/// The stubs of a registry keep the user's values, which can use URLSession when they are released. That traps on
/// URLSession's queues. A stub can be removed at any moment, also while a request is being compared with it there, so
/// that nobody else has it any more when the search lets it go. Code that can let stubs go on such a queue therefore
/// runs in `happenElsewhere(for:)`, and what is released in it for the last time hands over what it has.
enum LastReleases {
  // Safe because one thread makes it, and another one only releases it, after that.
  private final class Values: @unchecked Sendable {
    private let values: [Any]

    init(_ values: [Any]) { self.values = values }
  }

  /// Runs code on a queue of URLSession. What it hands over meanwhile is released on another thread afterwards, when
  /// this one has no reference to it any more.
  static func happenElsewhere<Result>(for code: () -> Result) -> Result {
    var values: [Any] = []
    let result = withUnsafeMutablePointer(to: &values) { values in
      let outer = pthread_getspecific(key)
      pthread_setspecific(key, values)
      defer { pthread_setspecific(key, outer) }
      return code()
    }
    if !values.isEmpty {
      let last = Unmanaged.passRetained(Values(exchange(&values, with: [])))
      DispatchQueue.global().async { last.release() }
    }
    return result
  }

  /// Keeps the values of an object that is being released, if code runs on this thread whose last releases happen
  /// elsewhere.
  static func handOver(_ values: @autoclosure () -> Any) {
    // Safe because the thread has the pointer only as long as it is valid, and nobody else has it.
    pthread_getspecific(key)?.assumingMemoryBound(to: [Any].self).pointee.append(values())
  }

  /// Without memory for the key, the releases happen where they are.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : .max
  }()
}

/// A value of the user's that can be let go of on a queue of URLSession.
///
/// It can use URLSession when it is released, which traps there, so that happens elsewhere.
final class DeferredRelease<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  // Safe because it is retained by `init`, and released once, on behalf of `deinit`.
  private let box: Unmanaged<Box>

  init(_ value: Value) { box = .passRetained(Box(value)) }

  deinit {
    DispatchQueue.global().async { [box] in box.release() }
  }

  var value: Value { box.takeUnretainedValue().value }
}
