/// Whether what a client sends and nothing asks about fails a test, and what may be sent all the same.
///
/// ```swift
/// @Suite(.stubbed(strict: .allowing(query: ["page", "per_page"])))
/// struct PageTests { … }
/// ```
///
/// `true` and `false` are such values, too, and `Strictness(isStrict)` is that of a variable. In XCTest, override
/// `StubbedTestCase.strictness`.
public struct Strictness: Sendable, Hashable, ExpressibleByBooleanLiteral {
  let isStrict: Bool
  let items: Set<String>
  /// The names of header fields, in lower case.
  let fields: Set<String>

  private init(_ isStrict: Bool, _ items: [String], _ fields: [String]) {
    self.isStrict = isStrict
    self.items = Set(items)
    self.fields = Set(fields.map { $0.lowercased() })
  }

  /// Creates a value that allows nothing, or that isn't strict.
  ///
  /// ```swift
  /// static let isStrict = ProcessInfo.processInfo.arguments.count > 1
  ///
  /// @Test(.stubbed(strict: Strictness(isStrict))) func showsAPage() {}
  /// ```
  public init(_ isStrict: Bool) { self.init(isStrict, [], []) }

  /// Creates a value that allows nothing, or that isn't strict.
  public init(booleanLiteral isStrict: Bool) { self.init(isStrict) }

  /// Strict, but for these query items and header fields.
  ///
  /// ```swift
  /// @Suite(.stubbed(strict: .allowing(headers: ["Content-Type"])))
  /// struct UploadTests { … }
  /// ```
  ///
  /// - Parameters:
  ///   - items: The decoded names of query items that nothing has to ask about. They can be repeated, and contain a
  ///     `+`.
  ///   - headers: The names of header fields that nothing has to ask about: `Content-Type`, and `Authorization` and
  ///     `Cookie` in a request over http.
  public static func allowing(query items: [String] = [], headers: [String] = []) -> Strictness {
    Strictness(true, items, headers)
  }
}
