import Foundation

/// The mark that says which registry a session belongs to: a class of that registry in its `protocolClasses`.
///
/// The class survives every way in which a session is copied, kept and used on other queues.
enum SessionMark {
  /// The registry was installed in the session's configuration. `nil` if the registry is gone.
  case installed(StubRegistry?)
  /// The session was created in the scope of this registry. `nil` if the registry is gone.
  case madeIn(StubRegistry?)

  static func isInstalled(_ type: AnyClass) -> Bool {
    if case .installed = (type as? StubURLProtocol.Type)?.mark { true } else { false }
  }

  static func isOfEndedScope(_ type: AnyClass) -> Bool {
    if case .madeIn(let registry) = (type as? StubURLProtocol.Type)?.mark {
      registry?.scopes.isEmpty ?? true
    } else {
      false
    }
  }
}

/// The classes of the registries, created on first use.
///
/// A class is never used for a second registry, so that a session that outlives its registry can't get into another
/// one. It takes less than a kilobyte.
final class SessionMarks: Sendable {
  static let shared = SessionMarks()

  struct Classes {
    let installed: StubURLProtocol.Type
    let madeIn: StubURLProtocol.Type
  }

  private let state = Protected(State())

  private struct State {
    var count = 0
    var owners: [ObjectIdentifier: Owner] = [:]
  }

  private struct Owner {
    weak var registry: StubRegistry?
    /// The same registry, if nobody else needs to hold it.
    var kept: StubRegistry?
  }

  func makeClasses(for registry: StubRegistry) -> Classes {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    func classes<Tag>(_: Tag.Type) -> Classes { Classes(installed: Installed<Tag>.self, madeIn: MadeIn<Tag>.self) }
    let classes = _openExistential(Self.tag(number), do: classes)
    state.withLock {
      $0.owners[ObjectIdentifier(classes.installed)] = Owner(registry: registry)
      $0.owners[ObjectIdentifier(classes.madeIn)] = Owner(registry: registry)
    }
    return classes
  }

  func registry(of type: AnyClass) -> StubRegistry? { state.withLock { $0.owners[ObjectIdentifier(type)]?.registry } }

  /// Keeps a registry alive as long as a session can ask for it, which is for ever.
  func keep(_ registry: StubRegistry) {
    let type = ObjectIdentifier(registry.marks.installed)
    state.withLock { $0.owners[type]?.kept = registry }
  }

  /// Returns a type for each number. Its nesting follows the binary digits of the number.
  private static func tag(_ number: Int) -> Any.Type {
    func zero<Rest>(_: Rest.Type) -> Any.Type { Zero<Rest>.self }
    func one<Rest>(_: Rest.Type) -> Any.Type { One<Rest>.self }
    var tag: Any.Type = End.self
    var rest = number
    while rest > 0 {
      tag = rest & 1 == 0 ? _openExistential(tag, do: zero) : _openExistential(tag, do: one)
      rest >>= 1
    }
    return tag
  }

  private enum End {}
  private enum Zero<Rest> {}
  private enum One<Rest> {}

  private final class Installed<Tag>: StubURLProtocol {
    override class var mark: SessionMark? { .installed(SessionMarks.shared.registry(of: self)) }
  }

  private final class MadeIn<Tag>: StubURLProtocol {
    override class var mark: SessionMark? { .madeIn(SessionMarks.shared.registry(of: self)) }
  }
}
