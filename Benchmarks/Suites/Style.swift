import Foundation
import StubKit

/// A way in which the stubs of a test suite differ. The differing part always has the same length, because the first
/// and the last stub could not be compared otherwise.
struct Style: Sendable {
  let name: String
  let condition: @Sendable (_ number: Int) -> RequestMatcher
  /// Returns the request for the stub with a number. A number beyond the number of stubs matches none.
  let request: @Sendable (_ number: Int) -> URLRequest

  /// - Parameter times: How many requests each stub is meant to answer, or `nil` where it isn't said. A stub that
  ///   answers 1,000 without having said so is told as one whose client may never stop.
  func registry(stubs: Int, times: Int? = nil) -> StubRegistry {
    let registry = StubRegistry()
    let response = StubResponse.data(Requester.stubKitBody, headers: Self.responseHeaders)
    for number in 0..<stubs { stub(condition: condition(number), response: response, times: times, in: registry) }
    return registry
  }

  static let responseHeaders = ["Content-Type": "application/json"]

  /// The path has 15 bytes, the most that Swift stores without an allocation. A longer one would slow down the scan.
  static let path = Style(name: "path") {
    isMethod(.get) && isHost(Site.host) && isPath("/v1/item/\(id($0))")
  } request: {
    Site.request("/v1/item/\(id($0))")
  }

  static let query = Style(name: "query value") {
    isHost(Site.host) && isPath("/v1/items") && containsQuery("page", "\(id($0))")
  } request: {
    Site.request("/v1/items?sort=name&page=\(id($0))")
  }

  static let header = Style(name: "header") {
    isHost(Site.host) && isPath("/v1/items") && hasHeader("X-Tenant", "tenant-\(id($0))")
  } request: { number in
    var request = Site.request("/v1/items")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue("tenant-\(id(number))", forHTTPHeaderField: "X-Tenant")
    return request
  }

  static let json = Style(name: "JSON field") {
    isMethod(.post) && isHost(Site.host) && isPath("/v1/rpc") && hasJSON(at: "params.id", equals: StubJSON(id($0)))
  } request: { number in
    var request = Site.request("/v1/rpc", method: "POST")
    request.httpBody = Data(#"{"method":"item","params":{"id":\#(id(number))}}"#.utf8)
    return request
  }

  /// The same condition, and a body of 200 bytes, of which most is nothing that a stub asks for.
  static let longJSON = Style(name: "JSON field of 200 bytes", condition: json.condition) { number in
    var request = Site.request("/v1/rpc", method: "POST")
    request.httpBody = Data(
      (#"{"jsonrpc":"2.0","method":"item","params":{"fields":["name","price","stock"],"limit":25,"sort":"name","#
        + #""id":\#(id(number)),"locale":"en_GB"},"id":17,"meta":{"trace":"4bf92f3577b34da6a3ce929d0e0e","sampled":true}}"#)
        .utf8)
    return request
  }

  static let template = Style(name: "template") {
    isMethod(.get) && isHost(Site.host) && isPath(template: "/v1/shops\(id($0))/{shop}/items/{item}")
  } request: {
    Site.request("/v1/shops\(id($0))/7/items/42")
  }

  static let prefix = Style(name: "prefix") {
    isHost(Site.host) && pathStartsWith("/v1/\(padding($0))/\(id($0))/")
  } request: {
    Site.request("/v1/\(padding($0))/\(id($0))/items/42")
  }

  /// A prefix that ends within a segment.
  static let beginning = Style(name: "prefix within a segment") {
    isHost(Site.host) && pathStartsWith("/v1/files/r\(id($0))-")
  } request: {
    Site.request("/v1/files/r\(id($0))-x/items/42")
  }

  /// Each of some paths on each of a hundred hosts.
  static let hosts = Style(name: "path of a hundred hosts") {
    isHost("h\(100 + $0 % 100).example.com") && isPath("/v1/item/\(id($0 / 100))")
  } request: {
    var request = Site.request("/v1/item/\(id($0 / 100))")
    request.url = URL(string: "https://h\(100 + $0 % 100).example.com/v1/item/\(id($0 / 100))")
    return request
  }

  static let closure = Style(name: "closure") { _ in
    .matching { $0.timeoutInterval < 0 }
  } request: {
    path.request($0)
  }

  /// Three styles in turn.
  static let mixed = Style(name: "mixed") {
    [path, query, template][$0 % 3].condition($0)
  } request: {
    [path, query, template][$0 % 3].request($0)
  }

  /// A number of six digits.
  static func id(_ number: Int) -> Int { 100_000 + number }

  /// One of a hundred lengths. It is the same for 0, 9, 99, 999 and so on, which are the first stub and the last.
  private static func padding(_ number: Int) -> String {
    String(repeating: "x", count: number.isMultiple(of: 9) ? 50 : 1 + number % 100)
  }
}

extension Int {
  /// More requests than any measurement makes, for stubs that mean so many.
  static let manyRequests = 1_000_000
}
