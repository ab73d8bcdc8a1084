import Foundation
import Library
import StubKitMocker
import Testing

@Suite("One import in place of Mocker's")
struct MockerNamesTests {
  @Test("leaves the names of other libraries alone, and brings what a test needs")
  func names() {
    // Each of these is ambiguous if two of the imported modules have it.
    let values: (JSONValue, Stub) = (.text("Orlando"), Stub(title: "Orlando"))
    #expect(values.0 == .text(values.1.title))
    let url = URL(string: "https://library.example.com/books")!
    withStubs {
      let mock = Mock(url: url, contentType: .json, statusCode: 200, data: [.get: Data("[]".utf8)])
      mock.register()
      #expect(HTTPStubs.allStubs().count == 1 && Mocker.shouldHandle(URLRequest(url: url)))
    }
  }
}
