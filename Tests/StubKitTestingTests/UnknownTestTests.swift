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
}
