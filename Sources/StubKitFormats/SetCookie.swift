/// The fields that set cookies (RFC 6265), which `HTTPURLResponse` joins.
package enum SetCookie {
  /// Splits `Set-Cookie` fields that were joined with commas. Each value begins with a name and an equals sign, unlike
  /// the part of a date after its comma.
  package static func values(joined value: String) -> [String] {
    var cookies: [Substring] = []
    var start = value.startIndex
    for comma in value.indices where value[comma] == "," && start < comma {
      let rest = value[value.index(after: comma)...].drop { $0 == " " }
      let name = rest.prefix { !" \t\";,=".contains($0) }
      guard !name.isEmpty, rest[name.endIndex...].first == "=" else { continue }
      cookies.append(value[start..<comma])
      start = rest.startIndex
    }
    return (cookies + [value[start...]]).map(String.init)
  }
}
