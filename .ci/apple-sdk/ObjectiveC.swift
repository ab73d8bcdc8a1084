// Declares what the SDK's <objc/runtime.h> is to Swift.

public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  public init(_ name: String) {}
  public init(stringLiteral value: String) {}
}

public typealias Method = OpaquePointer
public typealias IMP = OpaquePointer

public func object_getClass(_ obj: Any?) -> AnyClass? { nil }
public func class_getSuperclass(_ cls: AnyClass?) -> AnyClass? { nil }
public typealias Ivar = OpaquePointer
public func class_getInstanceVariable(_ cls: AnyClass?, _ name: UnsafePointer<CChar>) -> Ivar? { nil }
public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
public func class_getClassMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
public func method_getImplementation(_ m: Method) -> IMP { fatalError() }
@discardableResult
public func method_setImplementation(_ m: Method, _ imp: IMP) -> IMP { fatalError() }
public func imp_implementationWithBlock(_ block: Any) -> IMP { fatalError() }

public enum objc_AssociationPolicy: UInt, Sendable {
  case OBJC_ASSOCIATION_RETAIN = 769
}
public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {}
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? { nil }
