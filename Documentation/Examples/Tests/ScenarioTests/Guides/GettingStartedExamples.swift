import Foundation
import StubKit
import TestSupport
import Testing

// The examples that need StubKitTesting are in the tests of that library.

@Suite("The guide to the first hour", .inTurn)
struct GettingStartedExamples {
  private let page = Page.guide("GettingStarted")

  @Test("adds the package as the README does, and names libraries that there are")
  func manifest() throws {
    let products = page.text.matches(of: #/\.product\(name: "(\w+)", package: "StubKit"\)/#)
    #expect(products.map { String($0.1) } == ["StubKitTesting"])
    for product in products { #expect(Page.readme.text.contains(product.0)) }
    let package = #/\.package\((?:name: "StubKit", path: "\.\./StubKit"|url: "https://[^"]+", from: "[0-9.]+")\)/#
    let dependency = try #require(page.text.firstMatch(of: package))
    #expect(Page.readme.text.contains(dependency.0))
  }

  @Test("shows a report as it is printed")
  func report() async {
    await withStubs {
      stub(
        .get, "https://api.example.com/weather/Bern", response: .ok, fileID: "AppTests/WeatherTests.swift", line: 10)
      await expectReport(page.printed[0], of: request("/weather/Berne"))
    }
  }

  @Test("shows policies for unmatched requests")
  func policies() async throws {
    try await withStubs { () async throws in
      HTTPStubs.unmatched = .respond { _ in .status(404) }
      // Requests to localhost go out, and all others fail.
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      HTTPStubs.unmatched = .passThrough

      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      await #expect(throws: UnmatchedRequestError.self) { try await status("/weather/Berne") }
    }
  }
}
