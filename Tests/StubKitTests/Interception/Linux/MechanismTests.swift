#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc
  import Testing

  @testable import StubKit

  @Suite("A mechanism beyond public API")
  struct MechanismTests {
    @Test("is active here")
    func active() {
      let mechanisms = StubKitCapabilities.current.mechanisms
      #expect(mechanisms.count == 14)
      #expect(mechanisms.filter { !$0.isActive }.map(\.name) == [])
      #expect(StubKitCapabilities.current.description.split(separator: "\n").count == 14)
    }

    @Test("refuses where the platform is not as it expects: a field of another name")
    func refusals() {
      #expect(WorkQueue(named: "none") == nil)
      #expect(InlineCompletion(named: "none") == nil)
      #expect(LoadProperties(named: "none") == nil)
      #expect(QuietEnd(named: "none") == nil)
      #expect(TaskRequests(current: "none") == nil)
      #expect(TaskRequests(original: "none") == nil)
      #expect(TaskRequests(response: "none") == nil)
      #expect(TaskRequests(lock: "none") == nil)
      #expect(RequestTimeout(named: "none") == nil)
      #expect(SessionOfTask(named: "none") == nil)
      #expect(TaskBody(named: "none") == nil)
      #expect(CurrentQueue(symbol: "stubkit_no_such_function") == nil)
      #expect(TaskBehaviours(named: "none") == nil)
      #expect(TaskBehaviours(behaviours: "none") == nil)
      #expect(TaskCounters(sent: "none") == nil)
      #expect(TaskCounters(lock: "none") == nil)
      #expect(TaskError(named: "none") == nil)
    }

    @Test("refuses where the platform is not as it expects: a field of another type")
    func typeRefusals() {
      #expect(StoredField<Int>("workQueue", of: URLSessionTask.self) == nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLSession.self) != nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLProtocol.self) == nil)
      #expect(InlineCompletion(named: "suspendCount") == nil)
      #expect(LoadProperties(named: "_client") == nil)
      #expect(QuietEnd(named: "workQueue") == nil)
      #expect(TaskRequests(current: "workQueue") == nil)
      #expect(TaskRequests(lock: "originalRequest") == nil)
      #expect(RequestTimeout(named: "_handle") == nil)
      #expect(TaskBehaviours(named: "delegateQueue") == nil)
      #expect(TaskBehaviours(behaviours: "tasksFinishedCallback") == nil)
      #expect(TaskCounters(sent: "suspendCount") == nil)
      #expect(TaskCounters(lock: "_protocolLock") == nil)
      #expect(TaskError(named: "_response") == nil)
      #expect(SessionOfTask(named: "workQueue") == nil)
      #expect(TaskBody(named: "session") == nil)
    }
  }

  @Suite("What a session means to do with a task")
  struct TaskBehavioursTests {
    private static func audience(of task: URLSessionTask, _ session: URLSession) throws -> String {
      let behaviours = try #require(TaskBehaviours())
      let queue = try #require(WorkQueue()).of(task)
      return queue.sync {
        let mayHaveOwn = behaviours.mayHaveOwnDelegate(task, in: session)
        return switch behaviours.audience(of: task, in: session) {
        case .unknown: "unknown"
        case .nobody: "nobody, \(mayHaveOwn)"
        case .listener(let listener): "\(type(of: listener.delegate)), \(listener.isOwn), \(mayHaveOwn)"
        }
      }
    }

    @Test("is known of an async call, with a delegate and without", arguments: [false, true])
    func asyncCalls(hasDelegate: Bool) async throws {
      try await withStubs {
        stub(condition: .anything, response: .empty().delay(.seconds(600)))
        let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
        let delegate = hasDelegate ? TransferEvents() : nil
        for isDownload in [false, true] {
          let call = Task {
            let request = URLRequest(url: url("http://a.example/"))
            if isDownload {
              _ = try await session.download(for: request, delegate: delegate)
            } else {
              _ = try await session.data(for: request, delegate: delegate)
            }
          }
          await StubRegistry.current.loads.whenCount(is: 1)
          let tasks = await withCheckedContinuation { reply in
            session.getAllTasks { reply.resume(returning: $0) }
          }
          let task = try #require(tasks.first { $0.state == .running })
          let audience = try Self.audience(of: task, session)
          #expect(audience == (hasDelegate ? "TransferEvents, true, true" : "nobody, false"))
          call.cancel()
          _ = try? await call.value
          await StubRegistry.current.loads.whenCount(is: 0)
        }
      }
    }

    @Test("is known of a task with a completion handler, and of one without")
    func otherCalls() throws {
      try withStubs {
        stub(condition: .anything, response: .empty().delay(.seconds(600)))
        let address = url("http://a.example/")
        let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
        let tasks: [(URLSessionTask, String)] = [
          (session.dataTask(with: address), "DelegateEvents, false"),
          (session.downloadTask(with: address), "DelegateEvents, false"),
          (session.dataTask(with: address) { _, _, _ in }, "nobody"),
          (session.downloadTask(with: address) { _, _, _ in }, "nobody"),
        ]
        for (task, expected) in tasks {
          task.resume()
          let audience = try Self.audience(of: task, session)
          #expect(audience.hasPrefix(expected))
          task.cancel()
        }
        let plain = URLSession(configuration: .ephemeral)
        let task = plain.dataTask(with: address)
        task.resume()
        let audience = try Self.audience(of: task, plain)
        #expect(audience.hasPrefix("nobody"))
        task.cancel()
      }
    }
  }

  @Suite("The slot of a class's member")
  struct ClassSlotTests {
    private class Base {
      var first: Int { 1 }
      var number: Int {
        get { 2 }
        set {}
      }
      func last() -> Int { 3 }
    }
    private class Inert: Base {}
    private class Hook: Base {
      override var number: Int {
        get { 20 + super.number }
        set {}
      }
    }
    private class HookOfTwo: Base {
      override var first: Int { 10 }
      override var number: Int {
        get { 20 }
        set {}
      }
    }
    private class HookOfNone: Base {}
    private class Stranger {}

    @Test("is found, replaced and given back")
    func installs() throws {
      let object = Base()
      let slot = try ClassSlot(base: Base.self, inert: Inert.self, hook: Hook.self)
      slot.install()
      #expect(Self.number(of: object) == 22)
      slot.uninstall()
      #expect(Self.number(of: object) == 2)
    }

    /// Through the method table, whatever the optimiser knows of the object.
    @inline(never)
    @_optimize(none)
    private static func number(of object: Base) -> Int { object.number }

    @Test(
      "is refused when anything looks different from one member replaced",
      arguments: [
        (Inert.self, HookOfTwo.self, 3), (Inert.self, HookOfNone.self, 3), (Hook.self, Hook.self, 3),
        (Stranger.self, Hook.self, 3), (Inert.self, Hook.self, 1), (Inert.self, Hook.self, 4),
      ] as [(AnyClass, AnyClass, Int)])
    func refuses(inert: AnyClass, hook: AnyClass, accessors: Int) {
      #expect(throws: ClassSlot.Refusal.self) {
        try ClassSlot(base: Base.self, inert: inert, hook: hook, accessors: accessors)
      }
    }

    @Test("is looked for in mappings that say what may be written and run")
    func mappings() {
      let mappings = MemoryMappings()
      var local = 1
      withUnsafeMutablePointer(to: &local) { pointer in
        #expect(mappings.of(UInt(bitPattern: pointer))?.isWritable == true)
        #expect(mappings.of(UInt(bitPattern: pointer))?.isExecutable == false)
      }
      #expect(mappings.of(0) == nil)
      #expect(MemoryMappings(path: "/nowhere").of(1) == nil)
    }
  }

  @Suite("The look into a session's cache")
  struct CacheLookupTests {
    @Test("is skipped for a stubbed request: it is answered though background work is held up")
    func skipped() async {
      await #expect(processExitsWith: .success) {
        let release = DispatchSemaphore(value: 0)
        for _ in 0..<64 { DispatchQueue.global(qos: .background).async { release.wait() } }
        try await withStubs {
          stub(condition: isPath("/cached"), response: .text("stubbed"))
          let session = URLSession(configuration: .default)
          precondition(session.configuration.urlCache != nil)
          let stubbed = try await session.fetch("http://a.example/cached")
          precondition(stubbed.text == "stubbed")
          // The application still sees the cache.
          precondition(session.configuration.urlCache != nil)
        }
        for _ in 0..<64 { release.signal() }
      }
    }

    @Test("is made up for when the request is let through")
    func madeUpFor() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let configuration = URLSessionConfiguration.default
      let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      configuration.urlCache = cache
      configuration.requestCachePolicy = .returnCacheDataElseLoad
      let session = URLSession(configuration: configuration)
      let request = URLRequest(url: server.url("/kept"))
      let head = HTTPURLResponse(
        url: server.url("/kept"), statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Length": "4", "Cache-Control": "max-age=600"])!
      cache.storeCachedResponse(CachedURLResponse(response: head, data: Data("kept".utf8)), for: request)
      let disabled = StubRegistry()
      disabled.isEnabled = false
      let native = try await withStubs(registry: disabled) { try await session.fetch(request) }
      let throughStubKit = try await withStubs {
        HTTPStubs.unmatched = .passThrough
        return try await session.fetch(request)
      }
      #expect(throughStubKit == native)
    }

    @Test("is not skipped where `canInit` is called by hand")
    func byHand() {
      withStubs {
        #expect(StubURLProtocol.canInit(with: URLRequest(url: url("http://a.example/"))))
        #expect(URLSessionConfiguration.default.urlCache != nil)
      }
    }
  }

  /// Each in a process of its own, where the mechanism is refused before the first request.
  @Suite("Without a mechanism")
  struct FallbackTests {
    @Test("requests are answered all the same: no field of URLSession's is known")
    func noFields() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.workQueue = nil
        Platform.mechanisms.inlineCompletion = nil
        Platform.mechanisms.loadProperties = nil
        Platform.mechanisms.makeQuietEnd = { nil }
        Platform.mechanisms.makeCacheLookup = { nil }
        Platform.mechanisms.taskBehaviours = nil
        Platform.mechanisms.taskCounters = nil
        Platform.mechanisms.taskError = nil
        try await FallbackTests.checkAnswers(downloads: false)
      }
    }

    @Test("requests are answered all the same: how a task is told of, counts and fails is not known")
    func noTaskFields() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.taskBehaviours = nil
        Platform.mechanisms.taskCounters = nil
        Platform.mechanisms.taskError = nil
        try await FallbackTests.checkAnswers(downloads: true)
        let file = try LargeFile(length: 200_001)
        stub(condition: isPath("/file"), response: .file(file.url))
        let events = TransferEvents()
        let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
        let task = session.dataTask(with: url("http://a.example/file"))
        task.resume()
        let told = await events.untilCompletion()
        precondition(told.count == 6 && events.bytes == file.bytes && task.byteCounts == "0/0 0/0")
        session.downloadTask(with: url("http://a.example/file")).resume()
        let downloaded = await events.untilCompletion()
        precondition(downloaded.suffix(2) == ["file 200001", "complete"])
        let own = TransferEvents()
        let (data, _) = try await session.data(from: url("http://a.example/file"), delegate: own)
        precondition(data == file.bytes && own.told == ["head 200"])
        let failing = session.dataTask(with: url("http://a.example/none"))
        failing.resume()
        _ = await events.untilCompletion()
        precondition(failing.error == nil)
      }
    }

    @Test("a download fails and leaves no file behind: it can't be handed over")
    func noLoadProperties() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.loadProperties = nil
        let manager = FileManager.default
        let directory = manager.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)")
        try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: directory) }
        setenv("TMPDIR", directory.path, 1)
        stub(condition: .anything, response: .text("file"))
        do {
          _ = try await URLSession.shared.download(from: url("http://a.example/"))
          throw WrongAnswer(what: "a file")
        } catch is DownloadUnavailableError {}
        // The file goes with the load, which may outlive its last word by a moment.
        let files = { try manager.contentsOfDirectory(atPath: directory.path) }
        for _ in 0..<100_000 where try !files().isEmpty { await Task.yield() }
        if try !files().isEmpty { throw WrongAnswer(what: "\(try files())") }
      }
    }

    @Test("requests are answered all the same: the current queue is not known")
    func noCurrentQueue() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.currentQueue = nil
        try await FallbackTests.checkAnswers(downloads: true)
      }
    }

    @Test("the shared session, and configurations that ask for it, are still intercepted: no hook")
    func noHook() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.makeConfigurationHook = { throw ClassSlot.Refusal(description: "refused by the test") }
        let capabilities = StubKitCapabilities.current
        precondition(capabilities.mechanisms.first { $0.name == "configuration hook" }?.isActive == false)
        stub(condition: isPath("/x"), response: .text("stubbed"))
        let shared = try await URLSession.shared.fetch("http://a.example/x")
        precondition(shared.text == "stubbed")
        let configuration = URLSessionConfiguration.ephemeral
        precondition(!HTTPStubs.isEnabled(for: configuration))
        HTTPStubs.setEnabled(true, for: configuration)
        let asked = try await URLSession(configuration: configuration).fetch("http://a.example/x")
        precondition(asked.text == "stubbed")
      }
    }

    @Test("every task ends once, settled and without a file left, whatever is done to it: no work queue is known")
    func noWorkQueue() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.workQueue = nil
        let manager = FileManager.default
        let directory = manager.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)")
        try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: directory) }
        setenv("TMPDIR", directory.path, 1)
        stub(condition: { $0.url?.path == "/closure" }, response: .text("closure").bodyDuration(.milliseconds(2)))
        stub(condition: isPath("/large"), response: .data(Data(count: 1_000_000)))
        let events = DelegateEvents()
        let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
        for number in 0..<400 {
          let isDownload = number.isMultiple(of: 2)
          let address = url("http://a.example/\(isDownload ? "large" : "closure")")
          let task = isDownload ? session.downloadTask(with: address) : session.dataTask(with: address)
          task.resume()
          for _ in 0..<number % 40 { await Task.yield() }
          if number % 3 > 0 { task.cancel() }
          _ = await events.untilCompletion()
        }
        let journal = StubRegistry.global.journal
        while journal.entries.contains(where: { $0.outcome == .inProgress }) { await Task.yield() }
        precondition(StubRegistry.global.loads.count == 0)
        let files = { (try? manager.contentsOfDirectory(atPath: directory.path).count) ?? 0 }
        let received = events.told.filter { $0.hasPrefix("file") }.count
        for _ in 0..<100_000 where files() > received { await Task.yield() }
        precondition(files() <= received)
      }
    }

    @Test("redirects are followed, and credentials asked for: no work queue is known", arguments: [true, false])
    func questionsWithoutWorkQueue(knowsSession: Bool) async {
      await #expect(processExitsWith: .success) { [knowsSession] in
        Platform.mechanisms.workQueue = nil
        if !knowsSession { Platform.mechanisms.sessionOfTask = nil }
        let server = try LoopbackServer()
        defer { server.stop() }
        StubRegistry.global.unmatched = .passThrough
        stub(condition: isPath("/on"), response: .redirect(to: "/there"))
        stub(condition: isPath("/there"), response: .text("there"))
        stub(condition: isPath("/away"), response: .redirect(to: server.url("/real")))
        stub(
          condition: isPath("/secret"), response: .empty(status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
        stub(condition: isPath("/secret") && hasBasicAuth(user: "u", password: "p"), response: .text("secret"))
        let delegate = AnsweringDelegate(challenge: { _ in
          (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
        })
        let answers = knowsSession ? ["there", "real GET /real", "secret"] : ["there", "real GET /real"]
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        for (path, wanted) in zip(["on", "away", "secret"], answers) {
          let text = try await session.fetch("http://a.example/\(path)").text
          if text != wanted { throw WrongAnswer(what: "\(path) \(text)") }
        }
      }
    }

    @Test("a redirect is followed, and reaches the real network: a task's requests can't be changed")
    func noTaskRequests() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.taskRequests = nil
        let server = try LoopbackServer()
        defer { server.stop() }
        StubRegistry.global.unmatched = .passThrough
        stub(condition: isPath("/away"), response: .redirect(to: server.url("/real")))
        stub(condition: isPath("/on"), response: .redirect(to: "/there"))
        stub(condition: isPath("/there"), response: .text("there"))
        for session in [URLSession.shared, URLSession(configuration: .ephemeral)] {
          let away = try await session.fetch("http://a.example/away").text
          if away != "real GET /real" { throw WrongAnswer(what: "away \(away)") }
          let there = try await session.fetch("http://a.example/on").text
          if there != "there" { throw WrongAnswer(what: "on \(there)") }
        }
        let outcomes = StubRegistry.global.journal.entries.map(\.outcome)
        var posted = URLRequest(url: url("http://a.example/kept"))
        posted.httpMethod = "POST"
        posted.httpBody = Data("body".utf8)
        stub(condition: isPath("/kept"), response: .redirect(to: server.url("/real"), status: 307))
        let kept = try await URLSession.shared.fetch(posted).text
        let isEmpty = server.arrivals.allSatisfy(\.body.isEmpty)
        if kept != "real POST /real" || !isEmpty { throw WrongAnswer(what: "kept \(kept)") }
        let two: [RecordedRequest.Outcome] = [
          .answered(status: 302), .passedThrough, .answered(status: 302), .answered(status: 200),
        ]
        if outcomes != two + two { throw WrongAnswer(what: "\(outcomes)") }
      }
    }

    @Test("a request's own timeout counts unless it is the usual one: it can't be seen whether it was set")
    func noRequestTimeout() async {
      await #expect(processExitsWith: .success) {
        Platform.mechanisms.requestTimeout = nil
        stub(condition: .anything, response: .text("never").delay(.seconds(600)))
        var request = URLRequest(url: url("http://a.example/"))
        request.timeoutInterval = 0.05
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.05
        for timeout in [0.05, 60] {
          request.timeoutInterval = timeout
          do {
            _ = try await URLSession(configuration: timeout == 60 ? configuration : .ephemeral).fetch(request)
            throw WrongAnswer(what: "\(timeout)")
          } catch URLError.timedOut {}
        }
      }
    }

    private struct WrongAnswer: Error { let what: String }

    /// Every way in which a load can go, on one after the other.
    private static func checkAnswers(downloads: Bool) async throws {
      func check(_ what: String, _ holds: Bool) throws { if !holds { throw WrongAnswer(what: what) } }
      stub(condition: isPath("/constant"), response: .text("constant"))
      stub(condition: isPath("/delayed"), response: .text("delayed").delay(.milliseconds(20)))
      stub(condition: isPath("/paced"), response: .text("a body in pieces").bodyDuration(.milliseconds(80)))
      stub(condition: isPath("/closure")) { _ in .text("closure") }
      stub(condition: isPath("/endless"), response: .text("never").delay(.seconds(600)))
      for session in [URLSession.shared, URLSession(configuration: .ephemeral)] {
        for name in ["constant", "delayed", "closure"] {
          let text = try await session.fetch("http://a.example/\(name)").text
          try check(name, text == name)
        }
        let paced = try await session.fetch("http://a.example/paced").text
        try check("paced", paced == "a body in pieces")
        let error = await session.failure(of: "http://a.example/none")
        try check("unmatched", error is UnmatchedRequestError)

        let events = DelegateEvents()
        let delegated = URLSession(configuration: session.configuration, delegate: events, delegateQueue: nil)
        let task = delegated.dataTask(with: url("http://a.example/paced"))
        task.resume()
        task.suspend()
        task.resume()
        let told = await events.untilCompletion()
        try check("delegate \(told)", told.first == "head 200" && told.last == "complete")
        let pieces = told.filter { $0.hasPrefix("data ") }.map { $0.dropFirst(5) }.joined()
        try check("pieces", pieces == "a body in pieces")

        let cancelledEvents = DelegateEvents()
        let cancelling = URLSession(configuration: .ephemeral, delegate: cancelledEvents, delegateQueue: nil)
        let endless = cancelling.dataTask(with: url("http://a.example/endless"))
        endless.resume()
        endless.cancel()
        let cancelled = await cancelledEvents.untilCompletion()
        try check("cancelled", cancelled == ["error \(NSURLErrorDomain) \(NSURLErrorCancelled)"])
      }
      do {
        let (file, _) = try await URLSession.shared.download(from: url("http://a.example/constant"))
        let text = try String(contentsOf: file, encoding: .utf8)
        try check("download", downloads && text == "constant")
      } catch is DownloadUnavailableError {
        try check("download refused", !downloads)
      }
    }
  }
#endif
