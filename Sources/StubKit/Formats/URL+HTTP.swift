import Foundation

extension URL {
  /// A Boolean value that indicates whether a request for the URL is sent by HTTP at all.
  var isSentByHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
