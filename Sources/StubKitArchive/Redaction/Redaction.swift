import Foundation
import StubKit

/// A rule that replaces secrets with ``mark`` before an archive is written.
///
/// ```swift
/// let archive = HTTPStubs.journal.archive
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

  /// The rule as Swift code, such as `.secret("X-Tenant")`.
  public let description: String
  /// Adds the rule to others.
  fileprivate let add: @Sendable (inout RedactionRules) throws -> Void
  /// What is wrong with the rule, such as an invalid regular expression, or `nil`.
  ///
  /// A recording with such a rule fails before it begins, and ``HTTPArchive/redacted(_:)`` throws an error.
  package var mistake: String? { RedactionRules([self]).mistakes.first }

  /// Redacts the value at a path of a JSON body, such as `user.tokens[0]`, or `/user/tokens/0` as a JSON Pointer
  /// (RFC 6901). In an array or an object, this redacts all strings. An invalid path is a
  /// mistake: a recording with it fails before it begins.
  public static func json(at path: String) -> Redaction {
    Redaction(description: ".json(at: \(path.debugDescription))") { $0.jsonPaths.append(try JSONPath(parsing: path)) }
  }

  /// Redacts every value with a name: of a header, a query item, a form field, a JSON field, a cookie or an attribute.
  ///
  /// Of a form field with brackets, such as `user[password]`, the last part counts too. The part of a URL after the `#`
  /// counts as a query. In a JSON array or object, this redacts all strings, except those that describe a secret, such
  /// as `token_type`. The name and the attributes of a cookie stay.
  ///
  /// ```swift
  /// let redactions: [Redaction] =
  ///   .standard + [.secret("memberNumber"), .keep("pageKey")]
  /// ```
  public static func secret(_ name: String) -> Redaction {
    Redaction(description: ".secret(\(name.debugDescription))") { $0.own.insert(name.comparableName) }
  }

  /// Keeps every value with a name, and what equals it elsewhere, whatever other rules say.
  public static func keep(_ name: String) -> Redaction {
    Redaction(description: ".keep(\(name.debugDescription))") { $0.kept.insert(name.comparableName) }
  }

  /// Redacts what a regular expression matches, in URLs, header values and bodies.
  ///
  /// ```swift
  /// .text(matching: "sk_(live|test)_[A-Za-z0-9]+")
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: A regular expression in the syntax of `NSRegularExpression`. An invalid one is a mistake.
  ///   - options: Options such as `.caseInsensitive`. Defaults to none.
  public static func text(matching pattern: String, options: NSRegularExpression.Options = []) -> Redaction {
    let parsed = Result { try Pattern(parsing: pattern, options: options, in: "text") }
    let source = (try? parsed.get().source) ?? pattern.debugDescription
    return Redaction(description: ".text(matching: \(source))") { $0.patterns.append(try parsed.get()) }
  }

  /// Redacts identifiers, digests, cursors and traces that look random, too, which `.standard` keeps.
  ///
  /// ```swift
  /// let archive = try HTTPArchive(contentsOf: file)
  /// let published = try archive.redacted(.standard + [.identifiers])
  /// ```
  ///
  /// Add it for a recording that anybody can read.
  public static let identifiers = Redaction(description: ".identifiers") { $0.random = .all }

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
    Redaction(description: ".custom(\(name.debugDescription))") { $0.changes.append(change) }
  }
}

extension [Redaction] {
  /// The redactions that apply unless a recording sets others: those of `.named`, and all values that look random.
  ///
  /// A value looks random if it is a UUID, or has 16 characters or more of which no word is made. Its placeholder is of
  /// the same kind: a UUID, hexadecimal digits or Base64. The closing line of a recording lists the names of these
  /// values. Add `.keep("t")` to keep the values with a name.
  ///
  /// Identifiers, digests, cursors and traces stay below their names, and so does the same value elsewhere in the
  /// archive. So do identifiers in paths.
  public static var standard: [Redaction] {
    [
      Redaction(description: ".standard") { rules in
        rules.isStandard = true
        if rules.random == .none { rules.random = .unknown }
      }
    ]
  }

  /// The redactions that know a secret by its name, its place or its beginning.
  ///
  /// - Values with the name of a secret that could be one. The name ends in words such as `token`, `secret`,
  ///   `password`, `signature`, `apiKey` or `sessionId`. Case, hyphens, underscores and plurals don't matter, and names
  ///   such as `nextPageToken` don't count. In requests, every string counts. In responses, words, sentences and dates
  ///   don't.
  /// - Credentials: `Authorization`, the values of all cookies, and passwords in URLs.
  /// - JSON Web Tokens, private keys in PEM, and keys of services that are too short or too much like words to look
  ///   random.
  ///
  /// What these rules find is replaced everywhere in the archive, if it can't be there by coincidence.
  public static var named: [Redaction] { [Redaction(description: ".named") { $0.isStandard = true }] }
}

/// The values that look random and have no other sign of a secret.
enum RandomValues {
  case none
  /// Those that aren't identifiers.
  case unknown
  /// Identifiers, digests, cursors and traces, too.
  case all
}

/// Redactions grouped by what they search, so that each text is searched only once.
package struct RedactionRules: Sendable {
  var isStandard = false
  var jsonPaths: [JSONPath] = []
  var patterns: [Pattern] = []
  /// The closures of the user, which can change anything.
  package var changes: [@Sendable (inout HTTPArchive.Entry) -> Void] = []
  /// What is wrong with rules that can't be applied.
  private(set) var mistakes: [String] = []
  /// The names of single rules, in the form in which they are compared.
  fileprivate var own: Set<String> = []
  fileprivate var kept: Set<String> = []
  /// Whether rules of the user have names, of which the standard ones know nothing.
  var hasNames: Bool { !own.isEmpty || !kept.isEmpty }
  /// What is replaced though only its look shows that it could be a secret.
  var random = RandomValues.none

  package init(_ redactions: [Redaction]) {
    for redaction in redactions {
      do { try redaction.add(&self) } catch { mistakes.append((error as? UsageMistake)?.sentence ?? error.sentence) }
    }
  }

  /// Returns what rules of the user say of a name, or `nil` if they say nothing.
  func ownName(_ name: String) -> SecretName? {
    guard hasNames else { return nil }
    let forms: Set = [name.comparableName, name.lastPart.comparableName]
    if !kept.isDisjoint(with: forms) { return SecretName(.kept) }
    return own.isDisjoint(with: forms) ? nil : SecretName(.own, name, .own)
  }

  /// Whether a query item has the name of a nonce, a token or a code.
  private static func isNeverCompared(_ name: String, _ said: SecretName) -> Bool {
    let words = name.words
    guard let last = words.last, ["nonce", "token", "code"].contains(last) else { return false }
    return words.count == 1 || last == "nonce" || said.isSecret
  }

  /// Returns what a name says about its value.
  ///
  /// - Parameter name: The decoded name. Of `user[password]` and `user.password`, the last part counts too.
  func name(_ name: String, in place: Leaf.Place, isSent: Bool) -> SecretName {
    // The end of a long name says what it is. A character can have any number of bytes, so the bytes are cut.
    let name = name.utf8.count <= 128 ? name : String(utf8: name.utf8.suffix(32))
    let last = name.lastPart
    if let own = ownName(name) { return own }
    // A name that looks random is a value, whatever word it ends with.
    if place == .member || place == .attribute, name.looksRandom() { return SecretName(.none, name) }
    guard isStandard else {
      // Which values are identifiers is known without the standard rules, too.
      let known =
        random == .unknown ? SecretName(standard: last, in: place, isSent: isSent, name) : SecretName(.none, name)
      return known.isSecret ? SecretName(.none, name) : known
    }
    var result = SecretName(standard: last, in: place, isSent: isSent, name)
    if result.sureness == .none, name.has(".") {
      // Of `api.key`, the last part alone says nothing.
      let both = name.pieces(at: ".").suffix(2).joined(separator: "_")
      result = SecretName(standard: both, in: place, isSent: isSent, name)
    }
    // Where the place says what the name doesn't.
    return switch place {
    case .query where Self.isNeverCompared(last, result):
      // What differs in each run must not be compared in one run, and be a placeholder in another one.
      SecretName(.own, name, .name, name == "token" ? "token of a URL" : nil)
    case .user: SecretName(name == "user" ? .weak : .sure, "", .carrier, "user information")
    case .cookie where result.sureness != .described: SecretName(.sure, name, .carrier, "cookie \(name)")
    case .header where isSent && result.sureness == .none:
      SecretName(.weak, name, .name, "random value of header \(name)")
    default: result
    }
  }
}

extension String {
  /// The part of a name after the last of its delimiters: of `user[password]`, `password`. What only places a value,
  /// as in `password[0]` or `secret[value]`, is none.
  fileprivate var lastPart: String {
    guard contains(anyOf: .betweenNames) else { return self }
    let parts = utf8.split(omittingEmptySubsequences: true) { ByteSet.betweenNames[$0] }.map { String(utf8: $0) }
    guard parts.count > 1 else { return parts.first ?? self }
    return parts.last { !$0.consists(of: .digit) && !WordRules.containers.contains($0.lowercased()) }
      ?? parts[parts.count - 1]
  }
}
