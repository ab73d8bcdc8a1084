import Foundation
import StubKit

extension SecretFinder {
  mutating func searchHeader(_ text: SecretText, named name: String, _ context: Context) {
    switch name.lowercased() {
    case "cookie": for cookie in text.pieces(at: .semicolon) { searchCookie(cookie, context) }
    case "set-cookie":
      let joined = text.string
      for cookie in ResponseHeaders.cookies(joined: joined) {
        let start = joined.utf8.distance(from: joined.startIndex, to: cookie.startIndex)
        searchCookie(text[start..<start + cookie.utf8.count].pieces(at: .semicolon)[0], context)
      }
    case "location", "referer", "content-location": searchLink(text, context)
    case let name where !context.isInRequest && Self.isPublic(name):
      let name = self.name(name, in: .header)
      if name.kind == .own || name.kind == .kept { decide(text, name, context) }
    default:
      let secret = self.name(name, in: .header)
      let isUnknown = context.isInRequest && rules.isStandard && secret.kind == .none && !secret.isOrdinary
      let value = text.string
      let isRandom = value.looksRandom() && Set(value.utf8).count > 6 && value.decodedFromBase64 == nil
      if isUnknown, isRandom, !name.isOfPublicHeader {
        found(text, SecretReason(kind: .name, rule: "random value of header \(name)", name: name), context)
      } else {
        searchValue(text, secret, context)
      }
    }
  }

  /// Whether a header of a response is public: it pins public keys, hashes content, says where reports go, how a
  /// connection or a cache works and what a client may ask, or traces a request. Only a known shape or a rule of the
  /// user's own counts there.
  private static func isPublic(_ name: String) -> Bool {
    let families = ["access-control-", "content-security-policy", "public-key-pins", "x-ratelimit-"]
    return publicHeaders.contains(name) || families.contains(where: name.hasPrefix)
  }

  private static let publicHeaders = Set(
    SecretName.names(
      """
      accept-ch age allow alt-svc cache-control cf-ray clear-site-data content-digest content-md5 date digest etag
      expect-ct expires last-modified nel permissions-policy proxy-authenticate repr-digest report-to
      reporting-endpoints retry-after sec-websocket-accept server server-timing traceparent tracestate via
      strict-transport-security vary www-authenticate x-amz-cf-id x-amz-id-2 x-amz-request-id x-amzn-trace-id
      x-goog-hash x-request-id
      """))

  private mutating func searchCookie(_ cookie: SecretText, _ context: Context) {
    if let (name, value) = cookie.pair { searchCookie(value.trimmed, named: name.trimmed.string, context) }
  }

  mutating func searchCookie(_ value: SecretText, named name: String, _ context: Context) {
    guard !decide(value, self.name(name, in: .cookie), context) else { return noteParts(value) }
    let isSetting = name.words.last.map(Self.settings.contains) ?? false
    let lower = name.lowercased()
    let isPublic =
      isSetting || ["_ga", "_gat", "_gid"].contains(lower) || Self.publicCookies.contains(where: lower.hasPrefix)
    if !isPublic { noteParts(value) }
    let cookie = SecretName(rules.isStandard && !isPublic ? .lenient : .none, name, .carrier, "cookie \(name)")
    searchValue(value, cookie, context)
  }

  private func noteParts(_ value: SecretText) {
    for part in rules.isStandard ? value.pieces(at: .partsOfCookie).map(\.string) : [] where part.looksRandom() {
      table.notePart(part)
    }
  }

  /// The last words of cookies that keep a choice.
  private static let settings = SecretName.names(
    "locale localization lang language theme currency consent country timezone")
  /// How cookies begin that count visits or keep a consent: those of Google, Meta, Microsoft, Hotjar, Matomo, Segment
  /// and OneTrust.
  private static let publicCookies = SecretName.names(
    "_ga_ _gat_ _gcl_ _fbp _fbc _clck _clsk _uet _hj _pk_ ajs_ cookieconsent optanon __utm traceid cloudfront-key-pair-id"
  )

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  mutating func searchCredentials(_ text: SecretText, _ name: String, _ context: Context) -> Bool {
    guard let space = text.bytes.firstIndex(of: 0x20), 1...24 ~= space, !text.bytes[0].isDigit,
      text.bytes[..<space].allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") })
    else { return false }
    let rest = text[space...].trimmed
    guard !rest.bytes.isEmpty, context.isInRequest || rest.string.couldBeCredential else { return false }
    let reason = SecretReason(kind: .carrier, rule: "credentials", name: name)
    if text.string.lowercased().hasPrefix("basic"), let data = Data(base64OfAnyKind: rest.string),
      let password = String(validUTF8: data)?.cut(at: ":").map({ String($0.after) }), password.isUnmistakable
    {
      // The password is found elsewhere, and inside of what is replaced here.
      _ = table.add(.init(value: password, reason: reason, isAnywhere: true))
    }
    found(rest, reason, context)
    return true
  }

  /// What stands alone where the value is missing.
  static let schemes = SecretName.names("basic bearer digest negotiate ntlm token apikey oauth dpop hawk")
}

extension String {
  /// Whether the header of this name in a request traces it, describes its content or its target, or tells who sends
  /// it.
  fileprivate var isOfPublicHeader: Bool {
    let words = words
    if ["accept", "content", "sec", "if"].contains(words.first) || lowercased() == "x-client-data" { return true }
    let isPublic = words.contains { $0.hasPrefix("trace") || Self.publicWords.contains($0) }
    return isPublic || words.last.map { $0 == "client" || $0.hasSuffix("id") } ?? false
  }

  private static let publicWords = Set(
    SecretName.names(
      """
      span baggage newrelic request correlation transaction digest hash sha sha1 sha256 md5 checksum etag match target
      agent date timestamp time version range cursor device installation identifier idempotency host authority path
      origin referer language locale encoding boundary cert certificate build commit revision release tenant account org
      organization project workspace user customer shop store site team fingerprint topic operation lock destination
      model type name
      """))
}
