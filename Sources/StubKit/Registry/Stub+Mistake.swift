import Foundation

extension Stub {
  /// Why the stub can't answer as it is written, or `nil` if nothing is wrong with it.
  ///
  /// ```swift
  /// let users = stub(
  ///   condition: isPath("/users?page=2"), response: .json([]))
  /// // isPath("/users?page=2") has a query: write the path alone, …
  /// print(users.mistake!)
  /// ```
  ///
  /// A stub whose condition is a ``RequestMatcher/mistake``, whose `times:` is below 1, or that has no responses never
  /// matches. With StubKitTesting, it is an issue of its test, at its own line. Otherwise StubKit prints the sentence on
  /// standard error. Reports name it first. A stub whose response can't be sent matches, and its requests fail with a
  /// ``StubResponseError``, which is an issue at the stub's line too.
  public var mistake: String? {
    if let mistake = condition.mistake { return mistake }
    if responder.isEmpty { return "responses: is empty. Pass at least one response, such as .empty()." }
    if limit < 1 {
      return "times: must be at least 1, but it is \(limit). Leave it out for a stub without a limit."
    }
    return responder.map(\.problem).lazy.compactMap(\.self).first.map { "The stub \($0)" }
  }

  /// A Boolean value that indicates whether a mistake keeps the stub from matching.
  var isMistaken: Bool { limit < 1 }
}

extension StubRegistry {
  /// Warns of the first stub of a test that has no scope, and counts the others.
  func reportForgottenScope(of stub: Stub) {
    guard self === StubRegistry.global else { return }
    let isOfXCTest = !RunningTest.isOfFramework && RunningTest.isOfPlainTestCase
    guard isOfXCTest || RunningTest.isOfFramework else { return }
    let (tests, cure) =
      isOfXCTest
      ? ("the tests that follow", "Let the test case inherit from StubbedTestCase")
      : ("tests that run in parallel", "Add the trait .stubbed to the test or its suite")
    RequestWarnings.add(
      .shared,
      "The stub \(stub) is registered outside of every scope, where \(tests) share it. \(cure). If they may share it, set "
        + "StubRegistry.global.isEnabled = true once. Further ones are only counted.",
      tell: isOfXCTest ? RequestWarnings.write : { _ = RunningTest.record($0, at: stub.location, isWarning: true) })
  }

  /// Reports something wrong in the caller's code: as an issue of the test that runs here, or else of the test whose
  /// scope this is, or else on standard error.
  ///
  /// - Parameters:
  ///   - sentence: What is wrong, and what to write instead.
  ///   - location: Its location in the source code, or `nil` if it is unknown.
  func raise(_ sentence: String, at location: StubLocation? = nil) {
    if RunningTest.record(sentence, at: location) { return }
    if let misses, misses.add(sentence, at: location) { return }
    let place = location.map { " (\($0))" } ?? ""
    FileHandle.standardError.write(Data("StubKit: \(sentence)\(place)\n".utf8))
  }
}
