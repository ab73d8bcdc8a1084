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

    @Test("refuses where the platform is not as it expects: a field of another name")
    func refusals() {
      #expect(WorkQueue(named: "none") == nil)
      #expect(InlineCompletion(named: "none") == nil)
      #expect(LoadProperties(named: "none") == nil)
      #expect(QuietEnd(named: "none") == nil)
      #expect(QuietEnd(lock: "none") == nil)
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
      #expect(CurlVersion(symbol: "stubkit_no_such_function") == nil)
      #expect(TaskBehaviours(type: "none") == nil)
    }

    @Test("refuses where the platform is not as it expects: a field of another type")
    func typeRefusals() {
      #expect(StoredField<Int>("workQueue", of: URLSessionTask.self) == nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLSession.self) != nil)
      #expect(StoredField<DispatchQueue>("workQueue", of: URLProtocol.self) == nil)
      #expect(InlineCompletion(named: "suspendCount") == nil)
      #expect(LoadProperties(named: "_client") == nil)
      #expect(QuietEnd(named: "workQueue") == nil)
      #expect(QuietEnd(lock: "syncQ") == nil)
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
      #expect(TaskBehaviours(behaviours: "tasks", type: "FoundationNetworking.URLSessionTask") == nil)
    }
  }
#endif
