#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Methods of the system's classes whose code was replaced, and their original code.
  struct ReplacedMethods {
    private var originals: [(method: Method, code: IMP)] = []

    var isEmpty: Bool { originals.isEmpty }

    /// Replaces an instance method on every class that implements it, from a class up to its oldest superclass.
    /// Methods that were replaced before stay as they are.
    ///
    /// - Parameter block: A closure that returns the replacement of the given code: a block that takes the object,
    ///   followed by the arguments.
    mutating func replace(_ selector: Selector, from type: AnyClass?, by block: (IMP) -> Any) {
      var type: AnyClass? = type
      while let current = type {
        if let method = class_getInstanceMethod(current, selector) { replace(method, by: block) }
        type = class_getSuperclass(current)
      }
    }

    mutating func replaceClassMethod(_ selector: Selector, of type: AnyClass, by block: (IMP) -> Any) {
      if let method = class_getClassMethod(type, selector) { replace(method, by: block) }
    }

    private mutating func replace(_ method: Method, by block: (IMP) -> Any) {
      guard !originals.contains(where: { $0.method == method }) else { return }
      let code = method_getImplementation(method)
      originals.append((method, code))
      method_setImplementation(method, imp_implementationWithBlock(block(code)))
    }

    /// Restores the original code.
    func restore() { for (method, code) in originals { method_setImplementation(method, code) } }
  }
#endif
