import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A request's body", .inTurn)
struct IncomingBodiesTests {
  private let body = Data(#"{"a": 1}"#.utf8)

  private let slice = Data("xx{\"a\":1}".utf8).dropFirst(2)

  @Test(
    "begins at index 0 for matchers, closures and the journal, even if it was a slice", arguments: BodyPlace.allCases)
  func slices(place: BodyPlace) async throws {
    try await withStubs {
      let starts = Protected<[Int?]>([])
      let note: @Sendable (URLRequest) -> Void = { request in
        starts.withLock { $0 += [request.httpBody?.startIndex, request.stubBody?.startIndex] }
      }
      let sees = RequestMatcher("sees it") { request in
        note(request)
        return true
      }
      stub(condition: hasJSONBody(["a": 1]) && sees) { [slice] request in
        note(request)
        return .data(slice)
      }
      _ = try await Sending(place, slice).send(request("http://a.example/x", method: "POST"))
      let entry = try #require(StubRegistry.current.journal.entries.first)
      // Two that the condition sees, two that the closure sees, and the bodies of the entry.
      #expect(
        starts.withLock(\.self) + [entry.body?.startIndex, entry.response?.body?.startIndex] == [0, 0, 0, 0, 0, 0])
      #expect(entry.body?[0] == UInt8(ascii: "{"))
    }
  }

  @Test("begins at index 0, too, in a request that is never sent")
  func sliceOfRequest() {
    let body = request(url("http://a.example/x"), body: slice).stubBody
    #expect(body == slice)
    #expect(body?.startIndex == 0)
  }

  @Test("is no form if it isn't UTF-8")
  func photos() {
    // An empty body, and none, are a form without fields. Only the empty one is there to be read as a form.
    let photo = Data([0xFF, 0xD8, 0xFF, 0xE0, 0x00])
    for (body, isForm) in [(photo, false), (Data(), true), (nil, true)] as [(Data?, Bool)] {
      let post = request(url("http://a.example/x"), method: "POST", body: body)
      for empty in [hasFormBody([:]), hasFormBody()] {
        #expect(empty.matches(post) == isForm, "\(empty), \(body as Any)")
        #expect((!empty).matches(post) != isForm, "!\(empty), \(body as Any)")
      }
      #expect((post.sent.formItems != nil) == (body?.isEmpty == true), "\(body as Any)")
    }
  }

  enum Reader: CaseIterable { case closures, responseClosure, policy }

  @Test("is what closures and the journal see", arguments: BodyPlace.allCases, Reader.allCases)
  func closures(place: BodyPlace, reader: Reader) async throws {
    let sending = Sending(place, body)
    try await withStubs {
      switch reader {
      case .closures:
        stub(condition: { [body] in $0.stubBody == body && $0.httpBody == body && $0.httpBodyStream == nil }) {
          .data($0.stubBody ?? Data())
        }
      case .responseClosure: stub(condition: isPath("/x")) { .data($0.stubBody ?? Data()) }
      case .policy: HTTPStubs.unmatched = .respond { .data($0.stubBody ?? Data()) }
      }
      let answered = try await sending.send(request("http://a.example/x"))
      #expect(answered == String(decoding: body, as: UTF8.self))
      let journal = StubRegistry.current.journal
      #expect(journal.entries.map(\.body) == [body])
      #expect(journal.entries.map(\.request.stubBody) == [body])
      #expect(journal.requests(matching: hasJSONBody(["a": 1])).count == 1)
    }
    #expect(sending.stream.openings == (place.isStream ? 1 : 0))
  }

  /// What answers, whether it looks at the body or not, and whether a server would receive the body.
  private static let answers: [(name: String, isSent: Bool, register: @Sendable () -> Void)] = [
    ("value", true, { stub(condition: .anything, response: .text("x")) }),
    ("closure", true, { stub(condition: .anything) { _ in .text("x") } }),
    ("stream", true, { stub(condition: .anything, response: .stream(AsyncStream(texts: "x"))) }),
    ("policy", true, { HTTPStubs.unmatched = .respond { _ in .text("x") } }),
    ("late failure", true, { stub(condition: .anything, response: .failure(.networkConnectionLost)) }),
    ("early failure", false, { stub(condition: .anything, response: .failure(.cannotConnectToHost)) }),
    ("no network", false, { HTTPStubs.network = .offline }),
  ]

  @Test(
    "in a stream is read once, whatever answers, and not at all where no server would get it",
    arguments: BodyPlace.streams)
  func streams(place: BodyPlace) async {
    for (name, isSent, register) in Self.answers {
      let sending = Sending(place, body)
      await withStubs {
        register()
        stub(condition: isPath("/other") && hasJSONBody(["a": 1]), response: .status(204))
        // Some answers are failures. The entry tells what became of the request.
        _ = try? await sending.send(request("http://a.example/x"))
        #expect(StubRegistry.current.journal.entries.map(\.body) == [isSent ? body : nil], "\(name)")
      }
      #expect(sending.stream.openings == (isSent ? 1 : 0), "\(name)")
      // Only the delegate of a streamed upload gives the stream. It is asked where there is a network at all, also if
      // the answer fails before a server would read the stream.
      let isAsked = place == .streamedUpload && name != "no network"
      #expect(sending.delegateCalls == (isAsked ? 1 : 0), "\(name)")
    }
  }

  /// How many conditions read the body: none, the stub's, a closure's as well, and the policy's as well.
  @Test("reaches the network whole", arguments: BodyPlace.allCases, 0...3)
  func handOff(place: BodyPlace, readers: Int) async throws {
    let server = try LoopbackServer()
    let body = Data(#"{"a": "\#(String(repeating: "x", count: 100_000))"}"#.utf8)
    let sending = Sending(place, body)
    try await withStubs { () async throws in
      HTTPStubs.unmatched =
        readers == 3 ? .passThrough(when: hasJSONBody(containing: ["a": 1]) || hasBody(body)) : .passThrough
      if readers > 0 { stub(condition: isPath("/x") && hasJSONBody(["a": 1]), response: .status(204)) }
      if readers > 1 { stub(condition: { $0.stubBody?.isEmpty == true }, response: .status(204)) }
      #expect(try await sending.send(URLRequest(url: server.url("/x"))) == "real POST /x")
      let entries = StubRegistry.current.journal.entries
      #expect(entries.map(\.outcome) == [.passedThrough])
      // A stream may have gone out without having been read here.
      #expect(place.isStream || entries.map(\.body) == [body])
    }
    #expect(server.arrivals.map(\.body) == [body])
    #expect(sending.stream.openings == (place.isStream ? 1 : 0))
    #expect(sending.delegateCalls == (place == .streamedUpload ? 1 : 0))
  }

  @Test("of a streamed upload is empty if the delegate gives no stream", arguments: [false, true])
  func noStream(isLetThrough: Bool) async throws {
    let server = try LoopbackServer()
    let told = try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
      stub(condition: hasBody(Data("x".utf8)), response: .text("x"))
      if !isLetThrough { stub(condition: hasBody(Data()), response: .text("none")) }
      let upload = request(server.url("/x"), method: "POST")
      return try await DelegateEvents().told { $0.uploadTask(withStreamedRequest: upload) }
    }
    #expect(told == ["head 200", isLetThrough ? "data real POST /x" : "data none", "complete"])
    #expect(server.arrivals.map(\.body) == (isLetThrough ? [Data()] : []))
  }

  /// The error of an upload from a file that doesn't exist, to a port where nobody listens.
  private func uploadOfMissingFile(in registry: StubRegistry) async -> URLError? {
    await withStubs(in: registry) {
      let request = request("http://127.0.0.1:9/x", method: "POST")
      let error = await #expect(throws: (any Error).self) {
        try await URLSession.patient.upload(for: request, fromFile: URL(fileURLWithPath: "/nowhere/at/all"))
      }
      return error as? URLError
    }
  }

  @Test("in a missing file fails the request with the error that it has without StubKit, and names the file")
  func missingFile() async {
    let registry = StubRegistry()
    stub(condition: isPath("/x"), response: .text("x"), in: registry)
    let stubbed = await uploadOfMissingFile(in: registry)
    #expect(stubbed?.code == .fileDoesNotExist)
    #expect(stubbed?.localizedDescription.contains("/nowhere/at/all") == true)
    let real = await uploadOfMissingFile(in: StubRegistry(isEnabled: false))
    #expect(real?.code == .fileDoesNotExist)
  }

  @Test("in a missing file is a failure in the journal, neither answered nor unmatched")
  func missingFileInJournal() async {
    let registry = StubRegistry()
    stub(condition: isPath("/x"), response: .text("x"), in: registry)
    _ = await uploadOfMissingFile(in: registry)
    #expect(registry.journal.entries.map(\.outcome) == [.failed(URLError(.fileDoesNotExist))])
    #expect(registry.journal.entries.map { $0.stub == nil } == [true])
    #expect(registry.journal.unmatchedRequests.isEmpty)
  }

  /// For data, files and downloads, this is a cell of DifferentialTests.
  @Test("of a GET fails the request")
  func bodyOfGET() async {
    await withStubs {
      let answers = stub(condition: .anything, response: .text("x"))
      let sending = Sending(.streamOfDataTask, body, method: "GET")
      let error = await #expect(throws: (any Error).self) { try await sending.send(request("http://a.example/x")) }
      #expect((error as? URLError)?.code == .dataLengthExceedsMaximum)
      #expect(error?.localizedDescription.hasPrefix("GET http://a.example/x has a body. URLSession sends no") == true)
      #expect(answers.callCount == 0)
      #expect(!sending.stream.isTouched)
    }
  }

  @Test(
    "in a stream that breaks off fails the request, which isn't unmatched",
    arguments: [isPath("/x"), bodyContains("x")])
  func brokenStream(condition: RequestMatcher) async {
    await withStubs {
      stub(condition: condition) { _ in .text("x") }
      let sending = Sending(.streamOfDataTask, body, stream: WatchedStream(body, breaksOff: true))
      let error = await #expect(throws: (any Error).self) { try await sending.send(request("http://a.example/x")) }
      #expect((error as? URLError)?.code == .unknown)
      #expect(HTTPStubs.journal.entries.map(\.outcome) == [.failed(URLError(.unknown))])
      #expect(HTTPStubs.journal.unmatchedRequests.isEmpty)
    }
  }

  @Test("in a stream that breaks off leaves it unknown what the rest of it had")
  func restOfBrokenStream() async {
    await withStubs {
      stub(condition: bodyContains("x")) { _ in .text("x") }
      let sending = Sending(.streamOfDataTask, body, stream: WatchedStream(body, breaksOff: true))
      _ = try? await sending.send(request("http://a.example/x"))
      #expect(throws: VerificationError.self) { try verify(bodyContains("secret"), called: .never) }
    }
  }

  @Test("in a stream that has to be waited for keeps no other request waiting", arguments: BodyPlace.streams)
  func waitingStream(place: BodyPlace) async throws {
    let release = DispatchSemaphore(value: 0)
    let sending = Sending(place, body, stream: WatchedStream(body, release: release))
    try await withStubs {
      stub(condition: isPath("/slow") && hasJSONBody(["a": 1]), response: .text("slow"))
      stub(condition: isPath("/quick"), response: .text("quick"))
      async let slow = sending.send(request("http://a.example/slow"))
      let quick = try await URLSession.patient.fetch("http://a.example/quick")
      #expect(quick.text == "quick")
      // Each read of the stream waits for one, and there are at most four.
      for _ in 0..<4 { release.signal() }
      let text = try await slow
      #expect(text == "slow")
    }
  }

  @Test("is not waited for when the task is cancelled", arguments: [.anything, hasJSONBody(["a": 1])])
  func cancelled(_ condition: RequestMatcher) async throws {
    let release = DispatchSemaphore(value: 0)
    // More than one read takes: what is left at the end shows that nobody has read on.
    let body = Data(count: 1_000_000)
    try await withStubs {
      stub(condition: condition, response: .text("never"))
      let events = DelegateEvents()
      var request = request("http://a.example/x", method: "POST")
      let stream = WatchedStream(body, release: release)
      request.httpBodyStream = stream
      let task = events.session().dataTask(with: request)
      task.resume()
      try await until("the stream is read") { stream.isTouched }
      task.cancel()
      let told = try await events.untilCompletion()
      #expect(told == ["error \(NSURLErrorDomain) \(NSURLErrorCancelled)"])
      let journal = StubRegistry.current.journal
      // The client can learn of its cancellation before the reader does, which then reads on.
      try await until("the request is settled") {
        release.signal()
        return journal.entries.map(\.outcome) == [.cancelled]
      }
      try await until("the stream is closed") {
        release.signal()
        return stream.streamStatus == .closed
      }
      #expect(stream.hasBytesAvailable)
    }
  }

  @Test("that the delegate never gives doesn't keep the task in memory after its end", arguments: [true, false])
  func neverGiven(isCancelled: Bool) async throws {
    try await withStubs {
      stub(condition: bodyContains("abc"), response: .status(204))
      weak var uploaded: URLSessionTask?
      do {
        let delegate = SilentDelegate()
        let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
        // The task ends by its cancellation or by its timeout.
        let request = request("http://a.example/", method: "POST", timeout: isCancelled ? 3_600 : 0.05)
        let task = session.uploadTask(withStreamedRequest: request)
        uploaded = task
        task.resume()
        try await until("the delegate is asked for the body") { delegate.isAsked.isOpen }
        if isCancelled { task.cancel() }
        try await until("the task is complete") { delegate.isComplete.isOpen }
        session.finishTasksAndInvalidate()
      }
      try await until("the task is gone") { uploaded == nil }
      #expect(StubRegistry.current.journal.entries.allSatisfy { $0.outcome != .inProgress })
    }
  }

  @Test("follows a server's redirect as without StubKit", arguments: [302, 307])
  func redirected(status: Int) async throws {
    let server = try LoopbackServer { request, connection in
      let isFirst = request.target == "/from"
      let body = isFirst ? Data() : Data("\(request.method) ".utf8) + request.body
      let head = isFirst ? "\(status) Moved\r\nLocation: /to" : "200 OK"
      return !connection.write(
        Data("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body)
    }
    for place in [BodyPlace.dataOfDataTask, .uploadData, .uploadFile] {
      func answer(in registry: StubRegistry) async throws -> String {
        try await withStubs(in: registry) {
          registry.unmatched = .passThrough
          return try await Sending(place, Data("film".utf8)).send(URLRequest(url: server.url("/from")))
        }
      }
      let native = try await answer(in: StubRegistry(isEnabled: false))
      let reading = StubRegistry()
      stub(condition: hasBody(Data("other".utf8)), response: .text("other"), in: reading)
      for registry in [StubRegistry(), reading] {
        #expect(try await answer(in: registry) == native, "\(place), is read: \(registry === reading)")
      }
    }
  }
}
