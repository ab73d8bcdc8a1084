import Foundation

extension URLRequest {
  /// A Boolean value that indicates whether the request is for a server on this machine: `localhost` and the names
  /// below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
  package var isLoopback: Bool {
    var facts = RequestFacts(self)
    return facts.host.map(HostName.isLoopback) ?? false
  }
}
