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

    func index(of registry: StubRegistry) -> Int? { scopes.firstIndex { $0.registry === registry } }

    /// Returns a scope, the scope in which it was opened, and so on.
    func chain(from innermost: Scope) -> [Scope] {
      var chain = [innermost]
      while let parent = scopes.first(where: { $0.registry === chain.last?.parent }) { chain.append(parent) }
      return chain
    }
  }

  private struct Scope {
    // The code that entered them holds both until after `leave`, so the last reference is never released under the
    // lock.
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
    let (test, filters) = (registry.test, registry.filters)
    state.withLock { state in
      guard let index = state.index(of: registry) else { return }
      state.scopes[index].depth -= 1
      guard state.scopes[index].depth == 0 else { return }
      state.scopes.remove(at: index)
      for index in state.scopes.indices where state.scopes[index].parent === registry {
        state.scopes[index].parent = nil
      }
      state.lastTest = test
      state.filters = (state.filters + filters).suffix(20)
    }
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
    let open = registries.filter(\.registry.isEnabled)
    guard !open.isEmpty else { return nil }
    let tests = Set(open.compactMap { $0.registry.test }).sorted()
    let count = open.count == 1 ? "One scope is open" : "\(open.count) scopes are open"
    return tests.isEmpty ? "\(count)." : "\(count): \(tests.cut(to: 6) { "\($0) more" }.joined(separator: ", "))."
  }

  /// A Boolean value that indicates whether a scope is open, or has been.
  var hadAny: Bool { state.withLock { $0.hadAny } }

  /// A Boolean value that indicates whether tests of Swift Testing opened all scopes, so that a test of XCTest has
  /// none.
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
    case unreported = "reports of requests that no test has were due"
    case waiting = "requests waited for more than five seconds"
    case shared = "stubs were registered outside of every scope, where tests share them"
    case settings = "clocks and network conditions were set outside of every scope, where tests share them"
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

  /// Adds a request that belongs to no test. If a test that is strict is running, it is an issue of the run too, once
  /// for each method and URL.
  static func addUnattributed(_ error: UnmatchedRequestError) {
    add(.unattributed, error.description)
    guard OpenScopes.shared.registries.contains(where: { $0.registry.misses?.isStrict == true }),
      issues.withLock({ $0.insert(error.request.summary).inserted })
    else { return }
    RunningTest.current?.recordOfRun(
      "\(error.description)\nIt belongs to no test, and a test that is strict is running.")
  }

  /// The requests that are issues of the run.
  private static let issues = Protected<Set<String>>([])

  private static let unreportedCount = Protected(0)

  /// Adds an unmatched request that no test reports. A client that asks again and again would hang without a word, so
  /// the hundredth is told, and each thousandth.
  static func addUnreported(_ report: String) {
    let count = unreportedCount.withLock { count in
      count += 1
      return count
    }
    guard count == 100 || count % 1_000 == 0 else { return }
    add(
      .unreported,
      "\(count) requests had no stub where no test reports it, and the client goes on. The last one:\n\(report)")
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
          + "client has made its last request and its handlers have returned. For another test, create its session there."
    )
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
