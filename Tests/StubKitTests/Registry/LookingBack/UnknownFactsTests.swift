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
    func ask(_ body: Data?) -> Stub? {
      var request = request("http://a.example/log", method: "POST")
      if let body { request.httpBody = body } else { request.httpBodyStream = InputStream(data: Data("x".utf8)) }
      return registry.answerer(of: request)
    }
    let log = stub(condition: isPath("/log"), response: .status(204), in: registry)
    #expect(ask(nil) === log)
    let counted = RequestMatcher.counting(runs, answer: true)
    let closure = stub(condition: isPath("/log") && counted, response: .status(204), in: registry)
    #expect(ask(nil) == nil && runs.withLock(\.self) == 0)
    #expect(ask(Data()) === closure && runs.withLock(\.self) == 1)
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

  @Test("includes fields that URLSession adds after matching, unless the client has set them")
  func addedFields() async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: .status(204))
      _ = try await URLSession.shared.fetch(
        request("http://a.example/x", method: "POST", headers: ["Accept": "text/html"], body: "abc"))
      for name in [
        "Host", "content-length", "User-Agent", "Accept-Encoding", "Accept-Language", "Connection", "Transfer-Encoding",
      ] {
        for condition in [
          hasHeader(name), !hasHeader(name), hasHeader(name, "x"), headerMatches(name, "."),
          !(isPath("/y") || !hasHeader(name)), isPath("/x") && !hasHeader(name) && { _ in true },
        ] {
          for count in [.never, .once, .atLeast(1)] as [CallCount] {
            let report = report { try verify(condition, called: count) }
            #expect(
              report.contains("got 0 for certain")
                && report.contains("? header \(name): URLSession adds it after matching."),
              "\(condition), \(count): \(report)")
          }
          #expect(report { try verify(condition, called: .atMost(1)) } == "holds", "\(condition)")
          #expect(report { try verifyInOrder(condition) }.contains("URLSession adds it after matching"), "\(condition)")
          #expect(StubRegistry.current.journal.requests(matching: condition).isEmpty, "\(condition)")
        }
        // A side that is certain decides, and so does what the client has set.
        for (condition, count) in [
          (isPath("/y") && hasHeader(name), .never), (!(isPath("/y") && !hasHeader(name)), .once),
          (hasHeader(name) && { _ in false }, .never), (hasHeader("accept"), .once),
          (hasHeader("Accept", "text/plain"), .never), (!hasHeader("X-Other"), .once),
          (hasHeader("Content-Type"), .once),
        ] as [(RequestMatcher, CallCount)] {
          #expect(report { try verify(condition, called: count) } == "holds", "\(condition)")
        }
      }
      #expect(report { try verify(hasHeader("Host"), called: .never) }.contains("Write isHost."))
    }
    // A stub is asked when the request arrives, without them, and a server has them all.
    let registry = StubRegistry()
    let unset = stub(condition: !hasHeader("User-Agent"), response: .status(204), in: registry)
    _ = try await registry.makeSession().fetch("http://a.example/x")
    try verify(unset, called: .once)
    registry.journal.clear()
    registry.journal.decided(request("http://a.example/x", headers: ["Host": "a"])).ends(.cancelled)
    try verify(!hasHeader("User-Agent"), called: .once, in: registry)
    try verify(hasHeader("Accept"), called: .never, in: registry)
  }

  @Test("includes the content of a compressed body, but not its bytes")
  func compressedBodies() async throws {
    // {"a":"x"}, compressed by gzip.
    let bytes = Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyUqpQqgUAOnpHegkAAAA=")!
    for (coding, isKnown) in [("gzip", false), ("br", false), ("identity", true), ("", true)] {
      try await withStubs {
        stub(condition: isPath("/log"), response: .status(204))
        let headers = ["Content-Encoding": coding, "Content-Type": "application/json"]
        let post = request(url("http://a.example/log"), method: "POST", headers: headers, body: bytes)
        _ = try await URLSession.shared.fetch(post)
        for condition in [
          bodyContains("x\""), hasFormBody(["a": "x"]), isGraphQL(operation: "x"), hasMultipartPart(named: "a"),
          hasJSONBody(as: [String: String].self) { _ in true }, isPath("/log") && hasJSON(at: "a", equals: "x"),
        ] {
          for (condition, holds) in [(condition, CallCount.never), (!condition, .once)] {
            let report = report { try verify(condition, called: holds) }
            #expect(
              isKnown
                ? report == "holds"
                : report.contains("? body: its Content-Encoding is \(coding)") && report.contains("verify the stub"),
              "\(coding), \(condition): \(report)")
          }
        }
        // The bytes as they were sent are known, and so is what doesn't hang on the content.
        for (condition, count) in [
          (hasBody(bytes), .once), (!hasBody(bytes), .never), (isPath("/ads") && bodyContains("x"), .never),
          (isPath("/log") || bodyContains("x"), .once), (isPath("/log") && { $0.stubBody == bytes }, .once),
        ] as [(RequestMatcher, CallCount)] {
          #expect(report { try verify(condition, called: count) } == "holds", "\(coding), \(condition)")
        }
      }
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

  @Test(
    "includes its stub while a condition is asked, but not its body, which was read before",
    arguments: [nil, "secret"] as [String?])
  func asked(body: String?) async throws {
    try await withStubs {
      let slow = SlowCondition()
      let log = stub(condition: isPath("/log") && slow.matcher, response: .status(204))
      async let sent = URLSession.patient.fetch(request("http://a.example/log", method: "POST", streamed: body))
      try await until("the condition is asked") { slow.isAsked.isOpen }
      let error = await #expect(throws: StubWaitError.self) { try await log.waitForCalls(timeout: .zero) }
      let line = "POST http://a.example/log: StubKit asks the conditions of stubs"
      #expect(error?.description.contains(line) == true, "\(error as Any)")
      #expect(report { try verify(bodyContains("other"), called: .never) } == "holds")
      #expect(report { try verify(isPath("/log"), called: .never) }.contains("got 1\n"))
      // Its stub can still be this one, for each question again.
      #expect(report { try verify(log, called: .never) }.contains("its stub isn't known yet"))
      try verify(log, called: .atMost(3))
      #expect(report { try verify(log, called: .never) }.contains("its stub isn't known yet"))
      slow.answer.open()
      _ = try await sent
      try verify(isPath("/log"), called: .once)
    }
  }

  @Test("includes what other scopes or a disabled registry would have, and verifications say so", .inOwnProcess)
  func elsewhere() async {
    await withStubs {
      let all = stub(condition: .anything, response: .status(204))
      _ = try? await URLSession.shared.fetch("http://a.example/users")
      for count in [.atLeast(1), .never] as [CallCount] {
        let reports = await Task.detached {
          [
            StubKitTests.report { try verify(isPath("/users"), called: count) },
            StubKitTests.report { try verifyInOrder(isPath("/users")) },
            // The stubs in question are elsewhere, too.
            StubKitTests.report { try HTTPStubs.verifyAllStubsUsed() },
          ]
        }.value
        #expect(reports[2].contains("it isn't certain whether all stubs were used"), "\(reports[2])")
        #expect(reports[2].contains("Write registry.verifyAllStubsUsed(), or run this in the scope"), "\(reports[2])")
        for report in reports {
          #expect(report.contains("runs outside of every scope. One scope is open."), "\(count): \(report)")
        }
      }
      StubRegistry.global.isEnabled = true
      for count in [.never, .atMost(1)] as [CallCount] {
        await Task.detached {
          let report = StubKitTests.report { try verify(isPath("/users"), called: count) }
          #expect(report.contains("got 0 for certain") && report.contains("One scope is open."), "\(count): \(report)")
        }.value
      }
      StubRegistry.current.isEnabled = false
      let report = report { try verify(isPath("/ads"), called: .never) }
      #expect(report.contains("The registry isn't enabled, so it receives no requests."), "\(report)")
      #expect(StubKitTests.report { try HTTPStubs.verifyAllStubsUsed() }.contains("The registry isn't enabled"))
      let ofStub = StubKitTests.report { try verify(all, called: .once) }
      #expect(ofStub.contains("got 1 for certain\n") && ofStub.contains("The registry isn't enabled"), "\(ofStub)")
      #expect(
        StubKitTests.report { try verify(all, called: .atLeast(1)) } == "holds", "no other call could change that")
    }
    let ofGlobal = stub(condition: isPath("/ads"), response: .status(204), in: .global)
    await withStubs {
      await Task.detached {
        let report = StubKitTests.report { try verify(ofGlobal, called: .never) }
        #expect(report.contains("got 0 for certain") && report.contains("One scope is open."), "\(report)")
      }.value
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

  @Test("doesn't include the body of a GET whose scope is unknown: it has none to meet a condition", .inOwnProcess)
  func strayWithoutBody() async throws {
    let registries = [StubRegistry(), StubRegistry()]
    for registry in registries { OpenScopes.shared.open(registry) }
    let registry = registries[0]
    stub(condition: .anything, response: .ok, in: registry)
    try await untilResumed { done in
      DispatchQueue(label: "of the client").async {
        URLSession(configuration: .ephemeral).dataTask(with: url("http://a.example/feed")) { _, _, _ in done.resume() }
          .resume()
      }
    }
    _ = try await registry.makeSession().fetch(
      request("http://a.example/log", method: "POST", body: "secret"))
    #expect(report { try verify(bodyContains("secret"), called: .once, in: registry) } == "holds")
    #expect(report { try verify(hasJSONBody(["id": 1]), called: .never, in: registry) } == "holds")
    #expect(
      report { try verify(hasFormBody(["id": "1"]) || hasJSON(at: "id", equals: 1), called: .never, in: registry) }
        == "holds")
    for condition in [isPath("/feed"), hasBody(Data()), !bodyContains("secret"), isPath("/feed") && { _ in true }] {
      let report = report { try verify(condition, called: .never, in: registry) }
      #expect(report.contains("It is unknown whose request this is"), "\(condition): \(report)")
    }
    for registry in registries { OpenScopes.shared.close(registry) }
  }

  @Test("doesn't matter to closestRequests(), which compares the newest hundred and runs no closure")
  func unused() {
    let registry = StubRegistry()
    for _ in 0..<250 { registry.journal.decided(request("http://a.example/")).ends(.answered(status: 200)) }
    let runs = Locked(0)
    let counts = RequestMatcher.counting(runs, answer: false)
    let unused = stub(condition: counts, response: .status(204), in: registry)
    let lines = unused.closestRequests(most: 3, ofNewest: 100)
    #expect(
      runs.withLock(\.self) == 0 && lines[0] == "100 requests were made last, of 250, closest first:", "\(lines)")
    #expect(unused.closestRequests().contains("250 requests were made, closest first:"))
  }
}
