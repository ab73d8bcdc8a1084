#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The hook that keeps callbacks in their scope", .inTurn)
  struct CallbackHookTests {
    private static func found(_ queue: OperationQueue, _ around: (() -> Void) -> Void) async throws -> StubRegistry? {
      try await untilResumed { continuation in
        around { queue.addOperation { continuation.resume(returning: StubRegistry.local) } }
      }
    }

    @Test("is refused where the method is not one word of the table")
    func refuses() {
      #expect(throws: MissingInternal.self) { try CallbackHook(accessors: 2) }
    }

    #if compiler(>=6.2)
      @Test("is given back: then nothing is changed any more")
      func uninstalled() async {
        await #expect(processExitsWith: .success) {
          let hook = try CallbackHook()
          hook.uninstall()
          let scope = RequestCallbacks(in: CallbackScope(.global, in: StubRegistry.global.loads.generation))
          let found = try await CallbackHookTests.found(OperationQueue()) { CallbackHook.adding(scope, $0) }
          guard found == nil else { throw WrongAnswer(what: "a scope") }
        }
      }
    #endif
  }
#endif
