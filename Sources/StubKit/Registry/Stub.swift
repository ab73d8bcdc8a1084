import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A condition and what answers the requests that meet it: the handle that `stub(condition:response:)` returns.
///
/// The handle counts its calls, knows where it was written, and takes the stub away again:
///
/// ```swift
/// let users = stub(condition: isPath("/users"), response: .json([]))
/// …
/// #expect(users.callCount == 1)
/// users.remove()
/// ```
///
/// A registry keeps its stubs alive; the handle may be thrown away.
public final class Stub: Sendable, Identifiable, CustomStringConvertible {
  /// What a request must meet.
  public let condition: RequestMatcher

  /// Where the stub was written.
  public let location: StubLocation

  /// Of several stubs that match, those of the highest priority answer first. 0 by default.
  public var priority: Int { Int(rank) }

  /// Unique in the process.
  public let id: UInt64

  let responder: Responder
  private let rank: Int16
  /// Whether an answer moves a scenario.
  let movesScenarios: Bool
  /// The condition, if it can be verified by comparing bytes.
  let plainCondition: PlainCondition?
  /// How many requests it can answer, nil for any number.
  let limit: Int?
  private let registry: WeakRegistry
  // Holds: touched only under the lock that `withState` takes.
  nonisolated(unsafe) private var state: State

  // Hold: the index that the stub stands in touches these, under the lock of the one registry the stub belongs to.
  /// Of those that match, the greatest answers: the priority, and within one the time of registration.
  nonisolated(unsafe) var ordinal: UInt64 = 0
  nonisolated(unsafe) var rosterPosition: Int32 = -1
  nonisolated(unsafe) var scanPosition: Int32 = -1
  nonisolated(unsafe) var firstEntry: Int32 = -1

  private struct State {
    var name: String?
    var callCount = 0
    var calls: StubCalls?
  }

  init(condition: RequestMatcher, responder: Responder, terms: StubTerms, registry: StubRegistry) {
    if case .sequence(let responses, _) = responder {
      require(!responses.isEmpty, "responses: at \(terms.location) is empty. Give at least one response, or .empty().")
    }
    self.condition = condition
    plainCondition = PlainCondition(condition)
    self.responder = responder
    location = terms.location
    rank = terms.priority
    movesScenarios = responder.movesScenarios
    limit = responder.limit.map { min($0, terms.times ?? .max) } ?? terms.times
    self.registry = WeakRegistry(registry)
    id = Self.ids.withLock { next in
      next += 1
      return next
    }
    state = State(name: terms.name)
  }

  private static let ids = Protected<UInt64>(0)

  /// A few locks for all stubs: one for each would take more memory than what it guards. What they protect is elsewhere;
  /// a value without a size would lie where the lock does, and look like a race to the thread sanitizer.
  private static let locks = (0..<64).map { Protected($0) }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    Self.locks[Int(truncatingIfNeeded: id & 63)].withLock { _ in body(&state) }
  }

  /// The stub's name in reports, nil for one that goes by its condition.
  public var name: String? {
    get { withState { $0.name } }
    set { withState { $0.name = newValue } }
  }

  /// How many requests the stub has been chosen for. A call counts when it is matched, not when it is answered.
  public var callCount: Int { withState { $0.callCount } }

  /// The requests the stub has been chosen for, oldest first, as far as the journal still holds them.
  public var requests: [RecordedRequest] {
    journal?.requests(of: id) ?? []
  }

  /// Nil once the registry is gone.
  var journal: RequestJournal? { registry.value?.journal }

  /// Whether the stub can answer another request: it is registered and has uses left.
  public var isActive: Bool { !isUsedUp && registry.value?.contains(self) == true }

  /// Takes the stub out of its registry. Requests it was already chosen for are still answered by it.
  ///
  /// - Returns: True the first time, false for a stub that is no longer registered.
  @discardableResult
  public func remove() -> Bool { registry.value?.remove(self) ?? false }

  /// The name, or else the condition as it was written, and the place.
  public var description: String { "\(name.map { "\"\($0)\"" } ?? condition.description) (\(location))" }

  /// Whether all the uses that `times:` or the responses allow are spent.
  var isUsedUp: Bool {
    guard let limit else { return false }
    return callCount >= limit
  }

  /// "2 of 2 uses", or "3 calls" where there is no limit.
  var usage: String {
    limit.map { "\(callCount) of \($0) uses" } ?? "\(callCount) \(callCount == 1 ? "call" : "calls")"
  }

  var reference: StubReference { StubReference(name: name, location: location, id: id) }

  /// Made when the stub first answers, or is waited for: most of very many stubs never do.
  var calls: StubCalls {
    withState { state in
      if let calls = state.calls { return calls }
      let calls = StubCalls()
      state.calls = calls
      return calls
    }
  }

  /// Sets what is called when a request that the stub was chosen for is over; nil calls nothing any more.
  ///
  /// ```swift
  /// stub(condition: isPath("/events"), response: .json([:])).onFinish { request in
  ///   print("\(request.request.url!) took \(request.duration!)")
  /// }
  /// ```
  ///
  /// It is called once for each request that is made from then on: when the response was given to its end or led to another request,
  /// just before the task hears of it; after a failure or a cancellation at the latest soon after it. Like the registry's callbacks
  /// (``StubRegistry/afterStubFinish(_:)``) it replaces the one before, runs where the requester's task-locals are seen and never under
  /// a lock, and may use `URLSession`.
  ///
  /// - Parameter callback: Gets the request as the journal has it, with its outcome.
  /// - Returns: The stub.
  @discardableResult
  public func onFinish(_ callback: (@Sendable (RecordedRequest) -> Void)?) -> Stub {
    // What the old one holds is the user's, and is let go outside the lock.
    let replaced = calls.onFinish.withLock { current in
      defer { current = callback }
      return current
    }
    _ = consume replaced
    registry.value?.observers.watchStubs()
    return self
  }

  /// Takes one use, all or nothing: nil when another request took the last one.
  func claim() -> Int? {
    withState { state in
      guard limit.map({ state.callCount < $0 }) ?? true else { return nil }
      state.callCount += 1
      return state.callCount
    }
  }
}

extension Stub: CustomReflectable {
  /// What a test framework shows of a stub when it reports one.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name as Any, "condition": condition.description, "location": location, "callCount": callCount,
      ])
  }
}

/// A stub does not keep its registry alive: the registry keeps the stub.
private struct WeakRegistry: @unchecked Sendable {
  // @unchecked holds because the reference is never changed after it is made, and reading a weak reference is atomic.
  private(set) weak var value: StubRegistry?

  init(_ value: StubRegistry) { self.value = value }
}
