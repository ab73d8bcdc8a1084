import Foundation
import StubKit
import Testing

/// Most of the other files here are never run: that they compile, without a warning, is the test. Three targets compile
/// them: in Swift 6 mode, in Swift 5 mode, and with main-actor isolation by default. What can be run is run here.
@Suite("Call sites as users write them")
struct CallSiteTests {
  @Test("register their 20 stubs, each at its own line")
  func registration() async throws {
    try withStubs {
      try values(id: 1, name: "Ann", user: User(id: 1, name: "Ann"), list: [1])
      more(id: 1, name: "Ann", user: User(id: 1, name: "Ann"), maybe: nil)
      longOne(id: 1, name: "Ann")
      let stubs = StubRegistry.current.stubs
      #expect(stubs.count == 20 && Set(stubs.map(\.location)).count == stubs.count)
    }
  }

  @Test("can be closures in every form")
  func closureForms() async {
    await withStubs {
      await closures(user: User(id: 1, name: "Ann"), id: 1)
      #expect(StubRegistry.current.stubs.count == 13)
    }
  }
}
