import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The test to which a request belongs", .inTurn)
struct UnknownTestTests {
  // Nothing listens there: that it is refused shows that the request was let through.
  private static let closed = "http://127.0.0.1:1/"

  @Test("keeps the network if it has no scope, also in its child tasks, whatever other tests have stubs for")
  func unscoped() async throws {
    let error = await #expect(throws: URLError.self) { try await fetch(Self.closed) }
    #expect(error?.code == .cannotConnectToHost)
    let inTask = await #expect(throws: URLError.self) { try await Task { try await fetch(Self.closed) }.value }
    #expect(inTask?.code == .cannotConnectToHost)
  }

  #if compiler(>=6.2)
    @Test("is not known in a detached task, whose requests go to the only open scope, though no trait was used")
    func detached() async {
      await #expect(processExitsWith: .success) {
        let text = try await withStubs {
          stub(condition: isHost("detached.example"), response: .text("stubbed"))
          let text = try await Task.detached { try await fetch("http://detached.example/") }.value
          guard StubRegistry.current.journal.entries.map(\.isInferred) == [true] else { fatalError("not inferred") }
          return text
        }
        guard text == "stubbed" else { fatalError(text) }
      }
    }
  #endif
}
