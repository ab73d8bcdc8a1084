import Foundation

// Stands in for associated objects: values that live as long as the object to which they are attached. The classes of
// the stand-in let go of them in `deinit`.

public enum objc_AssociationPolicy: UInt, Sendable {
  case OBJC_ASSOCIATION_RETAIN = 769
}

public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
  Associations.set(value, key, of: ObjectIdentifier(object as AnyObject))
}
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  Associations.value(key, of: ObjectIdentifier(object as AnyObject))
}

public enum Associations {
  private static let lock = NSLock()
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var values: [ObjectIdentifier: [UnsafeRawPointer: Any]] = [:]

  fileprivate static func value(_ key: UnsafeRawPointer, of object: ObjectIdentifier) -> Any? {
    lock.withLock { values[object]?[key] }
  }

  fileprivate static func set(_ value: Any?, _ key: UnsafeRawPointer, of object: ObjectIdentifier) {
    let replaced = lock.withLock { () -> Any? in
      defer { values[object, default: [:]][key] = value }
      return values[object]?[key]
    }
    withExtendedLifetime(replaced) {}
  }

  /// The object is going away.
  public static func release(of object: ObjectIdentifier) {
    let gone = lock.withLock { values.removeValue(forKey: object) }
    withExtendedLifetime(gone) {}
  }
}
