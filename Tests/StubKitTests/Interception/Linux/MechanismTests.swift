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

    @Test(
      "refuses where a field of a task has another name or another type",
      arguments: [
        "workQueue", "session", "_callCompletionHandlerInline", "error", "_currentRequest", "originalRequest",
        "_response", "_countOfBytesSent", "_countOfBytesReceived", "countOfBytesExpectedToSend",
        "countOfBytesExpectedToReceive", "syncQ",
      ])
    func taskFields(name: String) {
      #expect(TaskFields(renamed: [name: "none"]) == nil)
      #expect(TaskFields(renamed: [name: "suspendCount"]) == nil)
    }

    @Test("refuses where something else has another name")
    func refusals() {
      #expect(LoadProperties(named: "none") == nil)
      #expect(QuietEnd(named: "none") == nil)
      #expect(QuietEnd(lock: "none") == nil)
      #expect(RequestTimeout(named: "none") == nil)
      #expect(TaskBody(named: "none") == nil)
      #expect(CurrentQueue(symbol: "stubkit_no_such_function") == nil)
      #expect(TaskBehaviours(named: "none") == nil)
      #expect(TaskBehaviours(behaviours: "none") == nil)
      #expect(CurlVersion(symbol: "stubkit_no_such_function") == nil)
      #expect(TaskBehaviours(type: "none") == nil)
    }

    @Test("refuses where something else has another type")
    func typeRefusals() {
      #expect(StoredField<Int>("workQueue", of: URLSessionTask.self) == nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLSession.self) != nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLProtocol.self) == nil)
      #expect(LoadProperties(named: "_client") == nil)
      #expect(QuietEnd(named: "workQueue") == nil)
      #expect(QuietEnd(lock: "syncQ") == nil)
      #expect(RequestTimeout(named: "_handle") == nil)
      #expect(TaskBehaviours(named: "delegateQueue") == nil)
      #expect(TaskBehaviours(behaviours: "tasksFinishedCallback") == nil)
      #expect(TaskBody(named: "session") == nil)
      #expect(TaskBehaviours(behaviours: "tasks", type: "FoundationNetworking.URLSessionTask") == nil)
    }
  }
#endif
