import Foundation
import StubKit

/// Requests, and matchers that match them.
enum MatcherSamples {
  static var get: URLRequest {
    var request = Site.request("/v1/users/42/photo.png?page=2&sort=name&flag")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue("session=abc; theme=dark", forHTTPHeaderField: "Cookie")
    request.setValue("Basic YW5uYTpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
    return request
  }

  private static var withToken: URLRequest {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:8080/me")!)
    request.setValue("Bearer abc", forHTTPHeaderField: "Authorization")
    return request
  }

  static var all: [(URLRequest, [RequestMatcher])] {
    [
      (get, [.anything] + url + query + headers),
      (withToken, [hasBearerToken(), hasBearerToken("abc"), isLoopback()]),
      (post(#"{"id":42,"user":{"name":"Anna","tags":["a","b"]}}"#, type: "application/json"), json),
      (
        post("name=Anna&city=Bern", type: "application/x-www-form-urlencoded"),
        [hasFormBody(["name": "Anna", "city": "Bern"])]
      ),
      (post(multipart, type: "multipart/form-data; boundary=limit"), [hasMultipartPart(named: "file")]),
      (post(graphQL, type: "application/json"), [isGraphQL(operation: "User")]),
    ]
  }

  private static let url = [
    isMethodGET(), isScheme("https"), isHost(Site.host), hostEndsWith(".example.com"), isPort(443),
    isAbsoluteURLString("https://api.example.com/v1/users/42/photo.png?page=2&sort=name&flag"),
    isURL("https://api.example.com/v1/users/42/photo.png?page=2&sort=name&flag"),
    isURL("https://api.example.com/v1/users/42/photo.png"), isUnder("https://api.example.com/v1"),
    urlMatches("^https://[a-z.]+/v1/users/"),
    isPath("/v1/users/42/photo.png"), pathStartsWith("/v1/users"), pathEndsWith("photo.png"),
    pathMatches("^/v1/users/[0-9]+/"), isPath(template: "/v1/users/{id}/{file}"),
    isPath(template: "/v1/users/{id:[0-9]+}/{file}"), isPath(template: "/v1/{rest...}"),
    isExtension("png"),
    isMethodGET() && isHost(Site.host) && isPath("/v1/users/42/photo.png"), !isHost("www.example.com"),
    StubScenario(initial: "open", name: "door").is("open"), RequestMatcher("a closure") { $0.timeoutInterval > 0 },
  ]

  private static let query = [
    containsQuery("page"), containsQuery("page", "2"), containsQuery(["page": "2", "flag": nil]),
    queryMatches("page", "^[0-9]+$"), hasExactQuery(["page": "2", "sort": "name", "flag": nil]), lacksQuery("filter"),
  ]

  private static let headers = [
    hasHeader("Accept"), hasHeader("Accept", "application/json"), headerMatches("Accept", "json$"),
    lacksHeader("X-Debug"), hasCookie("theme"), hasCookie("theme", "dark"),
    hasBasicAuth(user: "anna", password: "secret"),
  ]

  private struct Item: Decodable {
    let id: Int
  }

  private static let json = [
    isMethodPOST(), hasBody(Data(#"{"id":42,"user":{"name":"Anna","tags":["a","b"]}}"#.utf8)), bodyContains("Anna"),
    hasJSONBody(["id": 42, "user": ["name": "Anna", "tags": ["a", "b"]]]), hasJSONBody(containing: ["id": 42]),
    hasJSON(at: "user.tags[1]", equals: "b"), hasJSONBody(as: Item.self) { $0.id == 42 },
  ]

  private static let multipart =
    "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--limit--\r\n"

  private static let graphQL =
    #"{"operationName":"User","query":"query User($id: ID!) { user(id: $id) { name } }","variables":{"id":42}}"#

  private static func post(_ body: String, type: String) -> URLRequest {
    var request = Site.request("/v1/users", method: "POST")
    request.setValue(type, forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    return request
  }
}
