import Foundation
import StubKit
import StubKitFormats

/// The servers of one registry, and the origins that they stand for.
struct Neighbours: Sendable {
  private struct Server {
    let registry: ObjectIdentifier
    let origin: Origin
    let address: Origin
  }

  private static let servers = Protected<[Server]>([])

  private let registry: ObjectIdentifier
  /// The scheme of an address that begins with two slashes.
  private let scheme: String

  init(of registry: StubRegistry, scheme: String) {
    self.registry = ObjectIdentifier(registry)
    self.scheme = scheme
  }

  func add(_ origin: Origin, at address: Origin) {
    Self.servers.withLock { $0.append(Server(registry: registry, origin: origin, address: address)) }
  }

  /// Removes the server of an address. Addresses are unique, because ports are.
  func remove(_ address: Origin) { Self.servers.withLock { $0.removeAll { $0.address == address } } }

  private func address(of origin: Origin) -> Origin? {
    Self.servers.withLock { $0.last { $0.registry == registry && $0.origin == origin }?.address }
  }

  /// Returns the URL at which a client finds an absolute one, or `nil` if no server stands for its origin.
  func translate(_ text: String) -> String? {
    let absolute = text.hasPrefix("//") ? "\(scheme):\(text)" : text
    guard let separator = absolute.range(of: "://"), let origin = URL(string: absolute).flatMap(Origin.init(of:)),
      let address = address(of: origin)
    else { return nil }
    let end = absolute[separator.upperBound...].firstIndex { "/?#".contains($0) } ?? absolute.endIndex
    return address.text + absolute[end...]
  }

  /// Returns the fields of a response with the URLs that a client would follow to the real network translated.
  func translate(_ headers: ResponseHeaders) -> ResponseHeaders {
    guard headers.fields.contains(where: { Self.isTranslated($0.name) }) else { return headers }
    var translated = ResponseHeaders()
    for field in headers.fields { translated.append(field.name, translate(field.name.lowercased(), field.value)) }
    return translated
  }

  private static func isTranslated(_ name: String) -> Bool {
    ["location", "content-location", "link", "refresh"].contains(name.lowercased())
  }

  private func translate(_ name: String, _ value: String) -> String {
    switch name {
    case "location", "content-location":
      return translate(value) ?? value
    case "link":
      // Each link is a URL between angle brackets, and its parameters (RFC 8288, section 3).
      return value.split(separator: "<", omittingEmptySubsequences: false).enumerated().map { position, part in
        guard position > 0, let end = part.firstIndex(of: ">") else { return String(part) }
        return (translate(String(part[..<end])) ?? String(part[..<end])) + part[end...]
      }.joined(separator: "<")
    case "refresh":
      guard let start = value.range(of: "url=", options: .caseInsensitive)?.upperBound else { return value }
      return value[..<start] + (translate(String(value[start...])) ?? String(value[start...]))
    default:
      return value
    }
  }
}
