import Foundation
import StubKitRecorder
import TestSupport

/// An entry that was answered with a text.
func entry(_ request: URLRequest, _ text: String = "", status: Int = 200) -> HTTPArchive.Entry {
  let length = "\(text.utf8.count)"
  return HTTPArchive.Entry(
    request: request, response: .init(status: status, headers: ["Content-Length": length], body: Data(text.utf8)))
}

func entry(_ url: String, _ text: String = "", status: Int = 200) -> HTTPArchive.Entry {
  entry(request(url), text, status: status)
}

/// A request in a line: `METHOD URL @NAME=VALUE TYPE < BODY`, where everything may be left out.
///
/// `PUT /users?page=2 @Accept=text/plain json < {"a": 1}` has a path, a header, `Content-Type: application/json` and a
/// body. `?page=2` is a GET for http://a.com/x?page=2, and `form < a=1` a POST of a form for http://a.com/. Other types
/// are `type:TYPE`, `parts:BOUNDARY`, whose body has the fields of a multipart body as a form has them (`a=1&b=2`), and
/// `query:NAME`, whose body has the variables of a GraphQL operation. A `+` in the value of a header is a space.
func asked(_ text: String) -> URLRequest {
  let start = text.range(of: "< ")
  var body = start.map { String(text[$0.upperBound...]) }
  var (method, address, headers) = (body == nil ? "GET" : "POST", "/", [String: String]())
  for word in text[..<(start?.lowerBound ?? text.endIndex)].split(separator: " ").map(String.init) {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    switch parts[0] {
    case "form": headers["Content-Type"] = "application/x-www-form-urlencoded"
    case "json": headers["Content-Type"] = "application/json"
    case "type": headers["Content-Type"] = parts[1].replacing("+", with: " ")
    case "query":
      headers["Content-Type"] = "application/json"
      body = #"{"operationName": "\#(parts[1])", "query": "query \#(parts[1]) { a }", "variables": \#(body!)}"#
    case "parts":
      headers["Content-Type"] = "multipart/form-data; boundary=\(parts[1])"
      let fields = body!.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
      let texts = fields.map {
        "--\(parts[1])\r\nContent-Disposition: form-data; name=\"\($0[0])\"\r\n\r\n\($0[1])\r\n"
      }
      body = texts.joined() + "--\(parts[1])--\r\n"
    case _ where word.hasPrefix("@"):
      let field = word.dropFirst().split(separator: "=", maxSplits: 1)
      headers[String(field[0])] = String(field[1].replacing("+", with: " "))
    case _ where word.allSatisfy(\.isUppercase): method = word
    default: address = word
    }
  }
  if address.hasPrefix("?") { address = "/x" + address }
  if address.hasPrefix("/") { address = "http://a.com" + address }
  return request(address, method: method, headers: headers, body: body)
}

extension HTTPArchive {
  init(_ entries: HTTPArchive.Entry...) { self.init(entries: entries) }

  /// An archive as if it came from a file.
  init(_ name: String, _ entries: HTTPArchive.Entry...) {
    self.init(entries: entries)
    fileName = name
  }
}
