import Foundation
import TestSupport

/// One request as it came to whoever answered it: the server or the stubs.
struct ReceivedRequest: Sendable {
  var method: String
  var target: String
  var headers: [(name: String, value: String)]
  /// With what the transport adds: all that a server gets, or what a stub's closure gets by asking.
  var wholeHeaders: [(name: String, value: String)]
  var body: Data

  subscript(name: String) -> String? { headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value }

  /// The header fields that a client's code sets: not what the transport adds on its way.
  var headersThatMatter: [(name: String, value: String)] {
    headers.filter { name, _ in
      let name = name.lowercased()
      return name.hasPrefix("x-") || ["authorization", "cookie", "content-type"].contains(name)
    }
    .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }
}

extension ReceivedRequest {
  init(_ request: LoopbackRequest) {
    self.init(
      method: request.method, target: request.target, headers: request.fields, wholeHeaders: request.fields,
      body: request.body)
  }
}
