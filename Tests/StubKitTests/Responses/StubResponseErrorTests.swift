import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response's error", .inTurn)
struct StubResponseErrorTests {
  static let location = StubLocation(
    fileID: "UserTests/LoginTests.swift", filePath: "/src/UserTests/LoginTests.swift", line: 12, column: 3)

  private static let reasons: [StubResponseError.Reason] = [
    .invalidStatus(42), .invalidHeaderName("A B"), .invalidHeaderValue("a\r\nb", name: "X"),
    .negativeDuration(.seconds(-1)), .invalidTime(.infinity), .invalidPieceLength(0), .negativeByteCount(-1),
    .invalidRedirectStatus(200), .invalidRedirectTarget("http://"), .unencodableValue("User", "boom"),
    .invalidEntityTag("a b"), .passedThroughWithCredential, .jsonEncodedTwice("Data"),
    .fixtureMissing("a.json", lookedIn: ["/x", "/y"], similar: [], isResource: false),
    .fixtureMissing("a.json", lookedIn: ["/x"], similar: ["b.json"], isResource: true), .fixtureIsDirectory("/x"),
    .fixtureNotAFileURL("http://x"), .fixtureUnreadable("/x", "Denied."), .fixtureIsNotRegular("/x", "a FIFO"),
    .fixtureBecameShorter("/x"),
  ]

  /// The sentences are in `Fixtures/response-errors.txt`, one a line.
  @Test("says what is wrong, and the cure")
  func sentences() throws {
    let file = try #require(Bundle.module.url(forResource: "Fixtures/response-errors", withExtension: "txt"))
    let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(Self.reasons.map(\.description) == expected)
    let users = StubReference(name: "users", location: Self.location, id: 1)
    #expect(
      StubResponseError(stub: users, reason: .invalidStatus(42)).description
        == "The stub \"users\" (UserTests/LoginTests.swift:12) \(expected[0])")
  }

  @Test("names a stub by its place, and a policy as such")
  func subjects() {
    let unnamed = StubResponseError(
      stub: StubReference(name: nil, location: Self.location, id: 1), reason: .invalidStatus(1))
    #expect(unnamed.description.hasPrefix("The stub at UserTests/LoginTests.swift:12 answers with"))
    let policy = StubResponseError(stub: nil, reason: .invalidStatus(1))
    #expect(policy.description.hasPrefix("The response to an unmatched request answers with"))
  }
}
