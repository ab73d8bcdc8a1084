import Foundation
import StubKitTranscripts
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

nonisolated private let folder = URL(fileURLWithPath: NSTemporaryDirectory())

@Suite(.stubbed, .transcribed)
struct TranscribedSites {
  @Test(.stubbed, .transcribed(order: .asMade, in: folder)) func makesNoRequest() { expectRequests("") }

  @Test func expects() {
    let values: [String: String] = expectRequests("", to: isHost("x"), order: .any)
    #expect(values.isEmpty && "\(HTTPStubs.journal)".isEmpty)
    expectRequests("", order: .perURL, in: .current)
  }
}

nonisolated final class TranscribedXCTestSites: TranscribedTestCase {
  override var transcript: Transcript? { name.contains("None") ? Transcript(order: .asMade, in: folder) : nil }

  func testSynchronous() {
    let users = stub(condition: isHost("x"), response: .text("a"))
    URLSession.shared.dataTask(with: URL(string: "http://x/")!).resume()
    wait(for: [expectation(forCallsTo: users)], timeout: 60)
    expectRequests("GET http://x/")
  }

  func testMakesNone() { expectRequests("") }
}
