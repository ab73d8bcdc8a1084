import Foundation
import StubKitFormats

/// Redactions grouped by what they search, so that each text is searched only once.
struct RedactionRules {
  private(set) var secrets = SecretRules()
  private(set) var patterns: [Pattern] = []
  private(set) var changes: [@Sendable (inout HTTPArchive.Entry) -> Void] = []
  /// What is wrong with rules that can't be applied.
  private(set) var mistakes: [String] = []

  init(_ redactions: [Redaction]) {
    for redaction in redactions {
      switch redaction.rule {
      case .standardNames: secrets.usesStandardNames = true
      case .standardShapes: secrets.usesShapes = true
      case .header(let name): secrets.add(name, in: .header)
      case .queryItem(let name): secrets.add(name, in: .query)
      case .formField(let name): secrets.add(name, in: .form)
      case .jsonField(let name): secrets.add(name, in: .json)
      case .jsonPath(let path): secrets.jsonPaths.append(path)
      case .cookie(let name): secrets.add(name, in: .cookie)
      case .allCookies: secrets.redactsAllCookies = true
      case .userInfo: secrets.redactsUserInfo = true
      case .text(let pattern): patterns.append(pattern)
      case .mistaken(let sentence): mistakes.append(sentence)
      case .custom(let change): changes.append(change)
      }
    }
  }
}
