import Foundation
import StubKit

extension Chapter {
  static let unmatchedRequest = Chapter(
    "An unmatched request fails, and its error names the nearest stubs",
    code: #"""
      stub(condition: isHost("api.example.com") && isPath("/users"),
           response: .json([]), name: "users")
      stub(condition: isMethod(.post) && isPath("/users")
             && hasJSONBody(["name": "Ann", "address": ["zip": "1010"]]),
           response: .status(201), name: "sign up")
      stub(condition: isPath("/users") && containsQuery("page", "2"),
           response: .json([]), name: "page 2")
      stub(condition: hostEndsWith("example.com"),
           response: .status(503), name: "outage", times: 1)
      """#
  ) { page in
    stub(
      condition: isHost("api.example.com") && isPath("/users"),
      response: .json([]), name: "users")
    stub(
      condition: isMethod(.post) && isPath("/users")
        && hasJSONBody(["name": "Ann", "address": ["zip": "1010"]]),
      response: .status(201), name: "sign up")
    stub(
      condition: isPath("/users") && containsQuery("page", "2"),
      response: .json([]), name: "page 2")
    stub(
      condition: hostEndsWith("example.com"),
      response: .status(503), name: "outage", times: 1)

    let url = "https://api.example.com/user"
    page.show(try await Reply.get(url))
    var signUp = URLRequest(url: URL(string: "https://web.example.com/users?pge=2")!)
    signUp.httpMethod = "POST"
    signUp.httpBody = Data(#"{"name": "Ann", "address": {"zip": "1020"}}"#.utf8)
    do {
      let (_, response) = try await URLSession.shared.data(for: signUp)
      page.expect(false, "an error, not \(response)")
    } catch let error as UnmatchedRequestError {
      page.show("← UnmatchedRequestError:\n")
      page.show(error.localizedDescription, hanging: 2)
      page.expect(
        error.nearest.map(\.stub.name) == ["outage", "sign up", "page 2"], "the nearest stubs, in this order")
      page.expect(
        error.nearest[1].mismatches.map(\.criterion) == ["body at address.zip"], "only the zip to differ")
      page.expect(error.description.contains("UnmatchedRequest.swift"), "the file of the stubs in the report")
      page.expect(error.description.split(separator: "\n").count <= 25, "no more than 25 lines")
    }

    page.show("\nHTTPStubs.explain(request) checks all stubs without making the request:\n")
    let explanation = HTTPStubs.explain(URLRequest(url: URL(string: url)!))
    page.show(explanation.description, hanging: 2)
    page.expect(explanation.stub == nil, "no stub in the explanation")
  }
}
