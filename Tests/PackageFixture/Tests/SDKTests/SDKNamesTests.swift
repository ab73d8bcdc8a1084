import Foundation
import SDKs
import StubKitTesting
import Testing

@Suite("Names of SDKs beside StubKit's", .stubbed)
struct SDKNamesTests {
  @Test("mean those of the SDKs, and stubs are written as everywhere else")
  func names() async throws {
    // Each of these is ambiguous if StubKit has it, too.
    let id: JSONValue = 42
    let object: JSONObject = ["id": id, "name": "Ann"]
    let sent: [ServerSentEvent] = [ServerSentEvent(data: "ready"), ServerSentEvent()]
    let values: (JSON, Event, HTTPMethod) = (JSON("Ann"), Event(name: "launch"), .get)
    var client = APIClient()
    client.tags = object
    #expect(client.tags.count == 2 && sent.count == 2 && values.0.stringValue == "Ann" && values.2 == .get)

    stub(.get, "https://api.example.com/users", response: .json(["id": 42, "name": StubJSON(values.1.name)]))
    let events = stub(
      .get, "https://api.example.com/events", response: .events(["ready", .init("42", event: "answer")]))
    stub(condition: isMethod(.post) && hasJSONBody(["id": 1]), response: .ok)
    let data = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!).0
    #expect(try StubJSON(parsing: data)["name"]?.stringValue == "launch")
    expectCalls(to: events, .never)
  }
}
