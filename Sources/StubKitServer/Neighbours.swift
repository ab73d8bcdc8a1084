import Foundation
import StubKit

/// The servers of one registry, and the origins that they stand for, as one of the servers sees them.
struct Neighbours {
  /// The servers that stand for an origin.
  private static let servers = Protected<[Neighbours]>([])

  private let registry: ObjectIdentifier
  private let origin: Origin?
  /// The address of this server. Addresses are unique, because ports are.
  private let own: Origin

  init(of registry: StubRegistry, _ origin: Origin?, at own: Origin) {
    self.registry = ObjectIdentifier(registry)
    (self.origin, self.own) = (origin, own)
  }

  func add() {
    guard origin != nil else { return }
    Self.servers.withLock { $0.append(self) }
    UnmatchedRequestError.addressNotes.withLock { $0 = Closure(Self.note) }
  }

  /// What the report of a request says if this process has asked for the address of one of its own servers.
  private static func note(_ url: URL) -> [String] {
    guard let asked = Origin(of: url), asked.isLoopback,
      let origin = servers.withLock({ $0.last { $0.own.port == asked.port } })?.origin
    else { return [] }
    return [
      "\(asked.text) is the URL of a StubServer, and for other processes only. In this one, ask for",
      "\(origin.text), for which the server stands.",
    ]
  }

  func remove() { Self.servers.withLock { $0.removeAll { $0.own == own } } }

  private func address(of origin: Origin) -> Origin? {
    if origin == self.origin { return own }
    return Self.servers.withLock { $0.last { $0.registry == registry && $0.origin == origin }?.own }
  }

  /// Whether a server stands for a host below a domain.
  private func serves(_ domain: String) -> Bool {
    let hosts = Self.servers.withLock { $0.filter { $0.registry == registry }.compactMap(\.origin?.host) }
    return hosts.contains { $0 == domain || $0.hasSuffix(".\(domain)") }
  }

  /// Returns the URL at which a client finds an absolute one, or `nil` if no server stands for its origin.
  func translate(_ text: String) -> String? {
    let absolute = text.hasPrefix("//") ? "\(origin?.scheme ?? "http"):\(text)" : text
    guard let rest = absolute.scheme?.rest, let origin = URL(string: absolute).flatMap(Origin.init(of:)),
      let address = address(of: origin)
    else { return nil }
    return address.text + rest.drop { !"/?#".contains($0) }
  }

  /// Returns the fields of a response with the redirect that a client would follow to the real network translated, and
  /// with the cookies that it would refuse from this server.
  func translate(_ headers: StubHeaders) -> StubHeaders {
    headers.fields.reduce(into: [:]) { $0.append($1.name, translate($1.name.lowercased(), $1.value)) }
  }

  private func translate(_ name: String, _ value: String) -> String {
    switch name {
    case "location":
      return translate(value) ?? value
    case "set-cookie":
      return origin == nil ? value : cookie(value)
    default:
      return value
    }
  }

  /// Returns a cookie without the attributes that tie it to an origin that a server stands for, or to https (RFC 6265,
  /// section 4.1.2). Without `Secure`, browsers refuse `SameSite=None`, `Partitioned` and names with `__Secure-`.
  private func cookie(_ value: String) -> String {
    let isNamedSecure = value.starts(withBytesOf: "__")
    let parts = value.pieces(at: ";")
    let attributes = parts.dropFirst().filter { attribute in
      let parts = attribute.lowercased().split(separator: "=", maxSplits: 1).map(\.withoutOuterSpace)
      switch (parts.first, parts.last) {
      case ("domain", let domain?): return !serves(String(domain.drop { $0 == "." }))
      case ("secure", _), ("partitioned", _), ("samesite", "none"): return isNamedSecure
      default: return true
      }
    }
    return (parts.prefix(1) + attributes).joined(separator: ";")
  }
}
