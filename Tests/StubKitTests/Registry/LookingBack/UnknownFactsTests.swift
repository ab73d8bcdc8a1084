import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What is not known of a request", .inTurn)
struct UnknownFactsTests {
  private struct Log: Decodable, Sendable {}

  /// Each hangs on the body, whichever it is.
  private static let conditions: [RequestMatcher] = [
    !bodyContains("secret"), isPath("/ads") || hasFormBody(["secret": nil]), hasJSONBody(as: Log.self) { _ in true },
    isPath("/log") && { $0.stubBody == nil }, hasMultipartPart(named: "photo"), isGraphQL(operation: "secret"),
  ]

  @Test("keeps closures from running if it is an unread body stream, which they could use up")
  func closures() {
    let (registry, runs) = (StubRegistry(), Locked(0))
    let closure = stub(
      condition: isPath("/log") && RequestMatcher.counting(runs, answer: true), response: .status(204), in: registry)
    var streamed = request("http://a.example/log", method: "POST")
    streamed.httpBodyStream = InputStream(data: Data("x".utf8))
    #expect(registry.answerer(of: streamed) == nil)
    #expect(runs.withLock(\.self) == 0)
    var whole = request("http://a.example/log", method: "POST")
    whole.httpBody = Data()
    #expect(registry.answerer(of: whole) === closure)
    #expect(runs.withLock(\.self) == 1)
  }

  @Test("keeps no stub from answering that asks only for the head, if it is an unread body stream")
  func stubOfHead() {
    let registry = StubRegistry()
    let log = stub(condition: isPath("/log"), response: .status(204), in: registry)
    var streamed = request("http://a.example/log", method: "POST")
    streamed.httpBodyStream = InputStream(data: Data("x".utf8))
    #expect(registry.answerer(of: streamed) === log)
  }

  @Sendable private static func holds(_ report: String) -> Bool { report == "holds" }

  /// What hangs on the body.
  private static func unknown(_ way: UnknownBody, in registry: StubRegistry) -> [PastQuestion] {
    let saysWhy = { @Sendable (report: String) in
      way.reasons.allSatisfy(report.contains) && !report.contains("No requests were made")
    }
    return conditions.flatMap { condition in
      ([.never, .once, .atLeast(1)] as [CallCount]).map { count in
        PastQuestion("\(condition), \(count)", saysWhy) { try verify(condition, called: count, in: registry) }
      } + [
        PastQuestion("\(condition), in order", saysWhy) { try verifyInOrder(condition, in: registry) },
        PastQuestion("\(condition), in the journal", is: 0) { registry.journal.requests(matching: condition).count },
        // Whether it met the condition or not.
        PastQuestion("\(condition), at most once", holds) { try verify(condition, called: .atMost(1), in: registry) },
        PastQuestion("\(condition), twice", { !holds($0) }) { try verify(condition, called: 2, in: registry) },
      ]
    }
  }

  /// What doesn't hang on it.
  private static func known(in registry: StubRegistry) -> [PastQuestion] {
    let rows: [(RequestMatcher, CallCount)] = [
      (isPath("/log"), .once), (isPath("/ads") && bodyContains("secret"), .never),
      (isPath("/log") || bodyContains("secret"), .once), (isPath("/ads") && { _ in true }, .never),
    ]
    return rows.flatMap { condition, count in
      [
        PastQuestion("\(condition)", holds) { try verify(condition, called: count, in: registry) },
        PastQuestion("\(condition), in the journal", is: count.least) {
          registry.journal.requests(matching: condition).count
        },
      ]
    }
  }

  /// Each way in which a body stays unknown × each place that looks back. A condition on the body ("unknown") gets the
  /// reason, any other ("known") a certain answer.
  @Test(
    "counts neither as met nor as unmet, wherever the test looks back: each answer says why",
    arguments: UnknownBody.allCases)
  private func places(way: UnknownBody) async throws {
    try await withStubs {
      let registry = StubRegistry.current
      let reason = way.reasons[0]
      // The newer one answers. Whether this one would have is unknown.
      let shadowed = stub(condition: isPath("/log") && !bodyContains("x"), response: .status(204))
      let log = stub(condition: isPath("/log"), response: way.answer)
      try await way.run {
        let later = stub(condition: isPath("/log") && bodyContains("secret"), response: .status(204))
        var questions = Self.unknown(way, in: registry)
        questions += [
          PastQuestion("the shadowed stub, for certain", is: 0) {
            registry.journal.entries.count { entry in
              var facts = RequestFacts(entry)
              return shadowed.condition.certainlyMatches(&facts)
            }
          },
          PastQuestion("the closest requests", saying: reason) {
            later.closestRequests(most: 3, ofNewest: 100).joined(separator: "\n")
          },
        ]
        if way.hasEntry { questions += Self.known(in: registry) }
        if way == .underWay {
          questions += [
            PastQuestion("the unused stubs", { $0.contains(reason) }) { try registry.verifyAllStubsUsed() },
            PastQuestion("the newest requests", saying: "  POST /log: StubKit waits for its body") {
              registry.journal.newestRequests().joined(separator: "\n")
            },
          ]
        } else {
          // A stub of the unfinished body's own has answered it.
          questions.append(
            PastQuestion("its stub", Self.holds) { try verify(log, called: way == .unfinishedBody ? 0 : 1) })
        }
        try await PastQuestion.askAll(questions)

        let error = await #expect(throws: StubWaitError.self) { try await later.waitForCalls(timeout: .zero) }
        #expect(error?.description.contains(reason) == true, "\(error as Any)")
        if way == .underWay { #expect(error?.description.hasSuffix("or wait longer with timeout:.") == true) }
        if let request = try await onOwnThread({ registry.journal.entries.first?.request }) {
          let explanation = registry.explain(request)
          // With a stream that nobody has read, no stub answers yet.
          #expect(registry.answerer(of: request) == nil || request.httpBodyStream == nil)
          #expect(explanation.stub == nil)
          #expect(explanation.description.contains(", unless its body, which is not known, meets"))
        }
      }
      // A request that was under way is known when it has arrived.
      guard way == .underWay || way == .unfinishedBody else { return }
      try verify(bodyContains("secret"), called: .once)
      try verify(bodyContains("other"), called: .never)
      #expect(registry.inFlight.isDecided)
    }
  }

  /// Names of the fields that URLSession adds.
  private static let added = [
    "Host", "content-length", "User-Agent", "Accept-Encoding", "Accept-Language", "Connection", "Transfer-Encoding",
  ]

  /// Runs a test after one request, a POST with `Accept: text/html` to `/x`.
  private func withRequestToX(_ body: () throws -> Void) async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: .status(204))
      _ = try await URLSession.shared.fetch(
        request("http://a.example/x", method: "POST", headers: ["Accept": "text/html"], body: "abc"))
      try body()
    }
  }

  @Test("includes fields that URLSession adds after matching", arguments: added)
  func addedFields(name: String) async throws {
    try await withRequestToX {
      for condition in [
        hasHeader(name), !hasHeader(name), hasHeader(name, "x"), headerMatches(name, "."),
        !(isPath("/y") || !hasHeader(name)), isPath("/x") && !hasHeader(name) && { _ in true },
      ] {
        for count in [.never, .once, .atLeast(1)] as [CallCount] {
          let report = report { try verify(condition, called: count) }
          #expect(report.contains("got 0 for certain"), "\(condition), \(count): \(report)")
          #expect(report.contains("? header \(name): URLSession adds it after matching."), "\(condition), \(count)")
        }
        #expect(report { try verifyInOrder(condition) }.contains("URLSession adds it after matching"), "\(condition)")
        #expect(StubRegistry.current.journal.requests(matching: condition).isEmpty, "\(condition)")
        // That holds whether the field is added or not.
        try verify(condition, called: .atMost(1))
      }
    }
  }

  @Test("doesn't include a condition whose other side decides, whatever fields URLSession adds", arguments: added)
  func decidedBesideAddedFields(name: String) async throws {
    try await withRequestToX {
      try verify(isPath("/y") && hasHeader(name), called: .never)
      try verify(!(isPath("/y") && !hasHeader(name)), called: .once)
      try verify(hasHeader(name) && { _ in false }, called: .never)
    }
  }

  @Test("doesn't include fields that the client has set, nor those that URLSession never adds")
  func ownFields() async throws {
    try await withRequestToX {
      try verify(hasHeader("accept"), called: .once)
      try verify(hasHeader("Accept", "text/plain"), called: .never)
      try verify(hasHeader("Content-Type"), called: .once)
      try verify(!hasHeader("X-Other"), called: .once)
    }
  }

  @Test("includes the Host field, in place of which a verification says to write isHost")
  func hostField() async throws {
    try await withRequestToX {
      #expect(report { try verify(hasHeader("Host"), called: .never) }.contains("Write isHost."))
    }
  }

  @Test("doesn't include added fields for a stub, which is asked before URLSession adds them")
  func addedFieldsInStub() async throws {
    let registry = StubRegistry()
    let unset = stub(condition: !hasHeader("User-Agent"), response: .status(204), in: registry)
    _ = try await registry.makeSession().fetch("http://a.example/x")
    try verify(unset, called: .once)
  }

  @Test("doesn't include added fields of a request with a Host, as a server receives it: it has all of its fields")
  func fieldsAtServer() throws {
    let registry = StubRegistry()
    registry.journal.decided(request("http://a.example/x", headers: ["Host": "a"])).ends(.cancelled)
    try verify(!hasHeader("User-Agent"), called: .once, in: registry)
    try verify(hasHeader("Accept"), called: .never, in: registry)
  }

  /// {"a":"x"}, compressed by gzip.
  private static let compressed = Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyUqpQqgUAOnpHegkAAAA=")!

  /// Runs a test after one request with that body to `/log`.
  private func withCompressedBody(_ coding: String, _ body: () throws -> Void) async throws {
    try await withStubs {
      stub(condition: isPath("/log"), response: .status(204))
      let headers = ["Content-Encoding": coding, "Content-Type": "application/json"]
      let post = request(url("http://a.example/log"), method: "POST", headers: headers, body: Self.compressed)
      _ = try await URLSession.shared.fetch(post)
      try body()
    }
  }

  /// Conditions that the compressed bytes as they are don't meet.
  private static let ofContent = [
    bodyContains("x\""), hasFormBody(["a": "x"]), isGraphQL(operation: "x"), hasMultipartPart(named: "a"),
    hasJSONBody(as: [String: String].self) { _ in true }, isPath("/log") && hasJSON(at: "a", equals: "x"),
  ]

  @Test("includes the content of a compressed body", arguments: ["gzip", "br"], ofContent)
  func compressedContent(coding: String, condition: RequestMatcher) async throws {
    try await withCompressedBody(coding) {
      for (condition, count) in [(condition, CallCount.never), (!condition, .once)] {
        let report = report { try verify(condition, called: count) }
        #expect(report.contains("? body: its Content-Encoding is \(coding)"), "\(condition): \(report)")
        #expect(report.contains("verify the stub"), "\(condition): \(report)")
      }
    }
  }

  @Test("doesn't include the content of a body that isn't compressed", arguments: ["identity", ""], ofContent)
  func plainContent(coding: String, condition: RequestMatcher) async throws {
    try await withCompressedBody(coding) {
      try verify(condition, called: .never)
      try verify(!condition, called: .once)
    }
  }

  @Test("doesn't include the bytes of a compressed body, nor what doesn't hang on its content")
  func compressedBytes() async throws {
    try await withCompressedBody("gzip") {
      try verify(hasBody(Self.compressed), called: .once)
      try verify(!hasBody(Self.compressed), called: .never)
      try verify(isPath("/log") && { $0.stubBody == Self.compressed }, called: .once)
      try verify(isPath("/ads") && bodyContains("x"), called: .never)
      try verify(isPath("/log") || bodyContains("x"), called: .once)
    }
  }

  @Test("doesn't include the bytes of an uploaded file that is overwritten later")
  func known() async throws {
    try await withStubs {
      stub(condition: isPath("/log"), response: .status(204))
      let file = try TestFile(Data("secret".utf8))
      let request = request("http://a.example/log", method: "POST")
      _ = try await URLSession.shared.upload(for: request, fromFile: file.url)
      try Data("other".utf8).write(to: file.url)
      try verify(bodyContains("secret"), called: .once)
      try verify(bodyContains("other"), called: .never)
    }
  }

  /// Runs a test while the condition of a stub of `/log` is asked about a POST.
  private func whileAsked(body: String?, _ test: (Stub) async throws -> Void) async throws {
    try await withStubs {
      let slow = SlowCondition()
      let log = stub(condition: isPath("/log") && slow.matcher, response: .status(204))
      async let sent = URLSession.patient.fetch(request("http://a.example/log", method: "POST", streamed: body))
      try await until("the condition is asked") { slow.isAsked.isOpen }
      try await test(log)
      slow.answer.open()
      _ = try await sent
    }
  }

  @Test("includes its stub while a condition is asked, each time anew", arguments: [nil, "secret"] as [String?])
  func stubWhileAsked(body: String?) async throws {
    try await whileAsked(body: body) { stub in
      for _ in 1...2 { #expect(report { try verify(stub, called: .never) }.contains("its stub isn't known yet")) }
      // Whether it is this stub or not.
      try verify(stub, called: .atMost(1))
    }
  }

  @Test("doesn't include its head and body while a condition is asked", arguments: [nil, "secret"] as [String?])
  func requestWhileAsked(body: String?) async throws {
    try await whileAsked(body: body) { _ in
      try verify(bodyContains("other"), called: .never)
      try verify(isPath("/log"), called: .once)
    }
  }

  @Test("is what a wait for its stub names while a condition is asked")
  func waitWhileAsked() async throws {
    try await whileAsked(body: nil) { stub in
      let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(timeout: .zero) }
      let line = "POST http://a.example/log: StubKit asks the conditions of stubs"
      #expect(error?.description.contains(line) == true, "\(error as Any)")
    }
  }

  /// Each verification, in the same words. The last asks for stubs that are elsewhere, too.
  @Test("includes requests of other scopes, where a verification runs outside of every scope", .inOwnProcess)
  func outsideOfScopes() async {
    await withStubs {
      stub(condition: .anything, response: .status(204))
      _ = try? await URLSession.shared.fetch("http://a.example/users")
      let reports = await Task.detached {
        [
          report { try verify(isPath("/users"), called: .atLeast(1)) },
          report { try verify(isPath("/users"), called: .never) }, report { try verifyInOrder(isPath("/users")) },
          report { try HTTPStubs.verifyAllStubsUsed() },
        ]
      }.value
      for report in reports { #expect(report.contains("runs outside of every scope. One scope is open."), "\(report)") }
      #expect(reports[3].contains("it isn't certain whether all stubs were used"))
      #expect(reports[3].contains("Write registry.verifyAllStubsUsed(), or run this in the scope"))
    }
  }

  @Test("includes requests of other scopes, where a verification asks the global registry", .inOwnProcess)
  func global() async {
    let stub = stub(condition: isPath("/ads"), response: .status(204), in: .global)
    await withStubs {
      StubRegistry.global.isEnabled = true
      let reports = await Task.detached {
        [
          report { try verify(isPath("/users"), called: .never) },
          report { try verify(isPath("/users"), called: .atMost(1)) }, report { try verify(stub, called: .never) },
        ]
      }.value
      for report in reports {
        #expect(report.contains("got 0 for certain") && report.contains("One scope is open."), "\(report)")
      }
    }
  }

  @Test("includes the requests that a registry would have received, had it been enabled")
  func ofDisabledRegistry() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .status(204))
      _ = try await URLSession.shared.fetch("http://a.example/users")
      StubRegistry.current.isEnabled = false
      let reports = [
        report { try verify(isPath("/ads"), called: .never) }, report { try HTTPStubs.verifyAllStubsUsed() },
        report { try verify(stub, called: .once) },
      ]
      for report in reports { #expect(report.contains("The registry isn't enabled"), "\(report)") }
      #expect(reports[2].contains("got 1 for certain\n"))
      // No other call could change that.
      try verify(stub, called: .atLeast(1))
    }
  }

  @Test("includes its scope if a queue makes it while several are open, and verifications say so", .inOwnProcess)
  func stray() async throws {
    let registries = [StubRegistry(), StubRegistry()]
    for registry in registries { OpenScopes.shared.open(registry) }
    let registry = registries[0]
    let events = stub(.post, "http://a.example/events", response: .ok, in: registry)
    let ads = stub(.get, "http://a.example/ads", response: .ok, in: registry)
    try await untilResumed { done in
      DispatchQueue(label: "of the client").async {
        let event = request("http://a.example/events", method: "POST")
        URLSession(configuration: .ephemeral).dataTask(with: event) { _, _, _ in done.resume() }.resume()
      }
    }
    let isEvent = isMethod(.post) && isPath("/events")
    let error = await #expect(throws: StubWaitError.self) { try await events.waitForCalls(timeout: .zero) }
    for (number, report) in [
      error?.description ?? "", report { try verify(events, called: .never) }, report { try verify(events) },
      report { try verify(isEvent, called: .never, in: registry) }, report { try verify(isEvent, in: registry) },
      report { try verifyInOrder(isEvent, in: registry) }, report { try registry.verifyAllStubsUsed() },
    ].enumerated() {
      #expect(report.contains("It is unknown whose request this is"), "\(number): \(report)")
      #expect(report.contains("  POST http://a.example/events"), "\(number): \(report)")
    }
    #expect(report { try verify(events, called: .atMost(1)) } == "holds")
    #expect(report { try verify(ads, called: .never) } == "holds")
    for registry in registries { OpenScopes.shared.close(registry) }
  }

  @Test("doesn't include whether a stub was used before the test disabled the registry")
  func disabled() async throws {
    try await withStubs {
      let unused = stub(condition: isPath("/unused"), response: .ok)
      stub(condition: isPath("/used"), response: .ok)
      _ = try await URLSession.shared.fetch("http://a.example/used")
      StubRegistry.current.isEnabled = false
      #expect(StubRegistry.current.unusedStubs.map(\.id) == [unused.id])
    }
  }

  /// Runs a test with a registry that has received one POST, while two scopes are open and a queue makes a GET that can
  /// belong to either.
  private func withStrayGET(_ test: (StubRegistry) throws -> Void) async throws {
    let registries = [StubRegistry(), StubRegistry()]
    for registry in registries { OpenScopes.shared.open(registry) }
    defer { for registry in registries { OpenScopes.shared.close(registry) } }
    stub(condition: .anything, response: .ok, in: registries[0])
    try await untilResumed { done in
      DispatchQueue(label: "of the client").async {
        URLSession(configuration: .ephemeral).dataTask(with: url("http://a.example/feed")) { _, _, _ in done.resume() }
          .resume()
      }
    }
    _ = try await registries[0].makeSession().fetch(request("http://a.example/log", method: "POST", body: "secret"))
    try test(registries[0])
  }

  @Test("doesn't include the body of a GET whose scope is unknown: it has none to meet a condition", .inOwnProcess)
  func strayWithoutBody() async throws {
    try await withStrayGET { registry in
      try verify(bodyContains("secret"), called: .once, in: registry)
      try verify(hasJSONBody(["id": 1]), called: .never, in: registry)
      try verify(hasFormBody(["id": "1"]) || hasJSON(at: "id", equals: 1), called: .never, in: registry)
    }
  }

  @Test(
    "includes whether a GET whose scope is unknown meets a condition on its head, or on an empty body", .inOwnProcess)
  func strayHead() async throws {
    try await withStrayGET { registry in
      for condition in [isPath("/feed"), hasBody(Data()), !bodyContains("secret"), isPath("/feed") && { _ in true }] {
        let report = report { try verify(condition, called: .never, in: registry) }
        #expect(report.contains("It is unknown whose request this is"), "\(condition): \(report)")
      }
    }
  }

  @Test("doesn't matter to closestRequests(), which runs no closure")
  func closestRequests() {
    let (registry, runs) = (StubRegistry(), Locked(0))
    registry.journal.decided(request("http://a.example/")).ends(.answered(status: 200))
    let unused = stub(
      condition: RequestMatcher.counting(runs, answer: false), response: .status(204), in: registry)
    _ = unused.closestRequests()
    #expect(runs.withLock(\.self) == 0)
  }

  @Test("doesn't matter to closestRequests(), which says how many requests it compares")
  func comparedRequests() {
    let registry = StubRegistry()
    for _ in 0..<250 { registry.journal.decided(request("http://a.example/")).ends(.answered(status: 200)) }
    let unused = stub(condition: isPath("/unused"), response: .status(204), in: registry)
    let ofNewest = unused.closestRequests(most: 3, ofNewest: 100)
    #expect(ofNewest.first == "100 requests were made last, of 250, closest first:")
    #expect(unused.closestRequests().contains("250 requests were made, closest first:"))
  }
}
