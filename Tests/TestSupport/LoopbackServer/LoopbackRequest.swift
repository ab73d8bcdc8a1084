import Foundation

/// One request as it came to a server.
package struct LoopbackRequest: Sendable {
  package let method: String
  package let target: String
  package let fields: [(name: String, value: String)]
  package var body = Data()

  /// The method and the target.
  package var line: String { "\(method) \(target)" }

  /// The header fields by their names in lower case.
  package var headers: [String: String] {
    Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
  }

  package subscript(name: String) -> String? {
    fields.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
  }
}
