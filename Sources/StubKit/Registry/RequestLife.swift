/// How far a request is, from the moment when its client makes it until the last callback of its client has returned.
///
/// ```text
/// search  made ─arrives→ running ─decides→ decided
///          │                │ ╰─findsNone→ reporting ─reports→ decided
///          │                ╰─drops, breaksBody, or decides when it is over→ dropped
///          ├─ends→ unasked
///          ╰─withdraws→ absent
/// client  waits for the search → code ⇄ a delivery → over, or on the network
///         waits for the search → the test → code ⇄ a delivery → over
///         waits → leaves → over
/// ```
///
/// A value without a lock, which does nothing by itself: an event changes it and returns what has to be done, once. An
/// event that comes too late, or again, changes nothing and returns nothing. ``JournalEntry`` keeps it and does what an
/// event returns. The first test to read is "keeps nine rules in each state that it can reach" in
/// `RequestLifeTests.swift`.
struct RequestLife: Hashable, Sendable {
  /// The search for its stub.
  enum Search: Hashable {
    /// Its client has made it. Its headers and its body aren't known yet.
    case made
    /// The registry has it, and asks the conditions of stubs.
    case running
    /// No stub matches it, and the report about that is being made, also for a client that has left.
    case reporting
    case decided(byStub: Bool)
    /// Nothing is chosen for it, because its client left first, or because its body broke off.
    case dropped
    /// It never arrived: its client left first, or it failed first.
    case unasked
    /// It isn't in the journal: its client has not made it after all, the cache answers it, or only its callbacks
    /// matter.
    case absent
  }

  /// Its body, as the journal is going to have it.
  enum Body {
    /// It is as it stays, also if nobody reads it.
    case known
    /// It is in a file, which may still be read.
    case inFile
    /// It is a stream, which may still be read.
    case coming
    /// The client's delegate is asked for it, on a queue of the client.
    case asked
    /// It has broken off.
    case lost
  }

  enum Client: Hashable {
    case waits(for: Wait)
    /// It has cancelled the request, and the loader doesn't know yet.
    case leaves
    /// It has its end, and the system begins the next request of its task.
    case led
    /// The network has it. When that answers isn't known.
    case onNetwork
    case over
  }

  /// What its client waits for.
  enum Wait: Hashable {
    case search
    /// Code that makes the answer or decides about it: a closure, a listener, a delegate, or what reads a file.
    case code
    case test
    /// The response. It is due if it comes by itself while the end of a test waits.
    case delivery(isDue: Bool)
  }

  /// The callbacks of its client. They have returned, too, when they are those of the next request of its task.
  enum Callbacks { case none, pending, returned }

  /// The call by which the test answers it. One that the test has forgotten can't be taken any more.
  enum Call { case none, waits, taken, forgotten }

  private(set) var search = Search.made
  private(set) var body = Body.known
  private(set) var client = Client.waits(for: .search)
  private(set) var callbacks: Callbacks
  private(set) var call = Call.none

  /// - Parameter callbacks: Pending if the end of the request's scope waits for them.
  init(_ callbacks: Callbacks = .none) { self.callbacks = callbacks }

  /// A request that is another's, or nobody's. Only its callbacks matter.
  static let elsewhere: RequestLife = {
    var life = RequestLife(.pending)
    (life.search, life.client) = (.absent, .onNetwork)
    return life
  }()

  // MARK: Questions

  /// A Boolean value that indicates whether its client has its end, or has left. The search and the report go on.
  var isOver: Bool {
    switch client {
    case .led, .onNetwork, .over: true
    case .waits, .leaves: false
    }
  }

  /// A Boolean value that indicates whether a stub can still be chosen for it.
  var isUndecided: Bool { isSearched && search != .reporting && !isOver }

  /// A Boolean value that indicates whether the search can still find that no stub matches, or is telling so.
  var isSearched: Bool {
    switch search {
    case .made, .running, .reporting: true
    case .decided, .dropped, .unasked, .absent: false
    }
  }

  var isUnread: Bool {
    switch body {
    case .inFile, .coming, .asked: true
    case .known, .lost: false
    }
  }

  /// A Boolean value that indicates whether it waits for the test, which has not taken its call.
  var isUntaken: Bool { client == .waits(for: .test) && call != .taken }

  /// A Boolean value that indicates whether it will have a call that the test can take, but has none yet: its body
  /// isn't known.
  var awaitsCall: Bool { client == .waits(for: .test) && call == .none }

  /// A Boolean value that indicates whether it can still have a call: it waits for its body, or for a closure.
  var canBeginCall: Bool { awaitsCall || client == .waits(for: .code) && call == .none }

  private var isUnderWay: Bool { !isOver || client == .led || isSearched || callbacks == .pending || call == .waits }

  /// A Boolean value that indicates whether something of it comes by itself.
  private var comes: Bool {
    switch client {
    case .waits(for: .search), .waits(for: .code), .waits(for: .delivery(isDue: true)), .leaves, .led: true
    case .waits(for: .test), .waits(for: .delivery(isDue: false)), .onNetwork: false
    case .over: callbacks == .pending
    }
  }

  // MARK: What follows from an event

  /// Who waits for requests.
  ///
  /// These are no `OptionSet`, nor are the steps: its operations are generic, and a debug build specialises none.
  struct Readers: Hashable {
    private(set) var bits: UInt8 = 0

    /// Who asks for their stubs, such as the calls of one.
    static let ofStubs = Readers(bits: 1)
    /// Who asks for them with their bodies.
    static let ofRequests = Readers(bits: 2)
    /// The end of a test, which waits for everything that comes by itself.
    static let ofEnd = Readers(bits: 4)
    /// The end of a scope, which waits for the callbacks.
    static let ofScope = Readers(bits: 8)
    /// Both ends, which wait for those who listen, too.
    static let ofEnds = Readers(bits: ofEnd.bits | ofScope.bits)

    var isEmpty: Bool { bits == 0 }
    func contains(_ other: Readers) -> Bool { bits & other.bits == other.bits }
    mutating func insert(_ other: Readers) { bits |= other.bits }
    func subtracting(_ other: Readers) -> Readers { Readers(bits: bits & ~other.bits) }
  }

  /// Those who wait for it.
  var readers: Readers {
    var readers = Readers()
    if isUndecided { readers.insert(.ofStubs) }
    if isUndecided || isUnread && !isOver { readers.insert(.ofRequests) }
    if isSearched || isUnread && !isOver || comes { readers.insert(.ofEnd) }
    if callbacks == .pending { readers.insert(.ofScope) }
    return readers
  }

  /// What is done once for each request.
  struct Steps: Hashable {
    private(set) var bits: UInt8 = 0

    /// It counts as a call of its stub.
    static let countCall = Steps(bits: 1)
    static let countCompleted = Steps(bits: 2)
    /// The call joins those that `nextCall()` takes.
    static let queueCall = Steps(bits: 4)
    static let endCall = Steps(bits: 8)
    /// The end of the scope has nothing to end any more.
    static let release = Steps(bits: 16)
    /// It leaves the table.
    static let leave = Steps(bits: 32)
    /// Those who listen learn of it, because it is over, and its stub is known.
    static let tell = Steps(bits: 64)

    var isEmpty: Bool { bits == 0 }
    func contains(_ other: Steps) -> Bool { bits & other.bits == other.bits }
    mutating func insert(_ other: Steps) { bits |= other.bits }
    func subtracting(_ other: Steps) -> Steps { Steps(bits: bits & ~other.bits) }
  }

  /// What an event returns.
  struct Actions: Hashable {
    var steps = Steps()
    /// Those who don't wait for it any more.
    var less = Readers()
    /// Those who wait for it now, and didn't before.
    var more = Readers()

    /// Adds what a second event returns.
    mutating func add(_ later: Actions) {
      let earlier = self
      steps.insert(later.steps)
      less = less.subtracting(later.more)
      less.insert(later.less.subtracting(earlier.more))
      more = more.subtracting(later.less)
      more.insert(later.more.subtracting(earlier.less))
    }
  }

  /// What has to have been done by now.
  private var steps: Steps {
    var steps = Steps()
    if isOver { steps.insert(.release) }
    if search == .decided(byStub: true) {
      steps.insert(.countCall)
      if isOver, callbacks != .pending { steps.insert(.countCompleted) }
    }
    if call != .none {
      steps.insert(.queueCall)
      if isOver { steps.insert(.endCall) }
    }
    if !isUnderWay { steps.insert(.leave) }
    if isOver, !isSearched, search != .absent { steps.insert(.tell) }
    return steps
  }

  private mutating func change(_ event: (inout Self) -> Void) -> Actions {
    let earlier = self
    event(&self)
    return conclude(since: earlier)
  }

  /// Changes what follows from any event, and returns what has to be done.
  ///
  /// It isn't inlined: a copy of it for each event would be the greater part of a request's own code.
  @inline(never)
  private mutating func conclude(since earlier: Self) -> Actions {
    if isOver {
      // Nobody looks for the stub of a request that ends before it arrives.
      if search == .made { search = .unasked }
      // Nobody sends the rest of a stream, and a reader that waits for it doesn't know yet.
      if body == .coming || body == .asked { loseBody() }
    }
    // The test can take the call of a request that has waited for it, although its client has left.
    if earlier.awaitsCall, client != earlier.client, call == .none { call = .waits }
    let (readers, before) = (readers, earlier.readers)
    return Actions(
      steps: steps.subtracting(earlier.steps), less: before.subtracting(readers), more: readers.subtracting(before))
  }

  private mutating func loseBody() {
    body = .lost
    if search == .running { search = .dropped }
  }

  // MARK: The search

  /// The registry has it.
  mutating func arrives(_ body: Body = .known) -> Actions {
    change { if $0.search == .made { ($0.search, $0.body) = (.running, body) } }
  }

  /// The client's delegate is asked for its body.
  mutating func asksForBody() -> Actions { change { if $0.body == .coming { $0.body = .asked } } }

  /// Its body has been read, or nobody will read it.
  mutating func endsBody() -> Actions { change { if $0.isUnread { $0.body = .known } } }

  /// Its body has broken off, so no condition can be asked about it.
  mutating func breaksBody() -> Actions {
    change { if $0.isUnread { $0.loseBody() } }
  }

  /// A stub is chosen, or something else is that answers it. Its client waits for that from now on. For one that has
  /// left, nothing is chosen any more.
  mutating func decides(byStub: Bool, _ wait: Wait) -> Actions {
    change { life in
      guard life.search == .running, wait != .search, byStub || wait != .test else { return }
      if life.isOver { return life.search = .dropped }
      life.search = .decided(byStub: byStub)
      if case .waits = life.client { life.client = .waits(for: wait) }
    }
  }

  /// No stub matches it, and nothing else answers it.
  mutating func findsNone() -> Actions { change { if $0.search == .running { $0.search = .reporting } } }

  /// The report that no stub matches it is made. Its failure follows.
  mutating func reports() -> Actions {
    change { life in
      guard life.search == .reporting else { return }
      life.search = .decided(byStub: false)
      if case .waits = life.client { life.client = .waits(for: .delivery(isDue: true)) }
    }
  }

  /// The search ends without a result.
  mutating func drops() -> Actions { change { if $0.search == .running { $0.search = .dropped } } }

  /// What the search can find.
  enum Finding {
    /// What answers it, and what its client waits for from now on.
    case answer(byStub: Bool, Wait)
    case nothing
    /// Its client has left.
    case noClient
  }

  mutating func finds(_ finding: Finding) -> Actions {
    switch finding {
    case .answer(let byStub, let wait): decides(byStub: byStub, wait)
    case .nothing: findsNone()
    case .noClient: drops()
    }
  }

  /// Its client has not made it after all, or the registry isn't asked.
  mutating func withdraws() -> Actions {
    change { life in
      guard life.search == .made else { return }
      life.search = .absent
      if case .waits = life.client { life.client = .waits(for: .delivery(isDue: false)) }
    }
  }

  // MARK: The answer

  /// Its client waits for something else. For the test, it waits by `decides` and `beginsCall` only.
  mutating func awaits(_ wait: Wait) -> Actions {
    change { life in
      guard case .waits = life.client, wait != .search, wait != .test else { return }
      switch life.search {
      case .running, .reporting: return
      // It fails before it has arrived.
      case .made: life.search = .unasked
      case .decided, .dropped, .unasked, .absent: break
      }
      life.client = .waits(for: wait)
    }
  }

  /// The test can answer it.
  mutating func beginsCall() -> Actions {
    change { life in
      guard life.call == .none, life.search == .decided(byStub: true), case .waits = life.client else { return }
      (life.call, life.client) = (.waits, .waits(for: .test))
    }
  }

  /// The test has taken its call.
  mutating func takesCall() -> Actions { change { if $0.call == .waits { $0.call = .taken } } }

  /// The test has forgotten the request, and never takes its call.
  mutating func forgetsCall() -> Actions { change { if $0.call == .waits { $0.call = .forgotten } } }

  // MARK: The end

  /// Its client is found to have cancelled it.
  mutating func leaves() -> Actions { change { if case .waits = $0.client { $0.client = .leaves } } }

  /// - Parameter isOnNetwork: Whether the network has it from now on.
  mutating func ends(isOnNetwork: Bool = false) -> Actions {
    change { if !$0.isOver { $0.client = isOnNetwork ? .onNetwork : .over } }
  }

  /// The system follows its response, and begins the next request of its task.
  mutating func leads() -> Actions { change { if case .waits = $0.client { $0.client = .led } } }

  /// The system begins no other request of its task after all.
  mutating func leadsNowhere() -> Actions { change { if $0.client == .led { $0.client = .over } } }

  /// The next request of its task has begun, and has its callbacks from now on.
  mutating func handsOver() -> Actions {
    change { life in
      if life.client == .led || life.search == .absent && !life.isOver { life.client = .over }
      if life.isOver, life.callbacks == .pending { life.callbacks = .returned }
    }
  }

  /// The end of its scope waits for its callbacks.
  mutating func beginsCallbacks() -> Actions {
    change { if $0.callbacks == .none, !$0.isOver { $0.callbacks = .pending } }
  }

  mutating func returnsCallbacks() -> Actions {
    change { if $0.callbacks == .pending { $0.callbacks = .returned } }
  }
}
