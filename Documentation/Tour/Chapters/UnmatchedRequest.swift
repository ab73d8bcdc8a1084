import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Chapter {
  static let unmatchedRequest = Chapter(
    "A request that no stub matches never reaches the network",
    code: #"""
      stub(condition: isHost("api.example.com") && isPath("/users/42"),
           response: .json(["id": 42]))
      """#
  ) { page in
    stub(
      condition: isHost("api.example.com") && isPath("/users/42"),
      response: .json(["id": 42]))

    do {
      let reply = try await Reply.get("https://api.example.com/users/43")
      page.show(reply)
      page.expect(false, "an error, since no stub answers /users/43")
    } catch let error as UnmatchedRequestError {
      page.show("→ GET https://api.example.com/users/43\n← UnmatchedRequestError, which says:\n")
      page.show(error.localizedDescription)
      page.expect(error.localizedDescription.contains("UnmatchedRequest.swift"), "the stub's file in the report")

      page.show("\nAnd StubRegistry.current.explain(request) says what differs:\n")
      let explanation = StubRegistry.current.explain(error.request)
      page.show(explanation.description)
      page.expect(explanation.stub == nil, "no stub in the explanation")
      let mismatches = explanation.candidates.flatMap(\.report.mismatches).map(\.criterion)
      page.expect(mismatches == [#"isPath("/users/42")"#], "the path, and only the path, to differ")
    }
  }
}
