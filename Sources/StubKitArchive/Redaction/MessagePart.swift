import StubKit

/// A part of a request or a response that has a meaning: in an archive, in its file, and in the reports of a recording.
enum MessagePart {
  case url, header(String), body(type: String)
  /// A part of a field, of a URL or of a body, which a file and a report have by itself.
  case cookie(String), queryItem(String), formField(String), member(String)

  /// The part that a criterion names, such as `header Accept` or `body at user.zip`.
  init?(criterion: String) {
    guard let (part, start) = Self.beginnings.first(where: { criterion.hasPrefix($1) }) else { return nil }
    self = part(String(criterion.dropFirst(start.count)))
  }

  private static let beginnings: [(part: @Sendable (String) -> MessagePart, start: String)] = [
    ({ .header($0) }, "header "), ({ .header($0) }, "bearer "), ({ .cookie($0) }, "cookie "),
    ({ .queryItem($0) }, "query item "), ({ .formField($0) }, "form field "), ({ .member($0) }, "body at "),
  ]

  /// What its text is.
  var kind: SecretFinder.Kind {
    switch self {
    case .url: .url
    case .header(let name): .value(name, .header)
    case .body(let type): .body(type: type)
    case .cookie(let name): .value(name, .cookie)
    case .queryItem(let name): .value(name, .query)
    case .formField(let name): .value(name, .form)
    case .member(let name): .value(name, .member)
    }
  }

  /// Where it stands, such as `request header X-Api-Key`.
  func place(isSent: Bool) -> String {
    let part =
      switch self {
      case .url: "URL"
      case .header(let name): "header \(name)"
      case .body: "body"
      case .cookie(let name): "cookie \(name)"
      case .queryItem(let name): "query item \(name)"
      case .formField(let name): "form field \(name)"
      case .member(let name): "body at \(name)"
      }
    return "\(isSent ? "request" : "response") \(part)"
  }
}
