import Foundation
import TestSupport
import Testing

@testable import StubKit

/// A way to make a request without waiting for anything.
private enum Resuming: CaseIterable, Sendable {
  case data, delegate, uploadOfData, uploadOfFile, streamedUpload, stream, download, afterSuspension, cache

  /// Tasks read it after the test has gone on.
  private static let file = Result { try TestFile(Data("a=1".utf8)) }

  /// Makes a POST, and returns once its task was resumed.
  func run(_ address: String) throws {
    var request = request(address, method: "POST", body: "a=1")
    let done: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { _, _, _ in }
    let task: URLSessionTask
    switch self {
    case .data, .afterSuspension:
      task = URLSession.shared.dataTask(with: request, completionHandler: done)
    case .delegate:
      task = TransferEvents(stream: WatchedStream(Data())).session(.ephemeral).dataTask(with: request)
    case .uploadOfData:
      request.httpBody = nil
      task = URLSession.shared.uploadTask(with: request, from: Data("a=1".utf8), completionHandler: done)
    case .uploadOfFile:
      request.httpBody = nil
      let file = try Self.file.get().url
      task = URLSession.shared.uploadTask(with: request, fromFile: file, completionHandler: done)
    case .streamedUpload:
      request.httpBody = nil
      let delegate = TransferEvents(stream: WatchedStream(Data("a=1".utf8)))
      task = delegate.session(.ephemeral).uploadTask(withStreamedRequest: request)
    case .stream:
      request.httpBody = nil
      request.httpBodyStream = InputStream(data: Data("a=1".utf8))
      task = URLSession.shared.dataTask(with: request, completionHandler: done)
    case .download: task = URLSession.shared.downloadTask(with: request) { _, _, _ in }
    case .cache:
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      task = URLSession(configuration: configuration).dataTask(with: request, completionHandler: done)
    }
    task.resume()
    if self == .afterSuspension {
      task.suspend()
      task.resume()
    }
  }
}

/// What the stubs of a test need to be told apart, from a look at the head to a closure.
private enum Need: CaseIterable, Sendable {
  case head, body, closure, responseClosure, nothingMatches

  /// Registers the stubs. Returns the one that answers, or `nil` if none does.
  func register(_ path: String) -> Stub? {
    let isRight = isPath(path)
    return switch self {
    case .head: stub(condition: isRight, response: .status(204))
    case .body: stub(condition: isRight && hasFormBody(["a": "1"]), response: .status(204))
    case .closure: stub(condition: isRight && { $0.httpMethod == "POST" }, response: .status(204))
    case .responseClosure: stub(condition: isRight) { _ in .status(204) }
    case .nothingMatches: nil
    }
  }
}

/// Looking back right after `resume()`, without waiting for anything.
@Suite("A request, as soon as its task was resumed,", .inTurn)
struct ArrivalTests {
  static let repetitions = TestSize.of(20, inPart: 2)

  @Test(
    "is seen by verifications, the journal and its stub, without a wait in the test",
    arguments: Resuming.allCases, Need.allCases)
  private func seen(resuming: Resuming, need: Need) throws {
    for _ in 0..<Self.repetitions {
      try withStubs {
        let (registry, ads) = (StubRegistry.current, isPath("/ads"))
        let stub = need.register("/ads")
        let other = StubKit.stub(condition: isPath("/other"), response: .status(204))
        func resume() throws { try resuming.run("http://a.example/ads") }

        try resume()
        #expect(throws: VerificationError.self) { try verify(ads, called: .never) }
        try resume()
        try verifyInOrder(ads, ads)
        try resume()
        #expect(registry.journal.requests(matching: ads).count == 3)
        try resume()
        #expect(registry.journal.entries.count == 4)
        try resume()
        #expect(registry.journal.unmatchedRequests.count == (stub == nil ? 5 : 0))
        try verify(other, called: .never)
        guard let stub else {
          // Nobody reads the stream of a request that nothing matches.
          if ![.stream, .streamedUpload].contains(resuming) { try verify(ads && bodyContains("a=1"), called: 5) }
          return
        }
        try resume()
        #expect(throws: VerificationError.self) { try verify(stub, called: .atMost(5)) }
        try resume()
        #expect(stub.callCount == 7)
        try resume()
        #expect(stub.requests.count == 8)
        try resume()
        #expect(stub.lastRequest?.text == "a=1")
        try resume()
        #expect(registry.journal.requests(matching: ads && bodyContains("a=1")).count == 10)
        try resume()
        try verify(ads && bodyContains("a=1"), called: 11)
        try resume()
        #expect(registry.unusedStubs.map(\.id) == [other.id])
      }
    }
  }

  @Test("has used up its stub, and moved its scenario, for all who ask")
  func use() {
    for _ in 0..<Self.repetitions {
      withStubs {
        let (request, door) = (request("http://a.example/ads"), StubScenario(initial: "closed"))
        func resume() { URLSession.shared.dataTask(with: request) { _, _, _ in }.resume() }
        let last = stub(condition: isPath("/ads"), response: .status(204))
        let second = stub(condition: isPath("/ads"), response: .status(204).moving(door, to: "open"), times: 1)
        let first = stub(condition: isPath("/ads"), response: .status(204), times: 1)
        resume()
        #expect(StubRegistry.current.answerer(of: request) === second)
        #expect(!first.isActive)
        resume()
        #expect(door.state == "open")
        resume()
        #expect(StubRegistry.current.explain(request).stub === last)
        #expect(second.callCount == 1)
      }
    }
  }

  @Test("is in the journal, in the order in which it was made, whatever its stub reads")
  func order() {
    for _ in 0..<Self.repetitions {
      withStubs {
        stub(.post, "http://a.example/a", where: hasJSON(at: "n", equals: 1), response: .status(204))
        stub(.get, "http://a.example/b", response: .status(204))
        stub(condition: isPath("/c") && { _ in true }, response: .status(204))
        let body = #"{"n":1,"rest":""# + String(repeating: "x", count: 200_000) + #""}"#
        let before = Date()
        for request in [
          request("http://a.example/a", method: "POST", streamed: body), request("http://a.example/b"),
          request("http://a.example/c"), request("http://a.example/none"), request("http://a.example/b"),
        ] {
          URLSession.shared.dataTask(with: request) { _, _, _ in }.resume()
        }
        let after = Date()
        let entries = StubRegistry.current.journal.entries
        #expect(entries.map { $0.url.path } == ["/a", "/b", "/c", "/none", "/b"])
        #expect(entries.allSatisfy { before <= $0.startedAt && $0.startedAt <= after })
        #expect(entries.map(\.startedAt) == entries.map(\.startedAt).sorted())
      }
    }
  }

  @Test("has a duration that includes the time in which conditions are asked")
  func duration() async throws {
    try await withStubs {
      let slow = SlowCondition()
      stub(condition: .anything && slow.matcher, response: .status(204))
      async let sent = URLSession.patient.fetch("http://a.example/slow")
      try await until("the condition is asked") { slow.isAsked.isOpen }
      let asked = ContinuousClock.now
      try await until("a while is over") { ContinuousClock.now - asked > .milliseconds(50) }
      slow.answer.open()
      _ = try await sent
      #expect(try #require(StubRegistry.current.journal.entries.first?.duration) >= .milliseconds(50))
    }
  }

  @Test("isn't there if the task was cancelled before, or is still suspended")
  func neverResumed() async throws {
    try await withStubs {
      let (registry, request) = (StubRegistry.current, request("http://a.example/ads"))
      let stub = stub(condition: .anything, response: .status(204))
      let (made, cancelled) = (URLSession.shared.dataTask(with: request), URLSession.shared.dataTask(with: request))
      cancelled.cancel()
      try await until("the cancelled one is over") { cancelled.state == .completed }
      try verify(stub, called: .never)
      #expect(registry.journal.entries.isEmpty && registry.inFlight.comingCount == 0)
      // A new task is suspended once, and this one twice.
      made.suspend()
      made.resume()
      try verify(stub, called: .never)
      made.resume()
      try verify(stub, called: .once)
    }
  }

  @Test("can be verified while others are made at the same time")
  func meanwhile() async throws {
    try await withStubs {
      stub(condition: .anything, response: .ok)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            URLSession.shared.dataTask(with: request("http://a.example/\(number)")) { _, _, _ in }.resume()
            try verify(isPath("/\(number)"), called: .once)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("can be looked up in its stub's closures, which don't wait for it")
  func closures() async throws {
    try await withStubs {
      let registry = StubRegistry.current
      let seen = Locked<[[Int]]>([])
      @Sendable func look() -> Bool {
        let stub = registry.stubs.first!
        let (calls, entries) = (stub.callCount, registry.journal.entries.count)
        seen.withLock { $0.append([calls, entries, stub.lastRequest == nil ? 0 : 1]) }
        return true
      }
      stub(condition: { _ in look() }) { _ in
        _ = look()
        return .status(204)
      }
      registry.onActivation { _, _, _ in _ = look() }
      _ = try await URLSession.shared.fetch("http://a.example/ads")
      // Calls, entries, and whether there is a last request: in the condition, and in the closure of the response.
      #expect(seen.withLock(\.self).prefix(2) == [[0, 1, 0], [1, 1, 1]])
      #expect(registry.inFlight.lookCount == 0)
    }
  }

  @Test("is waited for by verifications in a task that a closure starts, and in a closure's own scope", .inOwnProcess)
  func besideClosures() async throws {
    for _ in 0..<Self.repetitions {
      try await withStubs {
        let look: @Sendable () throws -> Void = {
          URLSession.shared.dataTask(with: request("http://a.example/ads")) { _, _, _ in }.resume()
          try verify(isPath("/ads"), called: .once)
        }
        let (later, hasReturned) = (Locked<Task<Void, any Error>?>(nil), Latch())
        stub(condition: isPath("/ads"), response: .ok)
        stub(condition: isPath("/page")) { _ in
          try withStubs {
            stub(condition: isPath("/ads"), response: .ok)
            try look()
          }
          later.withLock {
            $0 = Task {
              try await until("the closure has returned") { hasReturned.isOpen }
              try look()
            }
          }
          return .ok
        }
        #expect(try await URLSession.shared.fetch("http://a.example/page").status == 200)
        hasReturned.open()
        try await later.withLock(\.self)?.value
      }
    }
  }

  @Test("is reported at the end of the test if its stub isn't known, with what StubKit waits for")
  func undecidedAtEnd() async {
    await withStubs {
      let slow = SlowCondition()
      stub(condition: slow.matcher, response: .status(204))
      URLSession.patient.dataTask(with: request("http://a.example/ads")).resume()
      let sentences = await StubRegistry.current.settleRequests().map(\.sentence)
      #expect(sentences.count == 1)
      #expect(
        sentences.first?.hasPrefix("It isn't known whether a stub matches GET http://a.example/ads: ") == true
          && sentences.first?.contains("waits for a closure in the condition of a stub") == true, "\(sentences)")
      slow.answer.open()
    }
  }

  /// Resumes a POST whose body comes from a delegate on the main queue. The delegate can't be asked for it while the
  /// main thread looks back.
  @MainActor
  private func resumeUploadFromMainQueue() {
    let delegate = TransferEvents(stream: WatchedStream(Data("a=1".utf8)))
    let post = request("http://a.example/ads", method: "POST")
    delegate.session(.ephemeral, on: .main).uploadTask(withStreamedRequest: post).resume()
  }

  @Test(
    "is uncertain for a stub of its body, on the main thread, if a delegate on the main queue gives it", .inOwnProcess)
  @MainActor
  func bodyFromMainQueue() async throws {
    try await withStubs {
      let stub = stub(condition: hasFormBody(["a": "1"]), response: .status(204))
      resumeUploadFromMainQueue()
      let report = report { try verify(stub, called: .never) }
      #expect(report.contains("got 0 for certain"), "\(report)")
      // The delegate is asked once the main thread is free.
      try await stub.waitForCalls()
    }
  }

  @Test(
    "is certain for a condition on its head, on the main thread, if a delegate on the main queue gives its body",
    .inOwnProcess)
  @MainActor
  func headFromMainQueue() async throws {
    try await withStubs {
      let stub = stub(condition: hasFormBody(["a": "1"]), response: .status(204))
      resumeUploadFromMainQueue()
      try verify(isMethod(.post), called: .once)
      try await stub.waitForCalls()
    }
  }

  @Test("isn't waited for on the main thread if a delegate on the main queue gives its body", .inOwnProcess)
  @MainActor
  func lookFromMainQueue() async throws {
    try await withStubs {
      let stub = stub(condition: hasFormBody(["a": "1"]), response: .status(204))
      resumeUploadFromMainQueue()
      let isOverInTime: Bool = StubRegistry.current.inFlight.settle()
      #expect(isOverInTime)
      #expect(!StubRegistry.current.inFlight.isDecided)
      try await stub.waitForCalls()
    }
  }

  @Test("with a body from its delegate is seen on any dispatch queue but the one beneath the delegate's")
  func streamOfDelegateAbove() async throws {
    for isBeneath in [false, true] {
      try await withStubs {
        let registry = StubRegistry.current
        let stub = stub(condition: hasFormBody(["a": "1"]), response: .status(204))
        let (beneath, above) = (DispatchQueue(label: "beneath"), OperationQueue())
        above.underlyingQueue = beneath
        let delegate = TransferEvents(stream: WatchedStream(Data("a=1".utf8)))
        let task = delegate.session(.ephemeral, on: above)
          .uploadTask(withStreamedRequest: request("http://a.example/ads", method: "POST"))
        let seen = try await untilResumed { continuation in
          (isBeneath ? beneath : DispatchQueue(label: "another")).async {
            task.resume()
            let count = registry.journal.requests(matching: hasFormBody(["a": "1"])).count
            continuation.resume(returning: (count, registry.inFlight.settle()))
          }
        }
        #expect(seen.0 == (isBeneath ? 0 : 1) && seen.1, "\(isBeneath): \(seen)")
        try await stub.waitForCalls()
      }
    }
  }

  @Test("can be looked up by the stream of its body, which doesn't wait for it")
  func streamLooksBack() async throws {
    try await withStubs { () async throws in
      let registry = StubRegistry.current
      stub(condition: hasFormBody(["a": "1"]), response: .status(204))
      // What each read sees: the number of requests, and that of looks that had to wait.
      let seen = Locked<[[Int]]>([])
      let look: @Sendable () -> Void = {
        let count = registry.journal.entries.count
        seen.withLock { $0.append([count, registry.inFlight.lookCount]) }
      }
      var sent = request("http://a.example/ads", method: "POST")
      sent.httpBodyStream = WatchedStream(Data("a=1".utf8), onRead: look)
      #expect(try await URLSession.shared.fetch(sent).status == 204)
      #expect(Set(seen.withLock(\.self)) == [[1, 0]])
      let delegate = TransferEvents(stream: WatchedStream(Data("a=1".utf8), onRead: look))
      delegate.session(.ephemeral).uploadTask(withStreamedRequest: request("http://a.example/ads", method: "POST"))
        .resume()
      #expect(try await delegate.untilCompletion().last == "complete")
    }
  }

  @Test("is certain on the main thread if a delegate on another queue gives its body")
  @MainActor
  func streamOfOtherDelegate() throws {
    try withStubs {
      let stub = stub(condition: hasFormBody(["a": "1"]), response: .status(204))
      let post = request("http://a.example/ads", method: "POST")
      for count in 1...Self.repetitions {
        let delegate = TransferEvents(stream: WatchedStream(Data("a=1".utf8)))
        delegate.session(.ephemeral).uploadTask(withStreamedRequest: post).resume()
        try verify(stub, called: .exactly(count))
      }
    }
  }

  @Test("counts only if URLSession would send it")
  func refused() async throws {
    try await withStubs {
      stub(condition: isPath("/a"), response: .status(204))
      // URLSession refuses a GET with a body.
      _ = try? await URLSession.shared.data(for: request("http://a.example/a", body: "x"))
      try verify(isPath("/a"), called: .never)
      #expect(report { try verifyInOrder(isPath("/a")) }.contains("no request meets condition 1 of 1"))
      _ = try await URLSession.shared.fetch("http://a.example/a")
      try verify(isPath("/a"), called: .once)
    }
  }
}

extension RequestsInFlight {
  /// The number of requests that the end of a test waits for.
  var comingCount: Int { table.withLock(\.comingCount) }

  /// The number of looks that had to wait.
  var lookCount: Int { table.withLock(\.lookCount) }

  /// The number of requests that the end of their scope ends.
  var endingCount: Int { table.withLock { table in table.entries.values.count { $0.state.server != nil } } }
}

/// A condition with a closure that waits for the test.
struct SlowCondition {
  let isAsked = Latch()
  let answer = Latch()

  var matcher: RequestMatcher {
    RequestMatcher("slow") { [isAsked, answer] _ in
      isAsked.open()
      return answer.blockUntilOpened()
    }
  }
}
