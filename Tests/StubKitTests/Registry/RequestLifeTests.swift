import Testing

@testable import StubKit

private typealias Life = RequestLife

/// Everything that can happen to a request, each with its name.
private struct Event: Sendable {
  let name: String
  let happen: @Sendable (inout Life) -> Life.Actions

  init(_ name: String, _ happen: @escaping @Sendable (inout Life) -> Life.Actions) {
    self.name = name
    self.happen = happen
  }

  static let answers: [Life.Wait] = [.search, .code, .test, .delivery(isDue: true), .delivery(isDue: false)]

  /// What comes at the latest, for each request.
  static let last = [
    Event("drops") { $0.drops() }, Event("reports") { $0.reports() }, Event("takesCall") { $0.takesCall() },
    Event("forgetsCall") { $0.forgetsCall() },
    Event("ends") { $0.ends() }, Event("handsOver") { $0.handsOver() },
    Event("returnsCallbacks") { $0.returnsCallbacks() },
  ]

  static let all =
    last + [
      Event("arrives") { $0.arrives() }, Event("arrives in a file") { $0.arrives(.inFile) },
      Event("arrives unread") { $0.arrives(.coming) },
      Event("asksForBody") { $0.asksForBody() }, Event("endsBody") { $0.endsBody() },
      Event("breaksBody") { $0.breaksBody() }, Event("findsNone") { $0.findsNone() },
      Event("withdraws") { $0.withdraws() }, Event("beginsCall") { $0.beginsCall() }, Event("leaves") { $0.leaves() },
      Event("leads") { $0.leads() }, Event("leadsNowhere") { $0.leadsNowhere() },
      Event("ends on the network") { $0.ends(isOnNetwork: true) },
      Event("beginsCallbacks") { $0.beginsCallbacks() },
    ] + answers.map { answer in Event("awaits \(answer)") { $0.awaits(answer) } }
    + answers.flatMap { answer in
      [true, false].map { stub in Event("decides \(stub) \(answer)") { $0.decides(byStub: stub, answer) } }
    }
}

/// What has been done for one request so far, by those who do what its events return.
private struct Ledger: Hashable {
  var chosen = 0
  var completed = 0
  var queued = 0
  var ended = 0
  var released = 0
  var left = 0
  var told = 0
  /// How many requests each reader waits for, of this one.
  var awaited: [Int]

  private static let readers: [Life.Readers] = [.ofStubs, .ofRequests, .ofEnd, .ofScope]

  /// Whoever adds a request counts it. One that the network has from its birth holds nothing that a scope would end.
  init(_ life: Life) {
    awaited = Self.awaited(by: life)
    released = life.client == .onNetwork ? 1 : 0
  }

  static func awaited(by life: Life) -> [Int] { readers.map { life.readers.contains($0) ? 1 : 0 } }

  mutating func add(_ actions: Life.Actions) {
    func count(_ step: Life.Steps) -> Int { actions.steps.contains(step) ? 1 : 0 }
    chosen += count(.countCall)
    completed += count(.countCompleted)
    queued += count(.queueCall)
    ended += count(.endCall)
    released += count(.release)
    left += count(.leave)
    told += count(.tell)
    for (index, reader) in Self.readers.enumerated() {
      if actions.less.contains(reader) { awaited[index] -= 1 }
      if actions.more.contains(reader) { awaited[index] += 1 }
    }
  }
}

private struct Moment: Hashable, CustomStringConvertible {
  var life: Life
  var done: Ledger

  init(_ life: Life) {
    self.life = life
    done = Ledger(life)
  }

  func after(_ events: some Sequence<Event>) -> Moment {
    var next = self
    for event in events { next.done.add(event.happen(&next.life)) }
    return next
  }

  var description: String {
    "search \(life.search), body \(life.body), client \(life.client), callbacks \(life.callbacks), call \(life.call); \(done)"
  }
}

@Suite("The state machine of a request")
struct RequestLifeTests {
  private static let births = [Life(), Life(.pending), .elsewhere]

  /// Each moment that events can lead to, with the number of lives among them.
  private static let reached: Set<Moment> = {
    var reached: Set<Moment> = []
    var rest = births.map(Moment.init)
    while let now = rest.popLast() {
      guard reached.insert(now).inserted else { continue }
      rest += Event.all.map { now.after([$0]) }
    }
    return reached
  }()

  @Test("has 744 states that it can reach: another number shows that the machine has changed")
  func states() {
    let count = Set(Self.reached.map(\.life)).count
    print("The life of a request has \(count) states.")
    #expect(count == 744)
  }

  @Test("has done the same on each way to a state")
  func ways() { #expect(Set(Self.reached.map(\.life)).count == Self.reached.count) }

  @Test("keeps nine rules in each state that it can reach")
  func rules() {
    var broken: [String] = []
    for now in Self.reached {
      broken += Self.brokenRules(of: now).map { "\($0): \(now)" }
      for event in Event.all {
        let next = now.after([event])
        broken += Self.brokenRules(from: now, to: next).map { "\($0): \(now), then \(event.name), and \(next)" }
      }
    }
    #expect(broken.isEmpty, "\(broken.count) cases, the first: \(broken.prefix(3).joined(separator: "\n"))")
  }

  @Test("ends in whatever order the last events come")
  func ends() {
    for now in Self.reached {
      for first in Event.last.indices {
        let order = Array(Event.last[first...] + Event.last[..<first])
        for order in [order, order.reversed()] {
          // What comes too early comes again.
          let end = now.after(order + order)
          #expect(end.done.left == 1, "\(now)")
          #expect(
            Event.all.allSatisfy { end.after([$0]).done == end.done }, "What comes late leads to something: \(end)")
        }
      }
    }
  }

  /// The rules of one moment, from what has been done. A reader checks them against this list, and not against the
  /// questions of a life, which its actions come from.
  private static func brokenRules(of now: Moment) -> [String] {
    let (life, done) = (now.life, now.done)
    let isOver = [.led, .onNetwork, .over].contains(life.client)
    let isChosen = life.search == .decided(byStub: true)
    let isSearched = [.made, .running, .reporting].contains(life.search)
    let isUnread = [.inFile, .coming, .asked].contains(life.body)
    let hasCallbacks = life.callbacks == .pending
    let hasRest = life.client == .led || isSearched || hasCallbacks || life.call == .waits
    let hasCall = life.call != .none
    var rules: [(String, Bool)] = [
      ("1. It leaves once, when nothing is under way", done.left == (isOver && !hasRest ? 1 : 0)),
      (
        "2. A call is counted once, as soon as the stub is chosen", done.chosen == (isChosen ? 1 : 0)
      ),
      (
        "3. So is its end, after the callbacks", done.completed == (done.chosen == 1 && isOver && !hasCallbacks ? 1 : 0)
      ),
      (
        "4. There is one call, which ends once",
        done.queued == (hasCall ? 1 : 0) && done.ended == (hasCall && isOver ? 1 : 0)
      ),
      ("4. Only the stub that was chosen has a call", !hasCall || isChosen),
      ("5. What the scope would end is released once", done.released == (isOver ? 1 : 0)),
      ("6. The numbers of the table are those of a new look", done.awaited == Ledger.awaited(by: life)),
    ]
    let isUndecided = [.made, .running].contains(life.search)
    rules += [
      ("7. A look for stubs waits for what is undecided", done.awaited[0] == (isUndecided && !isOver ? 1 : 0)),
      (
        "7. A look for requests waits for bodies, too",
        done.awaited[1] == ((isUndecided || isUnread) && !isOver ? 1 : 0)
      ),
      ("7. The end of a scope waits for callbacks", done.awaited[3] == (hasCallbacks ? 1 : 0)),
    ]
    let comes =
      switch life.client {
      case .waits(for: .search), .waits(for: .code), .waits(for: .delivery(isDue: true)), .leaves, .led: true
      case .waits(for: .test), .waits(for: .delivery(isDue: false)), .onNetwork: false
      case .over: hasCallbacks
      }
    rules.append(
      (
        "7. The end of a test waits for what comes by itself, and nothing else",
        done.awaited[2] == (isSearched || isUnread && !isOver || comes ? 1 : 0)
      ))
    rules.append(
      (
        "9. Those who listen learn of it once, when it is over and its stub is known",
        done.told == (isOver && !isSearched && life.search != .absent ? 1 : 0)
      ))
    return rules.filter { !$0.1 }.map(\.0)
  }

  /// The rules of one event.
  private static func brokenRules(from old: Moment, to new: Moment) -> [String] {
    let (was, life) = (old.life, new.life)
    let ways: [Life.Search: [Life.Search]] = [
      .made: [.running, .unasked, .absent],
      .running: [.reporting, .decided(byStub: true), .decided(byStub: false), .dropped],
      .reporting: [.decided(byStub: false)],
    ]
    let isLed = was.client == .led && life.client == .over
    let rules = [
      ("7. No look waits for it twice", (0...1).allSatisfy { new.done.awaited[$0] <= old.done.awaited[$0] }),
      ("8. The search goes one way", life.search == was.search || ways[was.search]?.contains(life.search) == true),
      (
        "8. The rest of a stream doesn't come after the end",
        ![.led, .onNetwork, .over].contains(life.client) || ![.coming, .asked].contains(life.body)
      ),
      ("8. A lost body finds nothing", !(was.search == .running && life.body == .lost) || life.search == .dropped),
      ("8. An end stays", ![.led, .onNetwork, .over].contains(was.client) || life.client == was.client || isLed),
      ("8. So do callbacks that have returned", was.callbacks != .returned || life.callbacks == .returned),
      (
        "8. A body that is known stays, from the arrival on",
        was.search == .made || was.body != .known || life.body == .known
      ),
      (
        "4. Who has waited for the test has a call",
        was.client != .waits(for: .test) || life.client == was.client || life.call != .none
      ),
      ("8. What hasn't changed returns nothing", was != life || old.done == new.done),
      (
        "8. A cancel that is seen counts",
        was.client != .leaves || [.leaves, .led, .over, .onNetwork].contains(life.client)
      ),
    ]
    return rules.filter { !$0.1 }.map(\.0)
  }

  @Test("asks for the same if the actions of two events are added up as if they are done one by one")
  func sums() {
    var wrong: [String] = []
    for now in Self.reached {
      for first in Event.all {
        let between = now.after([first])
        for second in Event.all {
          var life = now.life
          var actions = first.happen(&life)
          actions.add(second.happen(&life))
          var done = now.done
          done.add(actions)
          if done != between.after([second]).done { wrong.append("\(now), \(first.name), \(second.name)") }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) cases, the first: \(wrong.prefix(3).joined(separator: "\n"))")
  }
}
