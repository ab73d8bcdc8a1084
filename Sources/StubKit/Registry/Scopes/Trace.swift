import Foundation

/// Prints a line for each decision to standard error if `STUBKIT_LOG=1` is in the environment.
enum Trace {
  static let isOn = ProcessInfo.processInfo.environment["STUBKIT_LOG"] == "1"

  /// - Parameters:
  ///   - status: The status of an answer.
  ///   - test: The name of the test that has it.
  static func log(
    _ decision: StaticString, _ request: URLRequest, _ status: Int? = nil, by stub: StubReference? = nil,
    of test: String? = nil
  ) {
    guard isOn else { return }
    let answer = status.map { " with \($0)" } ?? ""
    let name = stub.map { ", by the stub \($0)" } ?? ""
    let place = test.map { ", in \($0)" } ?? ""
    RunningTest.tell("\(decision) \(request.summary(in: .shared))\(answer)\(name)\(place)")
  }
}
