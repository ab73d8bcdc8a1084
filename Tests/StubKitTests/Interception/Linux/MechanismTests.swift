#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  /// Some in a process of their own, in the plain mode or without the configuration hook. PlainModeTests compares the
  /// plain mode with a server.
  @Suite("A mechanism beyond public API", .inTurn)
  struct MechanismTests {
    @Test("is active here")
    func active() {
      // There are two: the configuration hook, and what StubKit reads of URLSession.
      let lines = HTTPStubs.capabilities.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("active   ") }, "\(lines)")
    }

    @Test("uses only what the page for contributors lists")
    func guide() throws {
      let root = URL(fileURLWithPath: #filePath + "/../../../../..").standardized
      let page = root.appendingPathComponent("Sources/StubKit/Interception/Linux/Foundation.md")
      let guide = try String(contentsOf: page, encoding: .utf8)
      let section = try #require(guide.components(separatedBy: "\n## What StubKit reads of Foundation\n").last)
      let listed = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("- ") }
      let name = /- `(?:.*\.)?(\w+(?:\(.*?\))?)`: \w/
      #expect(
        listed.compactMap { $0.firstMatch(of: name).map { String($0.1) } }
          == FoundationInternal.allCases.map(\.rawValue))
    }

    @Test("that STUBKIT_PLAIN gives up is told in one line on standard error")
    func announcement() async throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let printed = try #require(
        await ChildProcess.run(
          "env", [executable, "--testing-library", "swift-testing", "--filter", "MechanismTests.active"],
          environment: ["STUBKIT_PLAIN": "1"]))
      let lines = printed.split(separator: "\n").filter { $0.hasPrefix("StubKit: plain mode") }
      #expect(lines.count == 1 && lines.first?.contains("because STUBKIT_PLAIN is set") == true, "\(printed)")
    }

    @Test(
      "of a Foundation that isn't known is told with a guide that exists and tells of it", arguments: [false, true])
    func nextStep(isChosen: Bool) throws {
      let unknown = MissingInternal("nobody has looked at the internals of Foundation on this system")
      let line = URLSessionInternals.line(because: unknown, isChosen: isChosen)
      let guide = try #require(line.firstMatch(of: /the guide ([A-Z]\w*)/)?.1)
      let root = URL(fileURLWithPath: #filePath + "/../../../../..").standardized
      let page = try String(
        contentsOf: root.appendingPathComponent("Documentation/Guides/\(guide).md"), encoding: .utf8)
      #expect(page.contains("\n# \(guide)\n") && page.contains("\n### The plain mode\n"))
      #expect(line.contains("HTTPStubs.capabilities") && page.contains("HTTPStubs.capabilities"))
      #expect(line.contains("Please report this line") == !isChosen)
    }

    /// Each row looks for a field or a class where none such is, as if a release of Foundation had changed it.
    @Test("is refused where Foundation lacks a field, a class or its type")
    func refusals() {
      #expect(throws: Never.self) { try StoredField<DispatchQueue>(.workQueue, of: URLSession.self) }
      let refused: [(String, () throws -> Any)] = [
        ("type", { try StoredField<Int>(.workQueue, of: URLSessionTask.self) }),
        ("class", { try StoredField<DispatchQueue>(.workQueue, of: URLProtocol.self) }),
        ("body", { try TaskBody(named: .session) }),
        ("loader", { try IdleLoader(named: .workQueue) }),
        ("properties", { try LoadProperties(named: .session) }),
        ("registry", { try TaskBehaviours(named: .workQueue) }),
        ("table", { try TaskBehaviours(behaviours: .session) }),
        ("behaviour", { try TaskBehaviours(type: "FoundationNetworking.URLSessionTask") }),
      ]
      for (name, look) in refused { #expect(throws: MissingInternal.self, "\(name)") { try look() } }
    }

    @Test("may be missing: without the configuration hook, shared and enabled sessions are intercepted", .startsProcess)
    func noHook() async {
      await #expect(processExitsWith: .success) {
        ConfigurationHook.uninstall()
        Platform.installConfigurationHook = { throw MissingInternal("refused by the test") }
        URLSession.shared.configuration.protocolClasses = nil
        Platform.install()
        precondition(HTTPStubs.capabilities.contains("refused  configuration hook: only "))
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

    /// A session has no mark of the scope in which it was made.
    @Test("may be missing: in the plain mode, only makeSession() ties a session to its scope", .inPlainMode)
    func noSessionMark() async throws {
      stub(condition: .anything, response: .text("global"))
      try await withStubs {
        stub(condition: .anything, response: .text("scope"))
        let sessions = [URLSession(configuration: .patient), StubRegistry.current.makeSession()]
        let here = try await sessions[0].fetch("http://a.example/").text
        let away = try await Task.detached { try await sessions[0].fetch("http://a.example/").text }.value
        let bound = try await Task.detached { try await sessions[1].fetch("http://a.example/").text }.value
        #expect([here, away, bound] == ["scope", "global", "scope"])
      }
    }

    /// No condition sees the body of an upload. A data task's is in its request.
    @Test("may be missing: in the plain mode, no condition sees an upload's body, but a server gets it", .inPlainMode)
    func refused() async throws {
      let server = try LoopbackServer()
      let body = Data("abc".utf8)
      try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
        stub(condition: isPath("/upload"), response: .text("stubbed"))
        stub(condition: isPath("/upload") && bodyContains("abc"), response: .text("seen"))
        stub(condition: isPath("/data") && bodyContains("abc"), response: .text("seen"))
        stub(condition: isPath("/read") && bodyContains("xyz"), response: .status(204))
        var texts: [String] = []
        for place in [BodyPlace.uploadData, .uploadFile, .asyncUploadData, .streamedUpload] {
          texts.append(try await Sending(place, body).send(request("http://a.example/upload")))
        }
        #expect(texts == Array(repeating: "stubbed", count: 4))
        texts = []
        for place in [BodyPlace.dataOfDataTask, .streamOfDataTask] {
          texts.append(try await Sending(place, body).send(request("http://a.example/data")))
        }
        #expect(texts == ["seen", "seen"])
        texts = []
        for place in BodyPlace.allCases {
          texts.append(try await Sending(place, body).send(URLRequest(url: server.url("/out"))))
        }
        #expect(texts == BodyPlace.allCases.map { _ in "real POST /out" })
        #expect(server.arrivals.allSatisfy { $0.body == body })
        let text = try await Sending(.streamOfDataTask, body).send(URLRequest(url: server.url("/read")))
        #expect(text == "real POST /read" && server.arrivals.last?.body == body)
      }
    }

    @Test("lets a stub answer without the thread on which URLSession asks its cache", .startsProcess)
    func skipped() async {
      await #expect(processExitsWith: .success) {
        // URLSession looks into a cache on a background queue. Here, all of Dispatch's background threads wait.
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

    @Test("replaces a property in a class's method table, and puts it back")
    func slot() throws {
      let object = Base()
      let slot = try ClassSlot(base: Base.self, inert: Inert.self, hook: Hook.self)
      try slot.install { true }
      // The hook's 20, and the 2 of its superclass.
      #expect(Self.number(of: object) == 22)
      slot.uninstall()
      #expect(Self.number(of: object) == 2)
    }

    /// Through the method table, whatever the optimiser knows of the object.
    @inline(never)
    @_optimize(none)
    private static func number(of object: Base) -> Int { object.number }

    @Test("refuses to replace a property where the classes don't fit together")
    func otherSlots() {
      // A hook that overrides two properties, or none; the hook as the inert class; a class of another family; and
      // other numbers of accessors than the three words of a property.
      let rows: [(inert: AnyClass, hook: AnyClass, accessors: Int)] = [
        (Inert.self, HookOfTwo.self, 3), (Inert.self, HookOfNone.self, 3), (Hook.self, Hook.self, 3),
        (Stranger.self, Hook.self, 3), (Inert.self, Hook.self, 1), (Inert.self, Hook.self, 4),
      ]
      for row in rows {
        #expect(throws: MissingInternal.self, "\(row)") {
          try ClassSlot(base: Base.self, inert: row.inert, hook: row.hook, accessors: row.accessors)
        }
      }
      // A method takes one word of the table.
      class HookOfMethod: Base {
        override func last() -> Int { 30 }
      }
      #expect(throws: Never.self) {
        try ClassSlot(base: Base.self, inert: Inert.self, hook: HookOfMethod.self, accessors: 1)
      }
      #expect(throws: MissingInternal.self) {
        try ClassSlot(base: Base.self, inert: Inert.self, hook: HookOfMethod.self, accessors: 3)
      }
    }
  }
#endif
