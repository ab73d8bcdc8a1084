import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitOHHTTPStubs
@testable import StubKitRecorder

@Suite("An error of StubKit", .inTurn)
struct StubKitErrorTests {
  /// One of each type that a request, a wait, a verification or a file can fail with.
  private static let errors: [any StubKitError] = [
    UnmatchedRequestError(RequestFacts(request("http://a.example/x")), in: StubRegistry(), scopes: OpenScopes()),
    StubResponseError(stub: nil, reason: .invalidStatus(42)),
    StubScopeEndedError(), StubScopeEndedError(.session), StubScopeEndedError(.callback), StubScopeEndedError(.outside),
    StreamAlreadyUsedError(stub: nil),
    VerificationError("verify(isPath(\"/x\")): expected 1 call, got 0", at: StubLocation(), details: []),
    StubWaitError(
      stub(condition: isPath("/x"), response: .status(204), in: StubRegistry()), 1, .begun,
      ", and its registry no longer exists."),
    MissingContextError(),
    ReplayError(fileName: "users.har", entry: 3, reason: "has no response."),
    RecordingError("users", .missing, "There is no recording."),
    RecordingError("users", .unnamed, "The case has no name."),
    HTTPArchiveError(file: "users.har", problem: "It is empty.", remedy: "Export it again."),
    MocktailError(path: "/login.tail", line: 3, problem: "says nothing."),
  ]

  /// What the error becomes on its way to a test.
  enum Form: String, CaseIterable, Sendable {
    case itself, rebuilt, wrapped, amongOthers, inAClientsError, deep

    func form(_ error: any Error) -> any Error {
      let bridged = error as NSError
      let rebuilt = NSError(domain: bridged.domain, code: bridged.code, userInfo: bridged.userInfo)
      switch self {
      case .itself: return error
      case .rebuilt: return rebuilt
      case .wrapped: return URLError(.unknown, userInfo: [NSUnderlyingErrorKey: rebuilt])
      case .amongOthers:
        return NSError(domain: "D", code: 1, userInfo: ["NSMultipleUnderlyingErrorsKey": [URLError(.badURL), rebuilt]])
      case .inAClientsError: return ClientError.transport(rebuilt, attempts: 3)
      case .deep:
        return ClientError.rejected(
          .init(cause: NSError(domain: "D", code: 1, userInfo: [NSUnderlyingErrorKey: ClientError.transport(rebuilt)])))
      }
    }
  }

  private enum ClientError: Error {
    case transport(any Error, attempts: Int = 1)
    case rejected(Reason)
    struct Reason { let cause: (any Error)? }
  }

  @Test("is found in whatever a client makes of it")
  func found() {
    for (index, error) in Self.errors.enumerated() {
      for form in Form.allCases {
        #expect(type(of: error).init(from: form.form(error))?.description == error.description, "\(index) \(form)")
      }
    }
  }

  @Test("has its sentence as NSError, a domain and a code")
  func bridged() {
    for (index, error) in Self.errors.enumerated() {
      let bridged = error as NSError
      let rebuilt = Form.rebuilt.form(error)
      #expect(rebuilt.localizedDescription == error.description, "\(index)")
      #expect(error.localizedDescription == error.description, "\(index)")
      #expect(bridged.domain == "StubKit.\(type(of: error))", "\(index)")
      #expect(bridged.code > 0, "\(index)")
      // Whoever prints the deepest error gets the sentence too, and whoever prints all of them comes to an end.
      let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(underlying?.localizedDescription == error.description, "\(index)")
      #expect(underlying?.userInfo.isEmpty == true, "\(index)")
      #expect("\(rebuilt)".contains(error.description), "\(index)")
    }
    // The codes are those that it has had before.
    #expect((StubScopeEndedError() as NSError).code == 1)
    #expect((MissingContextError() as NSError).code == 1)
    #expect((StubScopeEndedError(.session) as NSError).code == 2)
    #expect((StubScopeEndedError(.outside) as NSError).code == 3)
    let reasons: [RecordingError.Reason] = [
      .missing, .unreadable, .unwritable, .conflicting, .invalidName, .unknownMode, .unnamed,
    ]
    #expect(reasons.map { (RecordingError("x", $0, "x") as NSError).code } == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test("is not found where there is none, or another one")
  func absent() {
    for form in Form.allCases {
      #expect(UnmatchedRequestError(from: form.form(URLError(.timedOut))) == nil, "\(form)")
      #expect(UnmatchedRequestError(from: form.form(StubScopeEndedError())) == nil, "\(form)")
      #expect(StubScopeEndedError(from: form.form(Self.errors[0])) == nil, "\(form)")
    }
    // Nor in an error that contains itself, and in a very large one.
    struct Endless: Error, CustomNSError {
      var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: Endless()] }
    }
    struct Large: Error { let values = Array(0..<100_000) }
    #expect(UnmatchedRequestError(from: Endless()) == nil)
    #expect(UnmatchedRequestError(from: Large()) == nil)
  }
}
