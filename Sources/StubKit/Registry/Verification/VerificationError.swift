import Foundation

/// An error that says that a verification failed.
///
/// ```text
/// verify(isPath("/users/42")): expected exactly 1 call, got 0
///   at AppTests/UserTests.swift:31
/// 2 requests were made, closest first:
///   1. GET https://api.example.com/users/43: answered with 200
///      ✗ path: expected /users/42, got /users/43
///   2. POST https://api.example.com/login: answered with 200
///      ✗ path: expected /users/42, got /login
/// ```
public struct VerificationError: StubKitError {
  /// The location of the verification in the source code.
  public let location: StubLocation
  /// What was expected, what was made, and where, in at most about 25 lines.
  public let description: String

  init(_ headline: String, at location: StubLocation, details: [String]) {
    self.location = location
    description = (["\(headline)", "  at \(location)"] + details).lines
  }

  /// Returns `nil` if there certainly were as many calls as expected.
  ///
  /// - Parameters:
  ///   - verification: The verification, as the description begins with it.
  ///   - location: The location of the verification.
  package init?(_ calls: CountedCalls, _ expected: CallCount, by verification: String, at location: StubLocation) {
    let ownMistake =
      switch calls {
      case .stub(let stub): stub.isMistaken ? stub.mistake : nil
      case .condition(let condition, _): condition.mistakeInJournal
      }
    if let mistake = expected.mistake ?? ownMistake {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    let found = FoundCalls(calls)
    let isCertain = found.isCertain(expected)
    if isCertain, expected.contains(found.count) { return nil }
    let got = isCertain ? "got \(found.count)" : "got \(found.count) for certain"
    self.init("\(verification): expected \(expected), \(got)", at: location, details: found.details(expected))
  }
}
