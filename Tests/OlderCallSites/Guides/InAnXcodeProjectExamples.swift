import Foundation
import StubKit
import TestSupport
import Testing

#if DEBUG
  @Suite("The guide to Xcode", .inTurn)
  struct InAnXcodeProjectExamples {
    @Test("shows the stubs of a preview, which replace those of the one before")
    func preview() async throws {
      try await withStubs { () async throws in
        Demo.start()
        Demo.start()
        #expect(StubRegistry.current.stubs.count == 2)
        #expect(try await text("/users") == #"[{"name":"Ann"},{"name":"Ben"}]"#)
        #expect(await code("/films") == .notConnectedToInternet)
      }
    }
  }
#endif
