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

  @Test("has its sentence as its description, also when it was bridged and made anew")
  func sentence() {
    for error in Self.errors {
      let rebuilt = Form.rebuilt.form(error)
      #expect(error.localizedDescription == error.description)
      #expect(rebuilt.localizedDescription == error.description)
      #expect("\(rebuilt)".contains(error.description))
    }
  }

  @Test("has a domain named for its type, and a positive code")
  func domain() {
    for error in Self.errors {
      let bridged = error as NSError
      #expect(bridged.domain == "StubKit.\(type(of: error))")
      #expect(bridged.code > 0, "\(error)")
    }
  }

  @Test("has one underlying error, which says the sentence to who prints the deepest, and has none itself")
  func underlying() {
    for error in Self.errors {
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(underlying?.localizedDescription == error.description)
      #expect(underlying?.userInfo.isEmpty == true, "\(error)")
    }
  }

  @Test("has as its code the number of its reason, in the order of the documentation")
  func codes() {
    #expect((MissingContextError() as NSError).code == 1)
    let ended: [StubScopeEndedError.Reason] = [.inFlight, .session, .callback, .outside]
    #expect(ended.map { (StubScopeEndedError($0) as NSError).code } == [1, 2, 3, 4])
    let reasons: [RecordingError.Reason] = [
      .missing, .unreadable, .unwritable, .conflicting, .empty, .outdated, .invalidName, .unknownMode,
      .invalidRedaction, .invalidPart, .unnamed,
    ]
    #expect(reasons.map { (RecordingError("x", $0, "x") as NSError).code } == Array(1...11))
  }

  @Test("is not found where there is none, or one of another type", arguments: Form.allCases)
  func absent(form: Form) {
    #expect(UnmatchedRequestError(from: form.form(URLError(.timedOut))) == nil)
    #expect(UnmatchedRequestError(from: form.form(StubScopeEndedError())) == nil)
    #expect(StubScopeEndedError(from: form.form(Self.errors[0])) == nil)
  }

  @Test("is looked for in vain, but not for ever, in an error that contains itself or very much")
  func endless() {
    struct Endless: Error, CustomNSError {
      var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: Endless()] }
    }
    struct Large: Error { let values = Array(0..<100_000) }
    #expect(UnmatchedRequestError(from: Endless()) == nil)
    #expect(UnmatchedRequestError(from: Large()) == nil)
  }
}
