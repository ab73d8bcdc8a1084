import Foundation

extension StubRegistry {
  /// Warns of the first stub of a test that has no scope, and counts the others.
  func reportForgottenScope(of stub: Stub) {
    guard self === StubRegistry.global else { return }
    guard !RunningTest.isOfFramework else {
      return RequestWarnings.add(
        .shared,
        "The stub \(stub) is registered outside of every scope, where tests that run in parallel share it. Add the trait "
          + ".stubbed to the test or its suite, in front of others. \(Self.sharing)"
      ) { _ = RunningTest.record($0, at: stub.location, isWarning: true) }
    }
    if !RunningTest.isOfPlainTestCase, let scopes = OpenScopes.shared.enabledScopes {
      return RequestWarnings.add(
        .shared,
        "The stub \(stub) is registered on a queue, on a thread or in a detached task, where no scope is known. It outlives its "
          + "test, and other tests share it. \(scopes) Register it in the test itself, or pass in: registry. Further ones are "
          + "only counted.")
    }
    RunningTest.current?.whenTestIsKnown { isInTest in
      RequestWarnings.add(
        .shared,
        isInTest
          ? "The stub \(stub) is registered outside of every scope, where the tests that follow share it. Let the test case "
            + "inherit from StubbedTestCase. \(Self.sharing)"
          : "The stub \(stub) was registered before a test ran: register it in setUp() of a StubbedTestCase. XCTest sets the "
            + "properties of all test cases before the first test. Until then, all tests share it. \(Self.sharing)")
    }
  }

  private static let sharing =
    "If they may share it, set StubRegistry.global.isEnabled = true once. Further ones are only counted."

  /// Warns of a setting that is set where no scope is known, while tests have scopes of their own.
  func reportForgottenScope(ofSetting name: String) {
    guard self === StubRegistry.global, StubRegistry.local == nil, !isEnabledByChoice,
      !RunningTest.isOfPlainTestCase, let scopes = OpenScopes.shared.enabledScopes
    else { return }
    let sentence =
      "HTTPStubs.\(name) is set outside of every scope, where tests share it, and no open scope has it. \(scopes) Set it in the "
      + "test itself, or write registry.\(name) for the registry of the test."
    RequestWarnings.add(.settings, sentence) { text in
      if !RunningTest.record(text, at: nil, isWarning: true) { RequestWarnings.write(text) }
    }
  }
}
