// Declares what StubKit uses of Swift Testing, as Swift 6.2 has it: the compiler of an older
// Xcode has no other. Only interfaces count here.

public struct SourceLocation: Sendable, Hashable {
  public var fileID: String
  // It is `filePath` from 6.3 on.
  public var _filePath: String
  public var line: Int
  public var column: Int
  public init(fileID: String, filePath: String, line: Int, column: Int) { fatalError() }
}

public struct Comment: RawRepresentable, Equatable, Hashable, Sendable, ExpressibleByStringInterpolation {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral: String) { rawValue = stringLiteral }
}

// Severities of issues come with 6.3.
public struct Issue: Sendable {
  public var comments: [Comment]
  public var error: (any Error)? { nil }
  public var sourceLocation: SourceLocation?
  @discardableResult
  public static func record(_ comment: Comment? = nil, sourceLocation: SourceLocation = .here) -> Self { fatalError() }
  @discardableResult
  public static func record(
    _ error: any Error, _ comment: Comment? = nil, sourceLocation: SourceLocation = .here
  ) -> Self { fatalError() }
}

extension SourceLocation {
  // In place of the macro #_sourceLocation.
  public static var here: SourceLocation { fatalError() }
}

public typealias KnownIssueMatcher = @Sendable (_ issue: Issue) -> Bool

public func withKnownIssue(
  _ comment: Comment? = nil, isIntermittent: Bool = false, sourceLocation: SourceLocation = .here,
  _ body: () throws -> Void, when precondition: () -> Bool = { true },
  matching issueMatcher: @escaping KnownIssueMatcher = { _ in true }
) rethrows {}
public func withKnownIssue(
  _ comment: Comment? = nil, isIntermittent: Bool = false, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = .here, _ body: () async throws -> Void,
  when precondition: () async -> Bool = { true }, matching issueMatcher: @escaping KnownIssueMatcher = { _ in true }
) async rethrows {}

public struct Test: Sendable {
  public static var current: Test? { nil }
  public struct ID: Hashable, Sendable {
    public var nameComponents: [String]
  }
  public var id: ID
  public var timeLimit: Duration? { nil }
  public var isParameterized: Bool { false }
  public var isSuite: Bool { false }
  public var name: String
  public var sourceLocation: SourceLocation
  public var traits: [any Trait]
  public struct Case: Sendable {
    public static var current: Case? { nil }
    public var isParameterized: Bool { false }
  }
}

public protocol CustomTestStringConvertible {
  var testDescription: String { get }
}
public protocol CustomTestArgumentEncodable: Sendable {
  func encodeTestArgument(to encoder: some Encoder) throws
}
extension String {
  public init(describingForTest value: some Any) { fatalError() }
}

public protocol TestScoping: Sendable {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws
}
public protocol Trait: Sendable {
  func prepare(for test: Test) async throws
  var comments: [Comment] { get }
  associatedtype TestScopeProvider: TestScoping = Never
  func scopeProvider(for test: Test, testCase: Test.Case?) -> TestScopeProvider?
}
public protocol TestTrait: Trait {}
public protocol SuiteTrait: Trait {
  var isRecursive: Bool { get }
}
extension Never: TestScoping {
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {}
}
extension Trait {
  public func prepare(for test: Test) async throws {}
  public var comments: [Comment] { [] }
}
extension Trait where TestScopeProvider == Never {
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Never? { nil }
}
extension Trait where Self: TestScoping {
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }
}
extension SuiteTrait {
  public var isRecursive: Bool { false }
}

public protocol Attachable: ~Copyable {
  borrowing func withUnsafeBytes<R>(
    for attachment: borrowing Attachment<Self>, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R
}
extension String: Attachable {
  public func withUnsafeBytes<R>(
    for attachment: borrowing Attachment<Self>, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R { fatalError() }
}
public struct Attachment<AttachableValue: Attachable & ~Copyable>: ~Copyable {}
extension Attachment: Copyable where AttachableValue: Copyable {}
extension Attachment: Sendable where AttachableValue: Sendable {}
extension Attachment where AttachableValue: Sendable {
  public init(_ value: AttachableValue, named name: String? = nil, sourceLocation: SourceLocation = .here) {}
  public static func record(_ attachment: consuming Self, sourceLocation: SourceLocation = .here) {}
  public static func record(
    _ value: consuming AttachableValue, named name: String? = nil, sourceLocation: SourceLocation = .here
  ) {}
}
