import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitTesting

/// Each in a process of its own, as it matters which scopes are open.
@Suite("A request that no test is certain to have made", .inTurn)
struct RequestWarningTests {
  #if compiler(>=6.3)
    enum Story: String, CaseIterable, Codable {
      // How a request misses.
      case queueBesideTwo, detachedTaskInOne, answeredTaskAfterItsTest, queueAfterAll, queueAfterWithStubs
      case handlerAfterItsScope, queueWithGlobalStubs, sessionOfEndedTest, pollerOfEndedTest
      // What else is a warning of the run.
      case fiftyRequests, requestsThatNoTestReports, requestsUnderWay, stubsWithoutScope
      case callsWithoutScope
      // What a test that may never end tells before its end.
      case endlessClient, findingsOfLongTest
      // What is set where no test is known.
      case settingsOnQueue
      // What is a finding of a test or none, and no warning.
      case inferredHit, hitOutsideOfScopes, untakenRequests, loopback
      #if os(Linux)
        // XCTest runs one test at a time, so no other test can have made the request.
        case queueInTestCase, sessionOfEndedTestCase
        // What leaves for the network, or mustn't.
        case departsWithoutScope, blockedInCode, blockedByEnvironment, allowedInCode
        case taskCutOff
        // What goes to the network all the same.
        case escapes
      #endif
    }

    /// The warnings are in `Fixtures/warnings.txt`, below the name of their story.
    @Test(
      "is a warning of the run, unless only one test can have made it", .startsProcess, .serialized,
      arguments: Story.allCases)
    func warnings(story: Story) async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [story] in
        try await story.tell()
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let expected = try #require(try sectionsOfFile("warnings")[story.rawValue])
      // Swift Testing marks the end of an output, unless the process ends itself.
      #expect(expected.isEmpty ? !text.contains("StubKit:") : text == "\(expected)\n", "\(text)")
    }
  #endif
}
