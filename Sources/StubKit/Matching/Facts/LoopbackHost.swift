import Foundation

extension URLRequest {
  /// A Boolean value that indicates whether the request is for a server on this machine: `localhost` and the names
  /// below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
  var isLoopback: Bool {
    var facts = RequestFacts(self)
    guard let host = facts.host else { return false }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
  }
}
