#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("A mechanism beyond public API", .inTurn)
  struct MechanismTests {
    @Test("is active here")
    func active() {
      let mechanisms = StubKitCapabilities.current.mechanisms
      #expect(mechanisms.count == 6)
      #expect(mechanisms.filter { !$0.isActive }.map(\.name) == [])
      #expect(StubKitCapabilities.current.description.split(separator: "\n").count == 6)
    }

    @Test("uses only what the guide lists")
    func guide() throws {
      let root = URL(fileURLWithPath: #filePath + "/../../../../..").standardized
      let guide = try String(
        contentsOf: root.appendingPathComponent("Sources/StubKit/StubKit.docc/Linux.md"), encoding: .utf8)
      let section = try #require(guide.components(separatedBy: "\n## What StubKit reads of Foundation\n").last)
      let listed = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("- ") }
      #expect(listed.map(String.init) == FoundationInternal.allCases.map(\.line))
    }

    @Test("is named in the sources where they look it up, and nowhere else by its text")
    func names() throws {
      let folder = URL(fileURLWithPath: #filePath + "/../../../../../Sources/StubKit/Interception/Linux").standardized
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let lookups = /(?:StoredField(?:<[^>]+>)?|offsetOfField|field|dlsym)\((?:nil, )?"/
      for file in files {
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.firstMatch(of: lookups) == nil, "\(file.lastPathComponent)")
      }
    }

    @Test("is given up in one line on standard error")
    func announcement() async throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let printed = try #require(
        await ChildProcess.run(
          "env", [executable, "--testing-library", "swift-testing", "--filter", "MechanismTests.active"],
          environment: ["STUBKIT_PLAIN": "1"]))
      let lines = printed.split(separator: "\n").filter { $0.hasPrefix("StubKit: plain mode") }
      #expect(lines.count == 1 && lines.first?.contains("because STUBKIT_PLAIN is set") == true, "\(printed)")
    }

    @Test("is named when it is missing")
    func missing() {
      _ = TaskFields(renamed: ["workQueue": "none"])
      #expect(FoundationInternal.missing != nil)
    }

    @Test(
      "refuses where a field of a task has another name or another type",
      arguments: [
        "workQueue", "session", "_callCompletionHandlerInline", "error", "_currentRequest",
        "_response", "_countOfBytesSent", "_countOfBytesReceived", "countOfBytesExpectedToSend",
        "countOfBytesExpectedToReceive", "syncQ",
      ])
    func taskFields(name: String) {
      #expect(TaskFields(renamed: [name: "none"]) == nil)
      #expect(TaskFields(renamed: [name: "suspendCount"]) == nil)
    }

    @Test("skips one look-up in a cache, on the queue that is about to look, and no read of the user's")
    func cacheLookup() throws {
      let hook = try #require(Platform.mechanisms.cacheLookup)
      let configuration = URLSessionConfiguration.default
      DispatchQueue(label: "a").sync {
        hook.skipLookup()
        #expect(configuration.urlCache == nil && configuration.urlCache != nil)
        hook.skipLookup()
      }
      #expect(configuration.urlCache != nil)
    }

    @Test("refuses where something else has another name")
    func refusals() {
      #expect(LoadProperties(named: "none") == nil)
      #expect(QuietEnd(named: "none") == nil)
      #expect(TaskBody(named: "none") == nil)
      #expect(CurrentQueue(symbol: "stubkit_no_such_function") == nil)
      #expect(TaskBehaviours(named: "none") == nil)
      #expect(TaskBehaviours(behaviours: "none") == nil)
      #expect(TaskBehaviours(type: "none") == nil)
    }

    @Test("refuses where something else has another type")
    func typeRefusals() {
      #expect(StoredField<Int>("workQueue", of: URLSessionTask.self) == nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLSession.self) != nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLProtocol.self) == nil)
      #expect(LoadProperties(named: "_client") == nil)
      #expect(QuietEnd(named: "workQueue") == nil)
      #expect(TaskBehaviours(named: "delegateQueue") == nil)
      #expect(TaskBehaviours(behaviours: "tasksFinishedCallback") == nil)
      #expect(TaskBody(named: "session") == nil)
      #expect(TaskBehaviours(behaviours: "tasks", type: "FoundationNetworking.URLSessionTask") == nil)
    }
  }
#endif
