import Foundation
import StubKit
import StubKitTesting
import Testing

/// The names of files of tests and of their cases: different for different names, and the same in each run.
///
/// A part of a name that every file system accepts is itself. Any other part has a hash behind a tilde, which no such
/// part has, so that no two parts become one.
enum CaseNames {
  /// - Parameters:
  ///   - names: The names of the suites, and of the test.
  ///   - arguments: The arguments of the case, or `nil` if the test has no parameters.
  static func fileName(_ names: [String], _ arguments: [String]? = nil) -> String {
    let test = names.map { plain($0) }.joined(separator: ".")
    guard let arguments else { return test }
    let parts = arguments.map { plain($0) }.joined(separator: ",")
    return "\(test).\(parts.utf8.count <= 120 ? parts : "\(parts.prefix(60))~\(hash(parts))")"
  }

  private static func plain(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.count <= 60 && name.utf8.allSatisfy { $0.isInName || $0 == 0x20 }
    // Some systems drop blanks at the end.
    if isPlain, name.first != " ", name.last != " " { return name }
    let characters = name.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || "_- ".contains($0)) ? $0 : "-" }
    // A word is easier to read than a row of dashes.
    let words = String(characters).split { $0 == "-" || $0 == " " }.joined(separator: "-")
    return "\(words)~\(hash(name))"
  }

  private static func hash(_ text: String) -> String { String(text.digest.prefix(10)) }

  // MARK: Arguments

  /// Returns a text that tells an argument from others, or `nil` for an object that says nothing about itself.
  static func text(of value: Any) -> String? {
    switch value {
    case let text as String: return text
    case let value as any CustomTestStringConvertible where !(value is any CustomStringConvertible):
      return value.testDescription
    case let data as Data: return "\(data.count) bytes \(data.withUnsafeBytes(\.digest))"
    case let error as URLError: return "URLError\(error.code.rawValue)"
    case let url as URL: return url.absoluteString
    case let error as NSError where type(of: value) is NSError.Type: return "\(error.domain)\(error.code)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
    case .set, .dictionary: return children(of: mirror)?.sorted { ExactString($0) < ExactString($1) }.listed
    case .collection, .tuple: return children(of: mirror)?.listed
    case .class where !describesItself(value): return nil
    case .enum where !(value is any CustomStringConvertible): return enumCase(value, mirror)
    case _ where value is any CustomStringConvertible || mirror.children.isEmpty: return String(describing: value)
    default: return children(of: mirror)?.listed
    }
  }

  /// The description of an object of Foundation can be its address, which differs from run to run.
  private static func describesItself(_ value: Any) -> Bool {
    guard value is any CustomStringConvertible else { return false }
    return !String(describing: value).contains("0x")
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror) -> String? {
    guard let child = mirror.children.first else { return String(describing: value) }
    return text(of: child.value).map { "\(child.label ?? "")(\($0))" }
  }

  private static func children(of mirror: Mirror) -> [String]? {
    var texts: [String] = []
    for child in mirror.children {
      guard let text = text(of: child.value) else { return nil }
      let isNamed = mirror.displayStyle == .struct || mirror.displayStyle == .class
      texts.append(isNamed ? "\(child.label ?? ""): \(text)" : text)
    }
    return texts
  }
}

extension Test.Case {
  /// The texts of the arguments, or `nil` for an argument without one. Empty if Swift Testing doesn't show them.
  ///
  /// They are no public API, so they are found by reflection.
  var argumentTexts: [String?] {
    var values: [Any] = []
    func visit(_ value: Any, _ depth: Int) {
      for child in Mirror(reflecting: value).children where values.isEmpty {
        if child.label == "arguments" || child.label == "parameterized" || depth == 0 {
          let elements = Mirror(reflecting: child.value).children
          let found = elements.compactMap { element in
            Mirror(reflecting: element.value).children.first { $0.label == "value" }?.value
          }
          if !found.isEmpty { values = found } else if depth < 3 { visit(child.value, depth + 1) }
        }
      }
    }
    visit(self, 0)
    return values.map(CaseNames.text)
  }
}

/// A test case, and the name of its file.
struct CaseOfTest: Sendable {
  /// The names of the suites, and of the test.
  let names: [String]
  /// A text that tells the case from all others.
  let identity: String
  let arguments: [String]?
  /// Why the case has no name, or `nil` if it has one.
  let problem: String?

  /// - Parameters:
  ///   - names: The names of the suites, and of the test.
  ///   - location: Where the test is declared.
  ///   - arguments: The texts of the arguments, or `nil` if the test has no parameters.
  init(_ names: [String], at location: String = "", _ arguments: [String?]? = nil) {
    self.names = names
    let texts = arguments?.compactMap(\.self)
    self.arguments = texts
    let test = "\(names.joined(separator: "/"))\(location.isEmpty ? "" : " at \(location)")"
    identity = test + (texts.map { " with \($0.map(\.debugDescription).listed)" } ?? "")
    problem =
      texts?.count == arguments?.count && texts?.isEmpty != true
      ? nil
      : """
      Nothing names the file of a case of \(test), because an argument doesn't describe itself. Let its type conform to \
      CustomTestStringConvertible.
      """
  }

  /// The case that runs.
  init(of test: Test, _ testCase: Test.Case?) {
    let location = test.sourceLocation
    self.init(
      test.plainNames, at: "\(location.fileID):\(location.line)",
      test.isParameterized ? testCase.map(\.argumentTexts) ?? [] : nil)
  }

  var fileName: String { CaseNames.fileName(names, arguments) }
}

/// The files of the cases that this process has run, so that no two have the same.
enum FileClaims {
  private static let owners = Protected<[String: String]>([:])

  /// Returns what is wrong, or `nil`. Some disks don't tell case apart.
  static func claim(_ path: String, for identity: String) -> String? {
    let owner = owners.withLock { owners in
      let owner = owners[path.lowercased(), default: identity]
      owners[path.lowercased()] = owner
      return owner
    }
    guard owner != identity else { return nil }
    return """
      \(identity) and \(owner) have the same file, \(path). Rename a test, or let the type of the arguments conform to \
      CustomTestStringConvertible.
      """
  }
}
