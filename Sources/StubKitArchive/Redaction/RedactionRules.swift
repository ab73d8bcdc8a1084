import Foundation
import StubKitFormats

/// Redactions grouped by what they search, so that each entry is searched only once.
struct RedactionRules {
  private(set) var headers: Set<String> = []
  private(set) var queryItems: Set<String> = []
  private(set) var formFields: Set<String> = []
  private(set) var jsonFields: Set<String> = []
  private(set) var jsonPaths: [JSONPath] = []
  private(set) var cookies: Set<String> = []
  private(set) var redactsAllCookies = false
  private(set) var redactsUserInfo = false
  private(set) var patterns: [Pattern] = []
  private(set) var changes: [@Sendable (inout HTTPArchive.Entry) -> Void] = []

  init(_ redactions: [Redaction]) {
    for redaction in redactions {
      switch redaction.rule {
      case .header(let name): headers.insert(name)
      case .queryItem(let name): queryItems.insert(name)
      case .formField(let name): formFields.insert(name)
      case .jsonField(let name): jsonFields.insert(name)
      case .jsonPath(let path): jsonPaths.append(path)
      case .cookie(let name): cookies.insert(name)
      case .allCookies: redactsAllCookies = true
      case .userInfo: redactsUserInfo = true
      case .text(let pattern): patterns.append(pattern)
      case .custom(let change): changes.append(change)
      }
    }
  }

  func redactsCookie(_ name: some StringProtocol) -> Bool {
    redactsAllCookies || !cookies.isEmpty && cookies.contains(String(name).redactionName)
  }

  /// - Parameter name: The decoded name. For `user[password]`, the last part counts too.
  func redactsFormField(_ name: String) -> Bool {
    if formFields.contains(name.redactionName) { return true }
    guard name.utf8.last == UInt8(ascii: "]"), let open = name.utf8.lastIndex(of: UInt8(ascii: "[")) else {
      return false
    }
    return formFields.contains(String(name[name.utf8.index(after: open)...].dropLast()).redactionName)
  }

  var readsJSON: Bool { !jsonFields.isEmpty || !jsonPaths.isEmpty || readsURLs }
  var readsURLs: Bool { !queryItems.isEmpty || redactsUserInfo }
}
