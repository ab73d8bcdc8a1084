import Foundation

/// The open scopes, and how they are nested.
final class OpenScopes: Sendable {
  static let shared = OpenScopes()

  private let state = Protected(State())

  private struct State {
    /// In the order in which they were opened.
    var scopes: [Scope] = []
    var hadAny = false
    /// The name of the test whose scope was the last one to end, or `nil` if it is unknown.
    var lastTest: String?
    /// What reports may show of the last twenty recordings whose scopes have ended. Their requests can outlive them.
    var filters: [any ReportFilter] = []
    /// The newest stubs of scopes that have ended.
    var endedStubs: [EndedStub] = []

    func index(of registry: StubRegistry) -> Int? { scopes.firstIndex { $0.registry === registry } }

    /// Returns a scope, the scope in which it was opened, and so on.
    func chain(from innermost: Scope) -> [Scope] {
      var chain = [innermost]
      while let parent = scopes.first(where: { $0.registry === chain.last?.parent }) { chain.append(parent) }
      return chain
    }
  }

  private struct Scope {
    // The code that entered them keeps both until after `close`, so the last reference is never released under the
    // lock.
    let registry: StubRegistry
    /// The registry in whose scope it was opened, or `nil` if there is none, or none any more.
    var parent: StubRegistry?
    /// A Boolean value that indicates whether a test of Swift Testing opened it.
    let isOfSwiftTesting: Bool
  }

  /// Opens the first scope of a registry. Balance it with `close(_:)`, at the end of its last one, while the registry
  /// is kept.
  ///
  /// - Parameters:
  ///   - parent: The registry in whose scope it is opened, or `nil` outside of every scope.
  ///   - isOfSwiftTesting: Whether a test of Swift Testing opens it.
  func open(_ registry: StubRegistry, inside parent: StubRegistry? = nil, isOfSwiftTesting: Bool = false) {
    // A scope that only shields its code doesn't count.
    let isEnabled = registry.isEnabled
    state.withLock { state in
      if isEnabled { state.hadAny = true }
      let parent = parent.flatMap { state.index(of: $0) }.map { state.scopes[$0].registry }
      state.scopes.append(Scope(registry: registry, parent: parent, isOfSwiftTesting: isOfSwiftTesting))
    }
  }

  func close(_ registry: StubRegistry) {
    let test = registry.test
    let filters = registry.filters
    let endedStubs = registry.stubs.suffix(20).map { EndedStub(stub: $0, test: test) }
    state.withLock { state in
      guard let index = state.index(of: registry) else { return }
      state.scopes.remove(at: index)
      for index in state.scopes.indices where state.scopes[index].parent === registry {
        state.scopes[index].parent = nil
      }
      state.lastTest = test
      state.filters = (state.filters + filters).suffix(20)
      state.endedStubs = (state.endedStubs + endedStubs).suffix(200)
    }
  }

  /// A stub of a scope that has ended.
  struct EndedStub: Sendable {
    /// `nil` as soon as nobody keeps the stub, as a static property does.
    weak var stub: Stub?
    let test: String?
  }

  /// Returns the newest stub that has outlived its registry and would match a request, with the name of its test. This
  /// runs no closure, and reads no body.
  func endedStub(matching incoming: IncomingRequest) -> (stub: Stub, test: String?)? {
    // The references are released outside of the lock.
    let kept = state.withLock(\.endedStubs).compactMap { ended in ended.stub.map { (stub: $0, test: ended.test) } }
    var facts = RequestFacts(incoming)
    return kept.last { $0.stub.home == nil && $0.stub.condition.certainlyMatches(&facts) }
  }

  /// Returns text as it may be printed outside of a test's tasks, for which all recordings count.
  func shown(_ text: String) -> String {
    let filters = state.withLock(\.filters)
    return registries.reduce(filters.reduce(text) { $1.redacted($0, of: nil) }) { $1.registry.shown($0) }
  }

  /// A Boolean value that indicates whether no registry has an open scope.
  var isEmpty: Bool { state.withLock { $0.scopes.isEmpty } }

  /// What reports say about the open scopes, or `nil` if none is open. Those of registries that aren't enabled don't
  /// count.
  var enabledScopes: String? {
    let list = ScopeList(self)
    return list.count > 0 ? list.heading : nil
  }

  /// A Boolean value that indicates whether tests of Swift Testing opened all scopes, so that a test of XCTest has
  /// none.
  var areOfSwiftTesting: Bool { state.withLock { $0.scopes.allSatisfy(\.isOfSwiftTesting) } }

  /// The registries, the last one entered first.
  var registries: [RegistryReference] { state.withLock { $0.scopes.reversed().map { RegistryReference($0.registry) } } }

  /// Returns the registries whose scopes surround that of a registry, innermost first. Don't release them on a queue of
  /// URLSession.
  func enclosing(_ registry: StubRegistry) -> [StubRegistry] {
    state.withLock { state in
      state.index(of: registry).map { state.chain(from: state.scopes[$0]).dropFirst().map(\.registry) } ?? []
    }
  }

  /// Who a request belongs to that neither its task nor its session claims.
  enum Inferred {
    /// The global registry, which is enabled. It is alone if no scope is open, or if the code can't be that of one.
    case global(isAlone: Bool)
    /// No scope is open, and none has ever been.
    case never
    /// No scope is open any more. The last one was that of the named test, if it is known.
    case ended(String?)
    /// The innermost scope, if each open scope is inside the next, and the generations of all.
    case only(RegistryReference, [ScopeGeneration])
    case several([ScopeGeneration])

    /// The name of the test whose scope was the last one to end, if none is open any more.
    var lastTest: String? { if case .ended(let test) = self { test } else { nil } }
  }

  /// Returns who a request belongs to that names no scope. A scope whose registry is not enabled only shields its code,
  /// and doesn't count.
  ///
  /// - Parameter hasGlobal: Whether the global registry is enabled. It has what names no scope, but for a scope whose
  ///   test runs alone: nobody else makes requests meanwhile.
  func inferred(besideGlobal hasGlobal: Bool = false) -> Inferred {
    state.withLock { state in
      let open = state.scopes.filter(\.registry.isEnabled)
      if hasGlobal, !open.contains(where: { $0.registry.testReport?.runsAlone == true }) {
        return .global(isAlone: state.scopes.isEmpty)
      }
      guard let innermost = open.last else { return state.hadAny ? .ended(state.lastTest) : .never }
      let enclosing = state.chain(from: innermost).filter(\.registry.isEnabled).count
      let generations = open.map(\.registry.inFlight.generation)
      guard enclosing == open.count else { return hasGlobal ? .global(isAlone: false) : .several(generations) }
      return .only(RegistryReference(innermost.registry), generations)
    }
  }
}
