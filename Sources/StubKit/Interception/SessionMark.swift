import Foundation

/// The mark that says which registry a session belongs to: a class of that registry in its `protocolClasses`.
///
/// The class survives every way in which a session is copied, kept and used on other queues.
enum SessionMark {
  /// The registry was installed in the session's configuration. `nil` if the registry is gone, with the name of its test.
  case installed(StubRegistry?, test: String? = nil)
  /// The session was created in the scope of this registry. `nil` if the registry is gone, with the name of its test.
  case madeIn(StubRegistry?, test: String? = nil)

  static func isInstalled(_ type: AnyClass) -> Bool {
    if case .installed = (type as? StubURLProtocol.Type)?.mark { true } else { false }
  }

  static func isOfEndedScope(_ type: AnyClass) -> Bool {
    if case .madeIn(let registry, _) = (type as? StubURLProtocol.Type)?.mark {
      registry?.scopes.isEmpty ?? true
    } else {
      false
    }
  }
}

/// The classes of the registries, created on first use.
///
/// A class is never used for a second registry, so that a session that outlives its registry can't get into another
/// one. Classes are never unregistered, because there is no hook for the end of the last configuration that names one. A
/// registry that creates sessions therefore leaks about a kilobyte.
final class SessionMarks: Sendable {
  static let shared = SessionMarks()

  enum Kind { case installed, madeIn }

  private let state = Protected(State())

  private struct State {
    var counts: [Kind: Int] = [:]
    var owners: [ObjectIdentifier: Owner] = [:]
  }

  private struct Owner {
    weak var registry: StubRegistry?
    /// The registry, if the session must keep it alive.
    var kept: StubRegistry?
    /// The name of the test, when the registry is gone.
    var test: String?
  }

  func makeClass(_ kind: Kind, for registry: StubRegistry) -> StubURLProtocol.Type {
    let number = state.withLock { state in
      state.counts[kind, default: 0] += 1
      return state.counts[kind]!
    }
    let type = Self.type(kind, number) as! StubURLProtocol.Type
    state.withLock { $0.owners[ObjectIdentifier(type)] = Owner(registry: registry) }
    return type
  }

  func owner(of type: AnyClass) -> (StubRegistry?, test: String?) {
    state.withLock { ($0.owners[ObjectIdentifier(type)]?.registry, $0.owners[ObjectIdentifier(type)]?.test) }
  }

  /// Keeps a registry alive as long as a session can ask for it, which is for ever.
  func keep(_ registry: StubRegistry) {
    let type = ObjectIdentifier(registry.mark(.installed))
    state.withLock { $0.owners[type]?.kept = registry }
  }

  /// Forgets the registry of a class when it is gone, but not its test.
  func forget(_ type: AnyClass, _ test: String?) {
    state.withLock { $0.owners[ObjectIdentifier(type)] = Owner(test: test) }
  }

  /// Returns a class for each number. Its nesting follows the binary digits of the number, the last one outermost, so
  /// each number takes only one class.
  ///
  /// The result is an `Any.Type` because the optimizer takes an opened class type for its static type.
  private static func type(_ kind: Kind, _ number: Int) -> Any.Type {
    func type<Rest>(after _: Rest.Type) -> Any.Type {
      switch (kind, number & 1) {
      case (.installed, 0): InstalledZero<Rest>.self
      case (.installed, _): InstalledOne<Rest>.self
      case (.madeIn, 0): MadeInZero<Rest>.self
      case (.madeIn, _): MadeInOne<Rest>.self
      }
    }
    return number == 0 ? Never.self : _openExistential(Self.type(kind, number >> 1), do: type)
  }

  private class Installed: StubURLProtocol {
    override class var mark: SessionMark? {
      let (registry, test) = SessionMarks.shared.owner(of: self)
      return .installed(registry, test: test)
    }
  }

  private class MadeIn: StubURLProtocol {
    override class var mark: SessionMark? {
      let (registry, test) = SessionMarks.shared.owner(of: self)
      return .madeIn(registry, test: test)
    }
  }

  private final class InstalledZero<Rest>: Installed {}
  private final class InstalledOne<Rest>: Installed {}
  private final class MadeInZero<Rest>: MadeIn {}
  private final class MadeInOne<Rest>: MadeIn {}
}

extension StubRegistry {
  /// Returns the class that marks sessions with this registry.
  func mark(_ kind: SessionMarks.Kind) -> StubURLProtocol.Type {
    let type: AnyClass = mark("\(kind)") {
      Mark(type: SessionMarks.shared.makeClass(kind, for: self)) { SessionMarks.shared.forget($0, $1) }
    }
    return type as! StubURLProtocol.Type
  }
}
