import Foundation
import StubKit

/// A rule that replaces secrets with ``mark`` before an archive is written.
///
/// ```swift
/// let archive = StubRegistry.current.journal.archive
/// try archive.redacted(.standard + [.secret("X-Tenant"), .secret("ssn")]).write(to: url)
/// ```
///
/// A rule applies to requests and responses. Names of headers, fields, query items and cookies compare without case,
/// hyphens and underscores, so `.secret("access_token")` also redacts `accessToken`. A redacted body keeps every other
/// byte, including its layout. A correct `Content-Length` stays correct. Rules can't find secrets in bodies that are
/// compressed or encrypted. The line that says what was redacted names such a body, and one of binary data, in which
/// names are not searched.
public struct Redaction: Sendable, CustomStringConvertible {
  /// The text that replaces the first secret of an archive: `REDACTED`. The others follow as `REDACTED-2` and so on.
  /// Where a number or another value with a shape has to be replaced, its placeholder has that shape.
  public static let mark = PlaceholderText.mark

  enum Rule: Sendable {
    case standard
    case secret(String)
    case jsonPath(JSONPath)
    case keep(String)
    case text(Pattern)
    /// A rule that can't be applied, for this reason.
    case mistaken(String)
    case custom(@Sendable (inout HTTPArchive.Entry) -> Void)
  }

  let rule: Rule
  /// Whether the rule is a closure, which can change anything.
  package var isCustom: Bool { if case .custom = rule { true } else { false } }
  /// The rule as Swift code, such as `.secret("X-Tenant")`.
  public let description: String
  /// What is wrong with the rule, such as an invalid regular expression, or `nil`.
  ///
  /// A recording with such a rule fails before it begins. ``HTTPArchive/redacted(_:)`` leaves out all entries, so that
  /// no secret passes, and prints the sentence on standard error.
  ///
  /// ```swift
  /// Redaction.text(matching: "(").mistake  // text("(") is not a regular expression …
  /// ```
  public var mistake: String? { if case .mistaken(let sentence) = rule { sentence } else { nil } }

  fileprivate init(_ rule: Rule, _ description: String) { (self.rule, self.description) = (rule, description) }

  /// Redacts the value at a path of a JSON body, such as `user.tokens[0]`, or `/user/tokens/0` as a JSON Pointer
  /// (RFC 6901). In an array or an object, this redacts all strings. An invalid path is a ``mistake``.
  public static func json(at path: String) -> Redaction {
    let description = ".json(at: \(path.debugDescription))"
    do throws(UsageMistake) { return Redaction(.jsonPath(try JSONPath(parsing: path)), description) } catch {
      return Redaction(.mistaken(error.sentence), description)
    }
  }

  /// Redacts every value with a name: of a header, a query item, a form field, a JSON field, a cookie or an attribute.
  ///
  /// Of a form field with brackets, such as `user[password]`, the last part counts too. The part of a URL after the `#`
  /// counts as a query. In a JSON array or object, this redacts all strings, except those that describe a secret, such
  /// as `token_type`. The name and the attributes of a cookie stay.
  ///
  /// ```swift
  /// redacting: .standard + [.secret("memberNumber"), .keep("pageKey")]
  /// ```
  public static func secret(_ name: String) -> Redaction {
    Redaction(.secret(name), ".secret(\(name.debugDescription))")
  }

  /// Keeps every value with a name, and what equals it elsewhere, whatever other rules say.
  public static func keep(_ name: String) -> Redaction { Redaction(.keep(name), ".keep(\(name.debugDescription))") }

  /// Redacts what a regular expression matches, in URLs, header values and bodies.
  ///
  /// ```swift
  /// .text(matching: "sk_(live|test)_[A-Za-z0-9]+")
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: A regular expression in the syntax of `NSRegularExpression`. An invalid one is a ``mistake``.
  ///   - options: Options such as `.caseInsensitive`. Defaults to none.
  public static func text(matching pattern: String, options: NSRegularExpression.Options = []) -> Redaction {
    do throws(UsageMistake) {
      let pattern = try Pattern(parsing: pattern, options: options, in: "text")
      return Redaction(.text(pattern), ".text(matching: \(pattern.source))")
    } catch {
      return Redaction(.mistaken(error.sentence), ".text(matching: \(pattern.debugDescription))")
    }
  }

  /// Changes an entry in any way, after all other rules.
  ///
  /// ```swift
  /// .custom("stack traces") { entry in
  ///   if entry.response?.status == 500 { entry.response?.body = Data(Redaction.mark.utf8) }
  /// }
  /// ```
  public static func custom(
    _ name: String, _ change: @escaping @Sendable (inout HTTPArchive.Entry) -> Void
  ) -> Redaction {
    Redaction(.custom(change), ".custom(\(name.debugDescription))")
  }
}

extension [Redaction] {
  /// The redactions that apply unless a recording sets others. They cover what is a secret nearly everywhere.
  ///
  /// - Values with the name of a secret that could be one. The name ends in words such as `token`, `secret`,
  ///   `password`, `signature`, `apiKey` or `sessionId`. Case, hyphens, underscores and plurals don't matter, and names
  ///   such as `nextPageToken` don't count. In requests, every string counts. In responses, words, sentences and dates
  ///   don't.
  /// - Credentials: `Authorization`, the values of all cookies, and passwords in URLs.
  /// - Values that look like a secret, whatever their names are: JSON Web Tokens, private keys in PEM, and the keys and
  ///   tokens of services that publish how these begin, such as `ghp_`, `xoxb-`, `AKIA`, `sk_live_` and `AIza`.
  ///
  /// What these rules find is replaced everywhere in the archive, if it can't be there by coincidence.
  public static var standard: [Redaction] { [Redaction(.standard, ".standard")] }
}

/// Redactions grouped by what they search, so that each text is searched only once.
struct RedactionRules: Sendable {
  private(set) var isStandard = false
  private(set) var jsonPaths: [JSONPath] = []
  private(set) var patterns: [Pattern] = []
  private(set) var changes: [@Sendable (inout HTTPArchive.Entry) -> Void] = []
  /// What is wrong with rules that can't be applied.
  private(set) var mistakes: [String] = []
  /// The names of single rules, in the form in which they are compared.
  private var own: Set<String> = []
  private var kept: Set<String> = []

  init(_ redactions: [Redaction]) {
    for redaction in redactions {
      switch redaction.rule {
      case .standard: isStandard = true
      case .secret(let name): own.insert(name.comparableName)
      case .keep(let name): kept.insert(name.comparableName)
      case .jsonPath(let path): jsonPaths.append(path)
      case .text(let pattern): patterns.append(pattern)
      case .mistaken(let sentence): mistakes.append(sentence)
      case .custom(let change): changes.append(change)
      }
    }
  }

  /// Returns what a name says about its value.
  ///
  /// - Parameter name: The decoded name. Of `user[password]` and `user.password`, the last part counts too.
  func name(_ name: String, in place: Leaf.Place, isSent: Bool) -> SecretName {
    // The end of a long name says what it is. A character can have any number of bytes, so the bytes are cut.
    let name = name.utf8.count <= 128 ? name : String(decoding: name.utf8.suffix(32), as: UTF8.self)
    let last = name.utf8.split { "[]:.".utf8.contains($0) }.last.map { String(decoding: $0, as: UTF8.self) } ?? name
    let forms: Set = own.isEmpty && kept.isEmpty ? [] : [name.comparableName, last.comparableName]
    if !kept.isDisjoint(with: forms) { return SecretName(.kept) }
    let isOwn = !own.isDisjoint(with: forms)
    guard isStandard || isOwn else { return SecretName(.none, name) }
    if isOwn { return SecretName(.own, name, .own) }
    let result = SecretName(standard: last, in: place, isSent: isSent, name)
    // Where the place says what the name doesn't.
    return switch place {
    case .user: SecretName(name == "user" ? .key : .cookie, "", .carrier, "user information")
    case .cookie where result.sureness != .described: SecretName(.cookie, name, .carrier, "cookie \(name)")
    case .header where isSent && result.sureness == .none:
      SecretName(.key, name, .name, "random value of header \(name)")
    default: result
    }
  }
}
