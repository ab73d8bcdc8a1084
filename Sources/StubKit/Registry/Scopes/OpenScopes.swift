/// The open scopes, and how they are nested.
final class OpenScopes: Sendable {
  static let shared = OpenScopes()

  private let state = Protected(State())

  private struct State {
    var scopes: [ObjectIdentifier: Scope] = [:]
    var lastNumber = 0
    var hadAny = false
    /// The name of the test whose scope was the last one to end, or `nil` if it is unknown.
    var lastTest: String?

    /// Returns a scope, the scope in which it was opened, and so on.
    func chain(from innermost: Scope) -> [Scope] {
      var chain = [innermost]
      while let number = chain.last?.parent, let parent = scopes.values.first(where: { $0.number == number }) {
        chain.append(parent)
      }
      return chain
    }
  }

  private struct Scope {
    // Safe because the code that entered the scope keeps the registry until after `leave`, which removes it from the list.
    let registry: Unmanaged<StubRegistry>
    let number: Int
    /// The number of the scope in which it was opened, or `nil` if there is none. An object's identity can be reused.
    let parent: Int?
    /// A Boolean value that indicates whether a test of Swift Testing opened it.
    let isOfSwiftTesting: Bool
    /// The number of open scopes of the registry.
    var depth = 1

    var id: ObjectIdentifier { registry._withUnsafeGuaranteedRef { ObjectIdentifier($0) } }
    var isEnabled: Bool { registry._withUnsafeGuaranteedRef(\.isEnabled) }
  }

  /// Opens a scope. Balance it with `leave(_:)` while the registry is held.
  ///
  /// - Parameters:
  ///   - parent: The registry in whose scope it is opened, or `nil` outside of every scope.
  ///   - isOfSwiftTesting: Whether a test of Swift Testing opens it.
  func enter(_ registry: StubRegistry, inside parent: StubRegistry? = nil, isOfSwiftTesting: Bool = false) {
    // A scope that only shields its code doesn't count.
    let isEnabled = registry.isEnabled
    state.withLock { state in
      if isEnabled { state.hadAny = true }
      let id = ObjectIdentifier(registry)
      guard state.scopes[id] == nil else { return state.scopes[id]!.depth += 1 }
      state.lastNumber += 1
      state.scopes[id] = Scope(
        registry: .passUnretained(registry), number: state.lastNumber,
        parent: parent.flatMap { state.scopes[ObjectIdentifier($0)]?.number }, isOfSwiftTesting: isOfSwiftTesting)
    }
  }

  func leave(_ registry: StubRegistry) {
    let test = registry.test
    state.withLock { state in
      let id = ObjectIdentifier(registry)
      state.scopes[id]?.depth -= 1
      guard state.scopes[id]?.depth == 0 else { return }
      state.scopes[id] = nil
      state.lastTest = test
    }
  }

  /// A Boolean value that indicates whether no registry has an open scope.
  var isEmpty: Bool { state.withLock { $0.scopes.isEmpty } }

  /// A Boolean value that indicates whether a scope is open, or has been.
  var hadAny: Bool { state.withLock { $0.hadAny } }

  /// A Boolean value that indicates whether tests of Swift Testing opened all scopes, so that a test of XCTest has none.
  var areOfSwiftTesting: Bool { state.withLock { $0.scopes.values.allSatisfy(\.isOfSwiftTesting) } }

  /// The identities of the registries, the last one entered first.
  var ids: [ObjectIdentifier] {
    state.withLock { $0.scopes.sorted { $0.value.number > $1.value.number }.map(\.key) }
  }

  /// Returns the identities of the registries whose scopes surround that of a registry, innermost first.
  func enclosing(_ registry: StubRegistry) -> [ObjectIdentifier] {
    state.withLock { state in
      guard let scope = state.scopes[ObjectIdentifier(registry)] else { return [] }
      return state.chain(from: scope).dropFirst().map(\.id)
    }
  }

  /// The scope of a request that names none.
  enum Inferred: ~Copyable {
    /// No scope is open, and none has ever been.
    case never
    /// No scope is open any more. The last one was that of the named test, if it is known.
    case ended(String?)
    /// The innermost scope, if each open scope is inside the next, and the generations of all.
    case only(HeldRegistry, [ScopeGeneration])
    case several([ScopeGeneration])
  }

  /// The scope of a request that names none. A scope whose registry is not enabled only shields its code, and doesn't
  /// count.
  var inferred: Inferred {
    state.withLock { state in
      let open = state.scopes.values.filter(\.isEnabled)
      guard let innermost = open.max(by: { $0.number < $1.number }) else {
        return state.hadAny ? .ended(state.lastTest) : .never
      }
      let enclosing = state.chain(from: innermost).count { $0.isEnabled }
      let generations = open.map { $0.registry._withUnsafeGuaranteedRef(\.loads.generation) }
      return enclosing == open.count ? .only(HeldRegistry(innermost.registry), generations) : .several(generations)
    }
  }

  /// Calls the closure with a registry whose scope is still open. Returns `nil` if the scope has ended.
  @discardableResult
  func visit<Result>(_ id: ObjectIdentifier, _ body: (StubRegistry) -> Result) -> Result? {
    let held: HeldRegistry? = state.withLock { state in
      guard let scope = state.scopes[id] else { return nil }
      return HeldRegistry(scope.registry)
    }
    guard let held else { return nil }
    return body(held.registry)
  }
}
