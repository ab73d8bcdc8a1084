/// The part of a request that has a single value.
package enum RequestPart: Equatable, Sendable {
  /// - Parameter isInName: Whether the name of the matcher contains the method, as in `isMethodGET()`.
  case method(isInName: Bool)
  case scheme, host, port, url, path, pathExtension
  case queryItem(String)
  case header(String)
  case cookie(String)
  /// The token and the credentials in the Authorization header.
  case bearerToken, credentials
}

extension RequestPart {
  /// Returns the value in the request in canonical form, or `nil` if there is none. Items can have several values.
  func value(in facts: inout RequestFacts) -> String? {
    switch self {
    case .method: facts.method
    case .scheme: facts.scheme
    case .host: facts.host
    case .port: facts.port.map(String.init)
    case .url: facts.url == nil ? nil : facts.absoluteString
    case .path: facts.url == nil ? nil : facts.path
    case .pathExtension: facts.url == nil ? nil : facts.pathExtension
    case .header(let name): facts.header(name)
    case .bearerToken: facts.bearerToken
    case .credentials: facts.basicCredentials
    case .queryItem, .cookie: nil
    }
  }

  /// Returns the items among which the part is found by its name. Header fields have the name as it is in the part.
  func items(in facts: inout RequestFacts) -> NamedItems {
    switch self {
    case .queryItem: facts.queryItems
    case .header(let name):
      facts.header(name).map { [NamedValue(name: name, value: $0)] } ?? facts.headers
    case .cookie: facts.cookies
    default: []
    }
  }

  /// The name of an item.
  var name: String? {
    switch self {
    case .queryItem(let name), .header(let name), .cookie(let name): name
    default: nil
    }
  }
}

// How it is reported.
extension RequestPart {
  /// The function that requires a value, the word for the part in other functions, its name in reports, its points, and
  /// a bit for a part that a request has once.
  var row: (function: String, word: String, subject: String, weight: ClosedRange<Int>, bit: UInt16) {
    switch self {
    case .method: ("isMethod", "", "method", Points.method...Points.method, 1 << 0)
    case .scheme: ("isScheme", "", "scheme", Points.origin...Points.origin, 1 << 1)
    case .host: ("isHost", "host", "host", Points.host, 1 << 2)
    case .port: ("isPort", "", "port", Points.origin...Points.origin, 1 << 3)
    case .url: ("isAbsoluteURLString", "url", "URL", Points.url, 1 << 4)
    case .path: ("isPath", "path", "path", Points.path, 1 << 5)
    case .pathExtension: ("isExtension", "", "path extension", Points.method...Points.method, 1 << 6)
    case .queryItem: ("containsQuery", "query", "query item", Points.item, 0)
    case .header: ("hasHeader", "header", "header", Points.item, 0)
    case .cookie: ("hasCookie", "", "cookie", Points.item, 0)
    case .bearerToken: ("hasBearerToken", "", "bearer token", Points.item, 1 << 7)
    case .credentials: ("hasBasicAuth", "", "header Authorization", Points.item, 1 << 8)
    }
  }

  var bit: UInt16 { row.bit }
}
