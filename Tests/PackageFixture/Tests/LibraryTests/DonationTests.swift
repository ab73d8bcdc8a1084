import StubKitTesting
import XCTest

@testable import Library

final class DonationTests: StubbedTestCase {
  private let book = LibraryClient.Book(title: "Orlando", copies: 1)

  func testSendsTheBook() async throws {
    let books = stub(
      condition: isMethodPOST() && isPath("/books") && hasJSONBody(["title": "Orlando", "copies": 1]),
      response: .empty(status: 201))
    try await LibraryClient().donate(book)
    XCTAssertEqual(books.callCount, 1)
  }

  func testSaysWhyTheBookWasNotTaken() async {
    stub(condition: isMethodPOST() && isPath("/books"), response: .empty(status: 507))
    do {
      try await LibraryClient().donate(book)
      XCTFail("The book was taken.")
    } catch {
      XCTAssertEqual(error as? LibraryClient.Failure, .status(507))
    }
  }
}
