import Foundation

// Stands in for <objc/runtime.h>: methods that can be looked up and replaced, by a table of its own. A class of the
// stand-in registers what it implements, and sends its messages through the table.

public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: String
  public init(_ name: String) { self.name = name }
  public init(stringLiteral value: String) { name = value }
}

/// A method's code: a closure that takes the object, the selector and the arguments, in its two words.
///
/// The rehearsal takes `@convention(c)` out of the sources, so that what they cast such a value to is a closure's type.
public struct IMP: @unchecked Sendable {
  // @unchecked holds because the words never change, and what they refer to is kept for ever.
  private let words: (UInt, UInt)

  public init<Closure>(_ closure: Closure) {
    precondition(MemoryLayout<Closure>.size == 16, "an implementation is a closure")
    let kept = UnsafeMutablePointer<Closure>.allocate(capacity: 1)
    kept.initialize(to: closure)
    words = UnsafeRawPointer(kept).load(as: (UInt, UInt).self)
  }
}

public typealias Method = OpaquePointer

public enum MethodTable {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let selector: Selector
    let isOfClass: Bool
  }

  fileprivate final class Entry: @unchecked Sendable {
    // @unchecked holds because the code is read and written under the table's lock.
    var code: IMP
    init(_ code: IMP) { self.code = code }
  }

  private static let lock = NSLock()
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var roots: Set<ObjectIdentifier> = []
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var variables: [ObjectIdentifier: Set<String>] = [:]
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var entries: [Key: Entry] = [:]
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var blockForms: [@Sendable (Any) -> IMP?] = []

  /// - Parameter code: A closure that takes the object, the selector and the arguments.
  public static func define<Code>(_ selector: Selector, of type: AnyClass, isOfClass: Bool = false, _ code: Code) {
    let key = Key(type: ObjectIdentifier(type), selector: selector, isOfClass: isOfClass)
    lock.withLock { entries[key] = Entry(IMP(code)) }
  }

  /// Makes a class look as if it inherited from nothing but NSObject, whatever it is to Swift.
  public static func hideSuperclass(of type: AnyClass) { _ = lock.withLock { roots.insert(ObjectIdentifier(type)) } }

  /// Says that the objects of a class have an instance variable.
  public static func defineVariable(_ name: String, of type: AnyClass) {
    _ = lock.withLock { variables[ObjectIdentifier(type), default: []].insert(name) }
  }

  fileprivate static func isRoot(_ type: AnyClass) -> Bool { lock.withLock { roots.contains(ObjectIdentifier(type)) } }

  fileprivate static func hasVariable(_ name: String, _ type: AnyClass) -> Bool {
    lock.withLock { variables[ObjectIdentifier(type)]?.contains(name) == true }
  }

  /// Says how a block of some type becomes a method's code.
  public static func takeBlocks<Block, Code>(_ form: @escaping @Sendable (Block) -> Code) {
    lock.withLock { blockForms.append { ($0 as? Block).map { IMP(form($0)) } } }
  }

  /// What an object of the class does with a message.
  public static func code(for selector: Selector, of type: AnyClass, isOfClass: Bool = false) -> IMP {
    guard let entry = entry(selector, type, isOfClass: isOfClass) else {
      fatalError("unrecognized selector \(selector.name) sent to \(type)")
    }
    return lock.withLock { entry.code }
  }

  fileprivate static func entry(_ selector: Selector, _ type: AnyClass, isOfClass: Bool) -> Entry? {
    var type: AnyClass? = type
    while let current = type {
      let key = Key(type: ObjectIdentifier(current), selector: selector, isOfClass: isOfClass)
      if let entry = lock.withLock({ entries[key] }) { return entry }
      type = class_getSuperclass(current)
    }
    return nil
  }

  fileprivate static func exchange(_ entry: Entry, with code: IMP) -> IMP {
    lock.withLock {
      defer { entry.code = code }
      return entry.code
    }
  }

  fileprivate static func code(of block: Any) -> IMP {
    for form in lock.withLock({ blockForms }) { if let code = form(block) { return code } }
    fatalError("no method of the stand-in takes a block of the type \(type(of: block))")
  }
}

extension Method {
  fileprivate init(_ entry: MethodTable.Entry) { self = OpaquePointer(Unmanaged.passUnretained(entry).toOpaque()) }
  // Holds: an entry is never taken out of the table again.
  fileprivate var entry: MethodTable.Entry { Unmanaged.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue() }
}

public func object_getClass(_ obj: Any?) -> AnyClass? { obj.map { type(of: $0 as AnyObject) } }
public func class_getSuperclass(_ cls: AnyClass?) -> AnyClass? {
  cls.flatMap { MethodTable.isRoot($0) ? nil : _getSuperclass($0) }
}

public typealias Ivar = OpaquePointer
public func class_getInstanceVariable(_ cls: AnyClass?, _ name: String) -> Ivar? {
  cls.flatMap { MethodTable.hasVariable(name, $0) ? OpaquePointer(bitPattern: 1) : nil }
}

public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? {
  cls.flatMap { MethodTable.entry(name, $0, isOfClass: false) }.map { Method($0) }
}
public func class_getClassMethod(_ cls: AnyClass?, _ name: Selector) -> Method? {
  cls.flatMap { MethodTable.entry(name, $0, isOfClass: true) }.map { Method($0) }
}
public func method_getImplementation(_ m: Method) -> IMP { m.entry.code }
@discardableResult
public func method_setImplementation(_ m: Method, _ imp: IMP) -> IMP { MethodTable.exchange(m.entry, with: imp) }
public func imp_implementationWithBlock(_ block: Any) -> IMP { MethodTable.code(of: block) }
