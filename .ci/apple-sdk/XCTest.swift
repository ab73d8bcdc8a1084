// Declares what Xcode's XCTest is to Swift, as far as StubKitTesting and the tests use it.
@_exported import Foundation

open class XCTest: NSObject {
  open var name: String { "" }
}

open class XCTestRun: NSObject {
  open var totalFailureCount: Int { 0 }
  open var hasBeenSkipped: Bool { false }
}

open class XCTestCase: XCTest {
  open var testRun: XCTestRun? { nil }
  open func invokeTest() {}
  open func setUp() {}
  open func tearDown() {}
  open func setUp() async throws {}
  open func tearDown() async throws {}
  open func record(_ issue: XCTIssue) {}
  @MainActor open func add(_ attachment: XCTAttachment) {}
  @available(*, deprecated)
  open func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
  ) {}
  open func addTeardownBlock(_ block: @escaping () -> Void) {}
  public func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {}
  open func expectation(description: String) -> XCTestExpectation { fatalError() }
  open func wait(for expectations: [XCTestExpectation], timeout seconds: TimeInterval, enforceOrder: Bool = false) {}
  open func fulfillment(
    of expectations: [XCTestExpectation], timeout seconds: TimeInterval = .infinity, enforceOrder: Bool = false
  ) async {}
}

@MainActor open class XCTAttachment: NSObject {
  public enum Lifetime: Int, Sendable { case keepAlways = 0, deleteOnSuccess = 1 }
  public convenience nonisolated init(data: Data, uniformTypeIdentifier: String) { fatalError() }
  open var name: String?
  open var lifetime = Lifetime.deleteOnSuccess
}

open class XCTestExpectation: NSObject, @unchecked Sendable {
  public init(description expectationDescription: String) {}
  open var expectationDescription = ""
  open var isInverted = false
  open func fulfill() {}
}

public struct XCTIssue {
  public enum IssueType: Int, Sendable { case assertionFailure = 0 }
  public init(type: IssueType, compactDescription: String) {}
  public var sourceCodeContext = XCTSourceCodeContext()
  public var compactDescription: String { "" }
  public var associatedError: (any Error)? { nil }
}

public protocol XCTestObservation: NSObjectProtocol {
  func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue)
}
extension XCTestObservation {
  public func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {}
}
open class XCTestObservationCenter: NSObject {
  open class var shared: XCTestObservationCenter { fatalError() }
  open func addTestObserver(_ testObserver: any XCTestObservation) {}
  open func removeTestObserver(_ testObserver: any XCTestObservation) {}
}
open class XCTSourceCodeContext: NSObject {
  public override init() {}
  public convenience init(location: XCTSourceCodeLocation?) { fatalError() }
  open var location: XCTSourceCodeLocation? { nil }
}
open class XCTSourceCodeLocation: NSObject {
  public convenience init(filePath: String, lineNumber: Int) { fatalError() }
  open var lineNumber: Int { 0 }
}

public struct XCTSkip: Error { public init(_ message: String? = nil) {} }

public func XCTAssertEqual<T: Equatable>(
  _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertNotEqual<T: Equatable>(
  _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssert(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertTrue(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertFalse(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertNil(
  _ expression: @autoclosure () throws -> Any?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertNotNil(
  _ expression: @autoclosure () throws -> Any?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTUnwrap<T>(
  _ expression: @autoclosure () throws -> T?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) throws -> T { fatalError() }
public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}
public func XCTAssertLessThan<T: Comparable>(
  _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
