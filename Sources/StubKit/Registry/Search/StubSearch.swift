/// The search for the stubs that match one request, newest first.
///
/// The index finds candidates, and the search checks their whole conditions, each once. The registry's lock is held
/// only while the index is asked. A stub that is added meanwhile is found if its turn has not come.
struct StubSearch: ~Copyable {
  enum Result {
    /// The captures are `nil` where comparing bytes decides and a text is captured, which has yet to be found.
    case found(Stub, Captures?)
    /// The condition of the next stub needs a task. A new search in one finds out.
    case needsTask
    case none
  }

  /// A Boolean value that indicates whether the search runs in a task, where the user's closures may run, the body has
  /// been read, and a long one may be compared. Elsewhere others wait for this queue.
  let isInTask: Bool

  // The registry is not among these: whoever searches has it, and counting a reference to it takes longer than a probe.
  /// What the search knows about the request, with the results of the closures that it has run.
  private(set) var facts: RequestFacts
  private var keys = RequestKeys()

  /// The next candidates.
  private var run = StubIndex.Run()
  /// A Boolean value that indicates whether the index has to be asked for candidates after these.
  private var looksOn = true
  /// A Boolean value that indicates whether the candidates are all that are left, because the body can't be read here.
  private var isBodyUnread = false
  /// The rank of the last candidate. The next ones have a lower one.
  private var bound = UInt64.max
  /// The changes of the index up to the first look.
  private var changesBefore: StubIndex.Changes?

  @inline(__always)
  init(_ facts: consuming RequestFacts, isInTask: Bool) {
    self.facts = facts
    self.isInTask = isInTask
  }

  /// Returns the next stub of a registry that matches. It must be the same registry each time.
  mutating func next(in registry: StubRegistry) -> Result {
    while true {
      if isInTask, let stub = askClosures() { return .found(stub, Captures()) }
      guard let candidate = run.popNewest() else {
        guard looksOn else { return .none }
        look(in: registry)
        continue
      }
      // One that is found by several alternatives is checked once.
      if candidate.rank >= bound { continue }
      bound = candidate.rank
      if let result = check(candidate, in: registry) { return result }
    }
  }

  /// Returns whether it is certain that no stub matches, after the search has found none. If stubs were added and
  /// others removed meanwhile, one of them matched all the time, perhaps, where the search didn't look.
  func isCertain(in registry: StubRegistry) -> Bool {
    guard let before = changesBefore else { return true }
    let now = registry.withIndex { $0.changes }
    return now.added == before.added || now.removed == before.removed
  }

  /// Looks up the next candidates, and reads what they can be known by.
  private mutating func look(in registry: StubRegistry) {
    let isRead = registry.withIndex { index in
      if changesBefore == nil { changesBefore = index.changes }
      return index.findNewest(below: bound, &keys, &facts, &run)
    }
    if isRead { looksOn = !run.isLast } else { read(in: registry) }
  }

  /// Reads the header, or then the body. If the body can't be read here, the candidates are all stubs that are known by
  /// a body: their other criteria say whether reading it is worthwhile.
  @inline(never)
  private mutating func read(in registry: StubRegistry) {
    let parts = registry.withIndex { $0.parts }
    if !keys.isHeaderRead {
      // A header is shorter than a body, and can make reading that unnecessary.
      keys.readHeader(parts, &facts)
    } else if isInTask || !facts.bodyNeedsTask {
      keys.readBody(parts, &facts)
    } else {
      run = registry.withIndex { $0.candidates(below: bound, keys, facts) }
      (looksOn, isBodyUnread) = (false, true)
    }
  }

  /// Asks the next candidates that are nothing but a closure, and returns the first one that matches. There can be
  /// thousands, and all that another stub needs takes ten times as long as to run one of them.
  @inline(never)
  private mutating func askClosures() -> Stub? {
    guard let last = run.left.last, run.slots[last].element?.onlyClosure != nil else { return nil }
    let (slots, request) = (run.slots, facts.request)
    var results: [(closure: ObjectIdentifier, result: Bool)] = []
    var (left, isMet) = (run.left, false)
    while !isMet, let last = left.last {
      if slots[last].element != nil {
        guard let closure = slots[last].element?.onlyClosure else { break }
        isMet = closure.test(request)
        results.append((closure.id, isMet))
      }
      left = left.lowerBound..<last
    }
    bound = slots[left.upperBound].number
    run.left = left
    facts.note(results)
    return isMet ? slots[left.upperBound].element : nil
  }

  /// Returns `nil` for a stub that doesn't match, or that is used up.
  @inline(__always)
  private mutating func check(_ stub: Stub, in registry: StubRegistry) -> Result? {
    if stub.isUsedUp {
      lookAgain()
      registry.withIndex { $0.withdraw(stub) }
      return nil
    }
    if stub.turns < .max, !isBodyUnread, stub.useCount >= stub.turns {
      lookAgain()
      // What only the first alternative can meet is found once more, perhaps, by that.
      if registry.withIndex({ $0.narrow(stub) }) {
        bound = stub.rank + 1
        return nil
      }
    }
    let method = stub.compiled.looksAtMethod ? facts.methodCode : 0
    switch stub.compiled.passes(facts.requestURL, method: method) {
    case false?: return nil
    case true?:
      guard let rest = stub.compiled.rest else { return .found(stub, stub.compiled.captures ? nil : Captures()) }
      return check(stub, rest)
    case nil: return check(stub, stub.condition)
    }
  }

  /// Lets go of the run before its list changes, which would be copied otherwise.
  private mutating func lookAgain() {
    if !isBodyUnread { (run, looksOn) = (StubIndex.Run(), true) }
  }

  /// Checks what bytes can't decide of a stub's condition.
  @inline(never)
  private mutating func check(_ stub: Stub, _ condition: RequestMatcher) -> Result? {
    if !isInTask, condition.needsTask(&facts) { return .needsTask }
    facts.captures = Captures()
    return condition.isMet(by: &facts) ? .found(stub, facts.captures) : nil
  }
}
