import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func namesAndTimes() {
  let api = isHost("api.example.com")
  stub(condition: api, response: .text("a"), name: "users", times: 2)
  stub(condition: api, response: .text("a"), times: 2)
  stub(condition: api, name: "users", times: 2) { _ in .text("a") }
  stub(condition: api, times: 1) { request in .text(request.httpMethod ?? "") }
  stub(condition: api, name: "x") { _, match in .text(match["id"] ?? "") }
  stub(condition: api, responses: [.failure(.timedOut), .json(["id": 1])])
  stub(
    condition: api, responses: [.failure(.timedOut), .text("x"), .empty(status: 500)], afterLast: .startOver,
    name: "retry")
  stub(condition: api, responses: [.text("1"), .text("2")], afterLast: .stopMatching, times: 2)
  stub(condition: { $0.httpMethod == "GET" }, responses: [.text("1"), .text("2")])
  stub(condition: api, response: .text("x"), in: StubRegistry())
  let first = stub(condition: api, response: .text("x"))
  first.remove()
  let stub = stub(condition: api, response: .text("shadow"))
  _ = stub.callCount
}
