import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The guide to many stubs, where StubKitTesting is needed", .inTurn)
struct OrganizingStubsTestingExamples {
  func stubUser(_ id: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Stub {
    stub(
      condition: isPath("/users/\(id)"), response: .json(["id": id]), at: .init(sourceLocation))
  }

  @Test("shows a function that its caller's line goes through", .stubbed)
  func location() {
    let (line, user) = (#line, stubUser(1))
    #expect(user.location.line == line)
  }
}
