@_exported import StubKitMockerCore
import XCTest

extension XCTestCase {
  /// Returns an expectation that the mock receives a request. Call it before you register the mock.
  public func expectationForRequestingMock(_ mock: inout Mock) -> XCTestExpectation {
    let expectation = expectation(description: "A request for \(mock.url)")
    mock.fulfillOnRequest = { expectation.fulfill() }
    return expectation
  }

  /// Returns an expectation that the mock has answered a request. Call it before you register the mock.
  public func expectationForCompletingMock(_ mock: inout Mock) -> XCTestExpectation {
    let expectation = expectation(description: "A response of \(mock.url)")
    mock.fulfillOnCompletion = { expectation.fulfill() }
    return expectation
  }
}
