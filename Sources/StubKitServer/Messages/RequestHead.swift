import StubKit

/// The head of a request as it arrived (RFC 9112, sections 3 and 5).
struct RequestHead: Equatable {
  var method: String
  var target: String
  /// The second number of `HTTP/1.1`: 0 or 1. Later versions count as 1.
  var minorVersion: Int
  var fields = StubHeaders()
  var body = Framing.none
  /// Whether the client wants to send another request on the connection.
  var keepsAlive = true
  /// Whether the client waits for a 100 before it sends the body.
  var expectsContinue = false

  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// The elements of a field that is a list, in lower case.
  func tokens(of name: String) -> [String] { fields.values(of: name).flatMap(\.listElements).map(\.lowercasedASCII) }
}

/// A request that can't be answered, and the response that says so. The connection ends after it.
struct RequestProblem: Error, Equatable {
  let status: Int
  /// A sentence for the client.
  let sentence: String

  init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}

extension String {
  /// The elements of a list, without empty ones (RFC 9110, section 5.6.1.2).
  var listElements: [Substring] { split(separator: ",").map(\.withoutOuterSpace).filter { !$0.isEmpty } }
}

extension Substring {
  /// The text with ASCII letters in lower case. Others, such as the Kelvin sign, become no ASCII letter.
  var lowercasedASCII: String { String(utf8: utf8.map(\.lowercased)) }
}
