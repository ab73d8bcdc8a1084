import Foundation
import Library
import StubKitOHHTTPStubs
import Testing

@Suite("One import in place of OHHTTPStubs's")
struct OHHTTPStubsNamesTests {
  @Test("leaves the names of other libraries alone, and brings what a test needs")
  func names() {
    // Each of these is ambiguous if two of the imported modules have it.
    let values: (JSONValue, Stub) = (.text("Orlando"), Stub(title: "Orlando"))
    #expect(values.0 == .text(values.1.title))
    withStubs {
      let isOpen: HTTPStubsTestBlock = isScheme("https") && !isHost("other.example.com")
      let isBooks = isHost("library.example.com") && isPath("/books") || { $0.httpMethod == "PURGE" }
      let descriptor: HTTPStubsDescriptor = stub(condition: isOpen && !(!isBooks)) { _ in
        HTTPStubsResponse(jsonObject: [], statusCode: 200, headers: nil)
      }
      StubKit.stub(condition: hasJSONBody(["id": 1]) && isBooks, response: .json(["id": 1]))
      #expect(HTTPStubs.allStubs().count == 2 && HTTPStubs.removeStub(descriptor))
    }
  }
}
