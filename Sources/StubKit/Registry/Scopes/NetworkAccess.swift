import Foundation

/// Whether requests that no stub answers may leave the machine, and what is told of those that do.
///
/// `STUBKIT_NETWORK=off` keeps each of them here. ``HTTPStubs/unscoped`` as `.fail` keeps those outside of scopes here,
/// where no policy of a test lets them through.
enum NetworkAccess {
  /// A Boolean value that indicates whether the environment keeps all requests here.
  static var isOff: Bool { isOffForTests.current ?? isOffInEnvironment }
  private static let isOffInEnvironment: Bool = {
    let value = ProcessInfo.processInfo.environment["STUBKIT_NETWORK"] ?? ""
    if !["", "on", "off"].contains(value) {
      RunningTest.tell("STUBKIT_NETWORK=\(value) isn't known, and changes nothing. Write off.")
    }
    return value == "off"
  }()
  /// Replaces the environment, for tests.
  static let isOffForTests = Protected<Bool?>(nil)

  /// Returns whether a request outside of scopes has to stay here. One to this machine doesn't leave it.
  static func blocksUnscoped(_ request: URLRequest) -> Bool {
    (isOff || HTTPStubs.chosenUnscoped == .fail) && leaves(request)
  }

  /// Returns whether the environment keeps a request here, whatever a policy or a stub says.
  static func blocks(_ request: URLRequest) -> Bool { isOff && leaves(request) }

  /// A Boolean value that indicates whether requests outside of scopes that leave this machine are told. Who has chosen
  /// to let them through knows of them.
  static var tellsOfDepartures: Bool { HTTPStubs.chosenUnscoped == nil }

  /// Whether requests outside of scopes fail, by choice or because that is the default here.
  static var failsUnscoped: Bool { HTTPStubs.unscoped == .fail }

  /// Whether somebody has chosen that they fail.
  static var failsUnscopedByChoice: Bool { HTTPStubs.chosenUnscoped == .fail }

  private static func leaves(_ request: URLRequest) -> Bool {
    ["http", "https"].contains(request.url?.scheme?.lowercased()) && !request.isLoopback
  }

  /// A test that has no scope.
  struct UnscopedTest: Sendable {
    let name: String
    let isOfFramework: Bool

    /// The test that the code here belongs to, or `nil` if none is known.
    static var running: UnscopedTest? {
      RunningTest.name.map { UnscopedTest(name: $0, isOfFramework: RunningTest.isOfFramework) }
    }
  }

  private static let toldTests = Protected<Set<String>>([])

  /// Tells of the first request of a test without a scope that goes to the network. A lock of URLSession can be held
  /// where this is called.
  static func tellOfDeparture(_ request: URLRequest, of test: UnscopedTest?) {
    guard tellsOfDepartures, leaves(request), let test,
      toldTests.withLock({ $0.insert(test.name).inserted })
    else { return }
    let cure =
      test.isOfFramework
      ? "add the trait .stubbed to the test or its suite" : "let the test case inherit from StubbedTestCase"
    RequestWarnings.later {
      RequestWarnings.add(
        .departed,
        "\(request.summary(in: .shared)) goes to the network, because \(test.name) has no scope: \(cure), or set STUBKIT_NETWORK=off, "
          + "or HTTPStubs.unscoped once. Further ones of the test aren't told.")
    }
  }

  private static let cutTests = Protected<Set<String>>([])

  /// Tells of the first request of a test that its end cuts off, while a task awaits it.
  static func tellOfEnd(_ request: URLRequest, of testReport: TestReport?) {
    guard let testReport, let test = testReport.test, cutTests.withLock({ $0.insert(test).inserted }) else { return }
    RunningTest.$sink.withValue(testReport.sink) {
      RequestWarnings.later {
        RequestWarnings.add(
          .cutOff,
          "\(request.summary(in: .shared)) was under way in a task when \(test) ended, so it failed. Await the task in the test, or "
            + "cancel it there. Further ones of the test aren't told.")
      }
    }
  }
}

/// An error that says that a request would have gone to the network, which this run doesn't allow.
struct NetworkOffError: StubKitError {
  let description: String

  /// - Parameters:
  ///   - reason: Why nothing answers it.
  ///   - test: The name of the test that makes it, if it is known.
  init(_ request: URLRequest, because reason: String, of test: String? = nil) {
    let switchOff = NetworkAccess.isOff ? "STUBKIT_NETWORK=off" : "HTTPStubs.unscoped = .fail"
    description =
      [
        UnmatchedRequestError.heading(of: request),
        "\(reason)\(test.map { ", in \($0)" } ?? ""), and \(switchOff) keeps it from the network.",
        "Register a stub for it, in a test with the trait .stubbed or in a StubbedTestCase.",
        UnmatchedRequestError.Guide.troubleshooting.line,
      ].lines
  }
}
