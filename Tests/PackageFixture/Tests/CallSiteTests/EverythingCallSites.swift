import Foundation
import StubKit

func more(id: Int, name: String, user: User, maybe: String?) {
  let api = isHost("x")
  stub(condition: api, response: .json(["id": id, "name": name, "ok": true, "n": 1.5, "users": [user], "m": maybe]))
  stub(condition: api, response: .json(["id": StubJSON(id), "tags": ["a", 1, StubJSON(id)], "nested": ["n": nil]]))
  stub(condition: api && hasJSONBody(["id": id, "n": name]) && { $0.httpMethod == "PUT" }, response: .json(["id": id]))
  stub(
    condition: hasJSONBody(user) && hasJSON(at: "id", equals: id) && hasJSONBody(containing: ["n": name, "x": 1]),
    response: .status(204))
  stub(condition: hasJSONBody(["x": [nil, true, "a"]]) && hasJSONBody([]) && hasJSONBody(nil), response: .status(204))
  stub(condition: isHost("x")) { _ in .status(204) }.name = "settable, as in OHHTTPStubs"
}

func longOne(id: Int, name: String) {
  stub(
    condition: isMethod(.get) && isHost("a") && isPath("/a") && isScheme("https") && isPort(1)
      && containsQuery(["a": "\(id)", "b": nil]) && hasHeader("A") && !hasHeader("B") && { $0.url != nil }
      && !isHost("c") && (isPath("/a") || isPath("/b") || { $0.url?.path == name } || isPath("/d"))
      && hasJSONBody(["id": id, "name": name]),
    response: .json(
      [
        "id": id, "name": name, "a": 1, "b": 2, "c": 3, "d": "x", "e": [1, 2, 3], "f": 1.5, "g": true, "h": "\(name)",
        "i": name + "x", "j": id * 2 + 1,
      ], status: 200 + id, headers: ["A": "b" + name]
    ).delay(.milliseconds(id * 10)).network(.edge).header("X", name + "y"), name: "x" + name, times: id + 1)
  stub(
    condition: { $0.url?.host == "x" || $0.timeoutInterval > 3 && !$0.httpShouldHandleCookies }, response: .status(204))
}
