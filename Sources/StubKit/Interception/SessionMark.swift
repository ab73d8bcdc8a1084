import Foundation

/// The mark that says which registry a session belongs to: a class of that registry in its `protocolClasses`.
///
/// The class survives every way in which a session is copied, kept and used on other queues. It is created on first
/// use, and never used for a second registry, so that a session that outlives its registry can't get into another one.
/// Classes are never unregistered, because there is no hook for the end of the last configuration that names one. A
/// registry that creates sessions therefore leaks about a kilobyte.
struct SessionMark {
  enum Kind {
    /// The registry was installed in the session's configuration.
    case installed
    /// The session was created in the scope of the registry.
    case madeIn
  }

  let kind: Kind
  /// The registry, or `nil` if it is gone.
  private(set) weak var registry: StubRegistry?
  /// The registry for a queue of URLSession, or `nil` if it is gone.
  var reference: RegistryReference? { registry.map(RegistryReference.init) }
  /// The registry, if the session must keep it alive.
  private var kept: StubRegistry?
  /// The name of the registry's test, or `nil` if it is unknown.
  let test: String?

  private static let marks = Protected<[ObjectIdentifier: SessionMark]>([:])

  static func makeClass(_ kind: Kind, for registry: StubRegistry, of test: String?) -> StubURLProtocol.Type {
    marks.withLock { marks in
      let type = type(marks.count + 1) as! StubURLProtocol.Type
      marks[ObjectIdentifier(type)] = SessionMark(kind: kind, registry: registry, test: test)
      return type
    }
  }

  /// Keeps a registry alive as long as a session can ask for it, which is for ever.
  static func keep(_ registry: StubRegistry) {
    let type = ObjectIdentifier(registry.mark(.installed))
    marks.withLock { $0[type]?.kept = registry }
  }

  /// Returns a class for each number. Its nesting follows the binary digits of the number, the last one outermost, so
  /// each number takes only one class.
  ///
  /// The result is an `Any.Type` because the optimizer takes an opened class type for its static type.
  private static func type(_ number: Int) -> Any.Type {
    func type<Rest>(after _: Rest.Type) -> Any.Type { number & 1 == 0 ? Zero<Rest>.self : One<Rest>.self }
    return number == 0 ? Never.self : _openExistential(Self.type(number >> 1), do: type)
  }

  private class Marked: StubURLProtocol {
    override class var mark: SessionMark? { SessionMark.marks.withLock { $0[ObjectIdentifier(self)] } }
  }

  private final class Zero<Rest>: Marked {}
  private final class One<Rest>: Marked {}
}
