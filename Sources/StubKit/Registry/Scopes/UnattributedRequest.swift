import Foundation

/// Why it isn't certain which registry a request belongs to: neither its task nor its session names one, the global
/// registry is not enabled, and scopes are open. A load settles this before it asks a registry. See ``Attribution``.
///
/// One rule decides: if exactly one scope is open, the request belongs to it. If several are open, it fails. If none is
/// open any more, ``Attribution`` lets it fail at once.
enum UnattributedReason: Sendable {
  /// One scope is open, and the request goes to this machine. It belongs to the scope only if a stub there can match.
  case loopback
  /// Several scopes are open.
  case several

  enum Outcome: Sendable {
    case registry
    case network
    indirect case failure(UnmatchedRequestError)
  }

  /// Decides by the stubs of every open scope. Don't call this on a queue of URLSession.
  ///
  /// - Parameter registry: The registry of the only open scope.
  func outcome(of request: URLRequest, in registry: StubRegistry, scopes: OpenScopes = .shared) -> Outcome {
    let incoming = IncomingRequest(request)
    switch self {
    case .loopback:
      guard registry.loopback == .passThrough else { return .registry }
      return registry.newestStub(forHeadOf: incoming, closuresMatch: true) == nil ? .network : .registry
    case .several:
      let list = ScopeList(scopes, incoming)
      guard list.matchesAny || list.claimsLoopback || !request.isLoopback else { return .network }
      let error = UnmatchedRequestError(
        request: request, nearest: [], description: ScopeHints.unclear(request, list).joined(separator: "\n"))
      return .failure(error)
    }
  }
}

extension StubRegistry {
  /// Returns the stub that is asked first of those that can answer a request, as far as the head of the request tells. No
  /// closure runs.
  func newestStub(forHeadOf incoming: IncomingRequest, closuresMatch: Bool = false) -> Stub? {
    // Without the body's hashes, every stub that is known by a body is a candidate.
    var head = RequestFacts(incoming)
    return withIndex { $0.candidates(olderThan: .max, &head, all: true) }.first { stub in
      let condition = stub.condition
      return !stub.isUsedUp && condition.canBe(true, &head, readsBody: false)
        && (closuresMatch || !condition.holdsClosure || !condition.canBe(false, &head, readsBody: false))
    }
  }
}

/// What reports say about scopes: whose request it is, which scopes are open, and what to do about it.
enum ScopeHints {
  /// Returns the lines about a request that no stub of a registry matches.
  ///
  /// If it is certain that the request belongs to the registry, the scopes of other tests have nothing to do with it,
  /// whatever stubs they contain.
  static func unmatched(
    _ incoming: IncomingRequest, in registry: StubRegistry, scopes: OpenScopes = .shared
  ) -> [String] {
    if registry === StubRegistry.global {
      let list = ScopeList(scopes, incoming, without: registry)
      return list.count == 0
        ? [] : ["The request was made outside of every scope. \(list.heading)"] + list.lines + cure
    }
    for outer in scopes.enclosing(registry) {
      guard let stub = outer.hint(incoming) else { continue }
      return [
        "A stub of an enclosing scope would match:", "  \(stub.line)",
        "A scope does not inherit stubs. Register the stub inside it, or open it with",
        "withStubs(registry: .current).",
      ]
    }
    if let stub = StubRegistry.global.hint(incoming) {
      return [
        "A stub outside of every scope would match:", "  \(stub.line)",
        "It was registered where no scope is open. Add the trait .stubbed to the test that registers it, or",
        "to its suite. In XCTest, inherit from StubbedTestCase.",
      ]
    }
    let hint: [String]
    switch incoming.confidence {
    case .certain, .unclaimed: return []
    case .session: hint = ["The request belongs to this scope only because its session was created here."]
    case .onlyScope:
      let heading = ScopeList(scopes, incoming).heading
      hint = ["It is unknown whose request this is. It names no scope, and no other one is open.", heading]
    }
    return hint + ["It may come from another test."] + cure
  }

  /// Returns the report of a request that can belong to any of several scopes.
  static func unclear(_ request: URLRequest, _ list: ScopeList) -> [String] {
    let prefix = "It is unclear whose request this is: "
    return [
      prefix + Excerpt.middle(request.summary(in: .shared), 100 - prefix.count),
      "It was made on a queue, on a thread or in a detached task, through a session that was created",
      "outside of every scope. \(list.heading)",
    ] + list.lines + cure + [
      "If code outside of scopes may use the network, write once: StubRegistry.global.isEnabled = false."
    ]
  }

  private static let cure = [
    "A request belongs to the scope of its task or its session. If it leaves its task, create its session in",
    "the test, with the registry's makeSession() for example, or pass its configuration to install(in:).",
  ]
}

extension StubRegistry {
  /// Returns a stub that would answer a request here. A stub that accepts any request is no hint.
  fileprivate func hint(_ incoming: IncomingRequest) -> Stub? {
    guard isEnabled, let stub = newestStub(forHeadOf: incoming) else { return nil }
    if case .all(let children, _) = stub.condition.node, children.isEmpty { return nil }
    return stub
  }
}

/// The open scopes in a report: their number, their tests, and the stubs in them that match.
struct ScopeList {
  /// A Boolean value that indicates whether some scope refuses requests to this machine that no stub matches.
  private(set) var claimsLoopback = false
  private(set) var count = 0
  private var tests: [String] = []
  /// The matching stubs. Cases of a parameterised test share a line.
  private var matches: [String] = []

  /// - Parameter excluded: The registry that was asked.
  init(_ scopes: OpenScopes, _ incoming: IncomingRequest, without excluded: StubRegistry? = nil) {
    for registry in scopes.registries.lazy.map(\.registry) where registry !== excluded && registry.isEnabled {
      count += 1
      if registry.loopback == .intercept { claimsLoopback = true }
      if let test = registry.misses?.test, !tests.contains(test) { tests.append(test) }
      if let stub = registry.newestStub(forHeadOf: incoming)?.line, !matches.contains(stub) { matches.append(stub) }
    }
  }

  /// A Boolean value that indicates whether some scope has a matching stub.
  var matchesAny: Bool { !matches.isEmpty }

  var heading: String {
    (count == 1 ? "One scope is open" : "\(count) scopes are open")
      + (tests.isEmpty ? "." : ": \(tests.cut(to: 6) { "\($0) more" }.joined(separator: ", ")).")
  }

  var lines: [String] { matches.map { "  with a matching stub: \($0)" } }
}

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

    func index(of registry: StubRegistry) -> Int? { scopes.firstIndex { $0.registry === registry } }

    /// Returns a scope, the scope in which it was opened, and so on.
    func chain(from innermost: Scope) -> [Scope] {
      var chain = [innermost]
      while let parent = scopes.first(where: { $0.registry === chain.last?.parent }) { chain.append(parent) }
      return chain
    }
  }

  private struct Scope {
    // The code that entered them holds both until after `leave`, so the last reference is never released under the lock.
    let registry: StubRegistry
    /// The registry in whose scope it was opened, or `nil` if there is none, or none any more.
    var parent: StubRegistry?
    /// A Boolean value that indicates whether a test of Swift Testing opened it.
    let isOfSwiftTesting: Bool
    /// The number of open scopes of the registry.
    var depth = 1
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
      if let index = state.index(of: registry) { return state.scopes[index].depth += 1 }
      let parent = parent.flatMap { state.index(of: $0) }.map { state.scopes[$0].registry }
      state.scopes.append(Scope(registry: registry, parent: parent, isOfSwiftTesting: isOfSwiftTesting))
    }
  }

  func leave(_ registry: StubRegistry) {
    let test = registry.test
    state.withLock { state in
      guard let index = state.index(of: registry) else { return }
      state.scopes[index].depth -= 1
      guard state.scopes[index].depth == 0 else { return }
      state.scopes.remove(at: index)
      for index in state.scopes.indices where state.scopes[index].parent === registry {
        state.scopes[index].parent = nil
      }
      state.lastTest = test
    }
  }

  /// A Boolean value that indicates whether no registry has an open scope.
  var isEmpty: Bool { state.withLock { $0.scopes.isEmpty } }

  /// A Boolean value that indicates whether a scope is open, or has been.
  var hadAny: Bool { state.withLock { $0.hadAny } }

  /// A Boolean value that indicates whether tests of Swift Testing opened all scopes, so that a test of XCTest has none.
  var areOfSwiftTesting: Bool { state.withLock { $0.scopes.allSatisfy(\.isOfSwiftTesting) } }

  /// The registries, the last one entered first.
  var registries: [HeldRegistry] { state.withLock { $0.scopes.reversed().map { HeldRegistry($0.registry) } } }

  /// Returns the registries whose scopes surround that of a registry, innermost first. Don't release them on a queue of
  /// URLSession.
  func enclosing(_ registry: StubRegistry) -> [StubRegistry] {
    state.withLock { state in
      state.index(of: registry).map { state.chain(from: state.scopes[$0]).dropFirst().map(\.registry) } ?? []
    }
  }

  /// The scope of a request that names none.
  enum Inferred {
    /// No scope is open, and none has ever been.
    case never
    /// No scope is open any more. The last one was that of the named test, if it is known.
    case ended(String?)
    /// The innermost scope, if each open scope is inside the next, and the generations of all.
    case only(StubRegistry, [ScopeGeneration])
    case several([ScopeGeneration])
  }

  /// The scope of a request that names none. A scope whose registry is not enabled only shields its code, and doesn't
  /// count.
  var inferred: Inferred {
    state.withLock { state in
      let open = state.scopes.filter(\.registry.isEnabled)
      guard let innermost = open.last else { return state.hadAny ? .ended(state.lastTest) : .never }
      let enclosing = state.chain(from: innermost).filter(\.registry.isEnabled).count
      let generations = open.map(\.registry.loads.generation)
      return enclosing == open.count ? .only(innermost.registry, generations) : .several(generations)
    }
  }
}

/// Warnings that no test owns: about requests of unknown origin, and about stubs outside of scopes. They go to standard
/// error.
///
/// Each text is told once, however many requests have it, and at most 20 of a kind, 5 of them with the same first line,
/// which names a method and a URL. The rest are counted, and the end of the process tells their number.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case unattributed = "requests that named no scope failed"
    case late = "requests came after the end of their test, or of every scope"
    case endless = "stubs answered 10,000 requests"
    case shared = "stubs were registered outside of every scope, where tests share them"
    case escaped = "requests of kinds that StubKit can't take went to the network"
  }

  /// How many warnings of each kind there were, and the texts that were told.
  private static let state = Protected<[Kind: (count: Int, texts: Set<String>)]>([:])

  /// Receives the warnings in place of the run, for tests.
  static let receiver = Protected<Closure<@Sendable (String) -> Void>?>(nil)

  /// - Parameters:
  ///   - text: The report of the request. Creating it can take long, so don't call this on a queue of URLSession.
  ///   - tell: Receives the warning in place of standard error.
  static func add(_ kind: Kind, _ text: String, tell: (String) -> Void = write) {
    let isNew = state.withLock { state in
      state[kind, default: (0, [])].count += 1
      let (texts, heading) = (state[kind]!.texts, text.prefix { !$0.isNewline })
      return texts.count < (kind == .shared || kind == .escaped ? 1 : 20)
        && texts.count { $0.prefix { !$0.isNewline } == heading } < MissCollection.mostReports
        && state[kind]!.texts.insert(text).inserted
    }
    if isNew { tell(text) } else { _ = tellsAtEnd }
  }

  /// Adds a request that was certainly made after the end of its test, or of every scope.
  ///
  /// - Parameters:
  ///   - test: The name of the test, or of the last one that had a scope. `nil` if it is unknown.
  ///   - isOutside: Whether the request was made outside of every scope.
  static func addLate(_ request: URLRequest, after test: String?, isOutside: Bool) {
    let summary = request.summary(in: .shared)
    add(
      .late,
      isOutside
        ? "\(summary) was requested outside of every scope, after \(test ?? "every scope") had ended. If a test has left it "
          + "behind, let the test wait for it. If code outside of scopes may use the network, write once: "
          + "HTTPStubs.unscoped = .passThrough."
        : "\(summary) was requested after its test had ended\(test.map { ": \($0)" } ?? ""). Wait in the test until the "
          + "client has made its last request and its handlers have returned.")
  }

  /// Adds a request of a kind that StubKit can't take, if stubs are in use where it is made. Call this there.
  ///
  /// - Parameter request: The request, or `nil` for a task that mustn't be asked for it.
  static func addEscape(of request: URLRequest?) {
    // What has no server doesn't leave the machine.
    guard !["data", "file", "about"].contains(request?.url?.scheme?.lowercased()),
      StubRegistry.local?.isEnabled ?? (StubRegistry.global.isEnabled || !OpenScopes.shared.isEmpty)
    else { return }
    add(
      .escaped,
      "\(request?.summary(in: .shared) ?? "A WebSocket, a stream or a task of AVFoundation") goes to the network, although stubs are in use here. StubKit can't take WebSockets, streams, FTP and "
        + "background sessions. Replace the part of the client that makes them, or let it ask a server of the test's own."
    )
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  static func write(_ warning: String) {
    if let receiver = receiver.withLock(\.self) { return receiver.call(warning) }
    FileHandle.standardError.write(Data("StubKit: warning: \(warning)\n".utf8))
  }

  private static let tellsAtEnd: Void = { _ = atexit { RequestWarnings.tellAtEnd() } }()

  private static func tellAtEnd() {
    let state = state.withLock(\.self)
    for kind in Kind.allCases {
      guard let (count, texts) = state[kind], count > texts.count else { continue }
      write("\(count) \(kind.rawValue). \(texts.count == 1 ? "1 is" : "\(texts.count) are") reported above.")
    }
  }
}

extension UnmatchedRequestError {
  /// Tells the test that a request certainly belongs to, or else warns about the request.
  func deliver(_ confidence: AttributionConfidence, to misses: MissCollection?) {
    switch confidence {
    case .certain, .session:
      guard let misses, !misses.add(self) else { return }
      RequestWarnings.add(
        .late, "\(description)\nThe test was over when it made the request\(misses.test.map { ": \($0)" } ?? "").")
    case .onlyScope, .unclaimed:
      if confidence == .onlyScope, let misses, misses.runsAlone, misses.add(self) { return }
      RequestWarnings.add(.unattributed, description)
    }
  }
}
