import StubKitTesting
import Testing

@testable import Library

@Suite("A client's books, in Swift Testing", .stubbed(reportUnused: true))
struct BooksTests {
  @Test("are those of the author that was asked for", arguments: ["Woolf", "Brontë"])
  func books(author: String) async throws {
    stub(
      condition: isHost("library.example.com") && isPath("/books") && containsQuery("author", author),
      response: .json([["title": .string("By \(author)"), "copies": 2]]))
    let books = try await LibraryClient().books(by: author)
    #expect(books == [LibraryClient.Book(title: "By \(author)", copies: 2)])
  }

  @Test("come after a minute, which takes no time", .stubbed(clock: .immediate))
  func patience() async throws {
    stub(condition: isPath("/books"), response: .json([]).delay(.seconds(60)))
    let books = try await LibraryClient().books(by: "Woolf")
    #expect(books.isEmpty)
  }
}
