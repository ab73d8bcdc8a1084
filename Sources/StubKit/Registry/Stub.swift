import Foundation

/// A condition and the response to the requests that meet it, as `stub(condition:response:)` returns it.
///
/// A stub counts its calls, knows its location in the source code, and can be removed:
///
/// ```swift
/// let users = stub(
///   .get, "https://api.example.com/users",
///   response: .json([]))
/// …
/// #expect(users.callCount == 1)
/// users.remove()
/// ```
///
/// A registry keeps its stubs alive, so you don't have to keep the stub.
public final class Stub: Sendable, Identifiable, CustomStringConvertible {
  /// The rank among matching stubs: the priority, and among equal ones the time of creation. The greatest answers. It
  /// is one number, because the index reads and compares it for each candidate of a request.
  let rank: UInt64
  /// The number of requests that the stub can answer. The greatest number is any number.
  let limit: Int
  /// The closure of a condition that is nothing else, if the stub doesn't count its uses. There can be thousands that
  /// every request asks, and each reference on the way to the closure costs as much as to call it.
  let onlyClosure: OnlyClosure?
  /// The number of requests after which only the first alternative of the condition can match, as for an entry of a
  /// recording whose turn is over.
  let turns: Int
  /// What comparing bytes can decide of the condition.
  let compiled: CompiledCondition
  /// A Boolean value that indicates whether an answer moves a scenario.
  let movesScenarios: Bool
  /// The condition that a request must meet.
  public let condition: RequestMatcher

  /// The location of the stub in the source code.
  public let location: StubLocation

  /// The priority among matching stubs. The highest priority answers. Defaults to 0.
  ///
  /// Priorities beyond `Int32` count as its limits.
  public var priority: Int { Int(rank >> 32) + Int(Int32.min) }

  /// An identifier that is unique in the process.
  public let id: UInt64

  package let responder: Responder
  /// The registry that the stub was made in, or `nil` if it is gone. The registry keeps the stub alive, and not the
  /// other way round.
  // Safe because the reference never changes after `init`, and reading a weak reference is atomic.
  package private(set) nonisolated(unsafe) weak var home: StubRegistry?
  // Safe because it is touched only under the lock that `withState` takes.
  nonisolated(unsafe) private var state: State

  struct OnlyClosure {
    /// The identity by which its result is noted.
    let id: ObjectIdentifier
    let test: @Sendable (URLRequest) -> Bool

    init(_ closure: ClosureTest) { (id, test) = (ObjectIdentifier(closure), closure.test) }
  }

  private struct State {
    var name: String?
    /// The number of the newest use.
    var lastUse = 0
    /// How many uses were given back that weren't the newest ones.
    var returnedCount = 0
    var counts: CallCounts?
    /// The listener whose closure `onFinish(_:)` sets, or `nil` if none was ever set.
    var listener: RequestListener?
  }

  /// - Parameters:
  ///   - times: The number of requests that it answers, or `nil` for any number.
  ///   - isLast: Whether the stub is asked after all others of its priority, instead of before them.
  init(
    condition: RequestMatcher, responder: Responder, name: String? = nil, times: Int? = nil, priority: Int = 0,
    isLast: Bool = false, turns: Int = .max, location: StubLocation, registry: StubRegistry
  ) {
    self.condition = condition
    compiled = CompiledCondition(condition)
    self.responder = responder
    self.location = location
    movesScenarios = responder.contains { $0.options?.moves.isEmpty == false }
    // A stub that can't match has no uses.
    limit = condition.mistake == nil && !responder.isEmpty ? min(responder.limit ?? .max, times ?? .max) : 0
    onlyClosure = if case .closure(let test) = condition.node, limit == .max { OnlyClosure(test) } else { nil }
    home = registry
    self.turns = turns
    id = Self.ids.withLock { next in
      next += 1
      return next
    }
    // Of one priority, the stub with the greatest place answers. Places count up from the middle, so that the newest
    // comes first, and down for stubs behind all others. Two billion stubs have room on either side.
    let place = isLast ? 0x8000_0000 - id : 0x8000_0000 + id
    rank = UInt64(Int(Int32(clamping: priority)) - Int(Int32.min)) << 32 | place
    state = State(name: name)
  }

  deinit { LastReleases.handOver((condition, responder, state)) }

  private static let ids = Protected<UInt64>(0)

  /// The identifier of the newest stub of the process.
  static var newestID: UInt64 { ids.current }

  /// The locks of all stubs: stub `id` uses lock `id % 64`. One for each stub would take more memory than what it
  /// guards. Each lock guards a number, because the thread sanitizer takes a value without a size for the lock itself.
  private static let locks = (0..<64).map { Protected($0) }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    Self.locks[Int(truncatingIfNeeded: id & 63)].withLock { _ in body(&state) }
  }

  /// The name of the stub in reports, or `nil` if reports show its condition.
  public var name: String? {
    get { withState { $0.name } }
    set { withState { $0.name = newValue } }
  }

  /// The number of requests that the stub has been chosen for, since ``HTTPStubs/forgetRequests()`` if that was called.
  /// A call counts when it is matched, not when it is answered.
  ///
  /// The property waits until the stub of each request that was resumed is known, for a second at most. In the closures
  /// of stubs, which can be part of the search for a stub, it doesn't wait.
  public var callCount: Int {
    settle()
    return count(of: .chosen)
  }

  /// Returns how many of the stub's requests that the test has not forgotten have reached a milestone.
  package func count(of milestone: CallCounts.Milestone) -> Int {
    guard let counts = withState(\.counts) else { return 0 }
    return counts.inFlight.table.withLock { counts.count(of: milestone, in: $0.era) }
  }

  /// The number of requests that the stub was ever chosen for, forgotten or not.
  var totalCount: Int {
    guard let counts = withState(\.counts) else { return 0 }
    return counts.inFlight.table.withLock { _ in counts.total }
  }

  /// A Boolean value that indicates whether the stub was ever chosen for a request, forgotten or not.
  package var wasUsed: Bool { totalCount > 0 }

  /// The number of uses that were taken so far.
  package var useCount: Int { withState { $0.lastUse - $0.returnedCount } }

  /// Waits until the stub of each request that was resumed is known.
  private func settle() { home?.inFlight.settle(for: .ofStubs) }

  /// The requests that the stub has been chosen for, oldest first, as far as the journal still contains them.
  public var requests: [RecordedRequest] {
    guard let journal else { return [] }
    journal.inFlight.settle()
    guard wasUsed else { return [] }
    let entries = journal.made.entries
    return journal.inFlight.table.withLock { _ in
      entries.filter { $0.state.request.stub?.id == id }.map(\.state.request)
    }
  }

  /// The newest request that the stub has been chosen for, as far as the journal still contains it.
  ///
  /// ```swift
  /// #expect(login.lastRequest?.header("Authorization") == "Bearer t")
  /// ```
  public var lastRequest: RecordedRequest? {
    guard let journal else { return nil }
    journal.inFlight.settle()
    guard let counts = withState(\.counts), let number = counts.inFlight.table.withLock({ counts.newest(in: $0.era) })
    else { return nil }
    return journal.entry(number)?.request
  }

  /// The journal of the registry, or `nil` if the registry is gone.
  var journal: RequestJournal? { home?.journal }

  /// A Boolean value that indicates whether the stub is not registered any more.
  var isRemoved: Bool { home?.contains(self) != true }

  /// A Boolean value that indicates whether the stub can answer another request: it is registered and has uses left.
  ///
  /// The property waits as ``callCount`` does.
  public var isActive: Bool {
    settle()
    return !isUsedUp && !isRemoved
  }

  /// Removes the stub from its registry. It still answers the requests that it was chosen for earlier, and isn't
  /// reported as unused.
  ///
  /// - Returns: `true` the first time, and `false` if the stub was removed before.
  @discardableResult
  public func remove() -> Bool { home?.remove(self) ?? false }

  /// The name, or else the condition as it was written, and the location.
  public var description: String { "\(name.map { "\"\($0)\"" } ?? condition.description) (\(location))" }

  /// A Boolean value that indicates whether all uses that `times:` or the responses allow are spent.
  var isUsedUp: Bool { limit < .max && withState(\.lastUse) >= limit }

  /// The uses in words: "2 of 2 times", or "3 calls" without a limit.
  var usage: String { limit < .max ? "\(useCount) of \(limit) times" : useCount.calls }

  var reference: StubReference { StubReference(name: name, location: location, id: id) }

  /// Those who wait for its requests learn that it was removed.
  func noteRemoval() { withState { $0.counts }?.noteRemoval() }

  var counts: CallCounts {
    if let counts = withState({ $0.counts }) { return counts }
    let new = CallCounts(among: home?.inFlight ?? RequestsInFlight())
    return withState { state in
      let counts = state.counts ?? new
      state.counts = counts
      return counts
    }
  }

  /// The listener whose closure `onFinish(_:)` sets.
  var listener: RequestListener {
    withState { state in
      let listener = state.listener ?? RequestListener(of: home, nil)
      state.listener = listener
      return listener
    }
  }

  /// Takes one use. Returns `nil` if another request took the last one.
  func claim() -> StubUse? {
    withState { state in
      guard state.lastUse < limit else { return nil }
      state.lastUse += 1
      let counts = state.counts ?? CallCounts(among: home?.inFlight ?? RequestsInFlight())
      state.counts = counts
      return StubUse(
        stub: self, reference: StubReference(name: state.name, location: location, id: id), counts: counts,
        callNumber: state.lastUse)
    }
  }

  /// Returns the use that the next request would take, and doesn't take it, if the answer needs the network of the
  /// registry. Returns `nil` if its response has network conditions of its own.
  func useWithoutNetwork() -> StubUse? {
    let number = withState(\.lastUse) + 1
    let response: StubResponse? =
      switch responder {
      case .value(let value): value
      case .sequence(let responses, _): responses[responder.index(ofCall: number)]
      // What it would return isn't known.
      case .closure: nil
      }
    guard response?.options?.network == nil else { return nil }
    return StubUse(stub: self, reference: reference, counts: counts, callNumber: number, isTaken: false)
  }

  /// Gives a use back that a request has taken whose client has left meanwhile. If another request has taken the next
  /// one, it is lost, because a response may hang on its number.
  fileprivate func giveBack(_ number: Int) {
    withState { state in
      if state.lastUse == number { state.lastUse -= 1 } else { state.returnedCount += 1 }
    }
  }

  /// Puts the stub back into the index after a use was given back: searches that took it for the last one have taken
  /// the stub out.
  func returnToIndex() { if limit < .max { home?.withIndex { $0.restore(self) } } }
}

/// A use of a stub that a request has taken, or would have taken if there were a network.
struct StubUse {
  let stub: Stub
  /// The stub as it was named then.
  let reference: StubReference
  let counts: CallCounts
  /// The number of the call, from 1.
  let callNumber: Int
  var isTaken = true

  func giveBack() { if isTaken { stub.giveBack(callNumber) } }
}

extension Stub: CustomReflectable {
  /// The text that a test framework shows when it reports a stub.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name as Any, "condition": condition.description, "location": location, "callCount": count(of: .chosen),
      ])
  }
}

extension Stub {
  /// Why the stub can't answer as it is written, or `nil` if nothing is wrong with it.
  ///
  /// A stub whose condition is a mistake, whose `times:` is below 1, or that has no responses never matches. With
  /// StubKitTesting, it is an issue of its test, at its own line. Otherwise StubKit prints the sentence on standard
  /// error. Reports name it first. A stub whose response can't be sent matches, and its requests fail with a
  /// ``StubResponseError``, which is an issue at the stub's line too.
  package var mistake: String? {
    if let mistake = condition.mistake { return mistake }
    if responder.isEmpty { return "responses: is empty. Pass at least one response, such as .status(204)." }
    if limit < 1 { return "times: must be at least 1, but it is \(limit). Leave it out for a stub without a limit." }
    return responder.map(\.problem).lazy.compactMap { $0 }.first.map { "The stub \($0)" }
  }

  /// A Boolean value that indicates whether a mistake keeps the stub from matching.
  package var isMistaken: Bool { limit < 1 }

  /// How a client that never stops can be brought to stop, and how a test says that it means so many requests.
  var wayToStop: String {
    "If the client never stops, let \(end). If the test means so many requests, pass times: with their number."
  }

  /// What ends the requests of a client.
  private var end: String {
    if responder.isClosure { return "the response closure end it" }
    let isStream = responder.contains { $0.headers["Content-Type"]?.hasPrefix("text/event-stream") == true }
    let statuses = responder.map { $0.failure == nil ? $0.status : 0 }
    // After an error, a client tries again, and after a page, it asks for the next one.
    let isJSON = responder.contains { $0.headers["Content-Type"]?.hasPrefix("application/json") == true }
    let responses: String? =
      switch statuses.last ?? 200 {
      // A status of 204 tells a reader of events to stop (WHATWG HTML, section 9.2.3).
      case _ where isStream: "[.events([\"1\"]), .status(204)]"
      case 0: "[.failure(.networkConnectionLost), .ok]"
      case let status where status >= 400: "[.status(\(status)), .ok]"
      default: isJSON ? "[.json([1]), .json([])]" : nil
      }
    return "a later response end it\(responses.map { ": responses: \($0)" } ?? ", in responses:")"
  }
}

extension [Stub] {
  /// How many stubs there are, and each with the number of its calls, on a line of its own.
  var linesWithCalls: String {
    let lines = map { "\n  \($0): \($0.callCount) \($0.callCount == 1 ? "call" : "calls")" }
    return "\(count) \(count == 1 ? "stub" : "stubs")\(lines.joined())"
  }
}
