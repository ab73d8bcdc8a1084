import Foundation

/// Prints a line for each decision to standard error if `STUBKIT_LOG=1` is in the environment.
enum Trace {
  static let isOn = ProcessInfo.processInfo.environment["STUBKIT_LOG"] == "1"

  static func log(_ decision: StaticString, _ request: URLRequest, by stub: StubReference? = nil) {
    guard isOn else { return }
    let name = stub.map { " by \($0.name.map { "\"\($0)\" " } ?? "")(\($0.location))" } ?? ""
    FileHandle.standardError.write(Data("StubKit: \(decision) \(request.summary(in: .shared))\(name)\n".utf8))
  }

  /// Prints the status of an answer, and the test that has it.
  static func log(_ status: Int, _ request: URLRequest, by stub: StubReference?, of test: String?) {
    let (name, place) = (stub.map { ", by the stub \($0)" } ?? "", test.map { ", in \($0)" } ?? "")
    FileHandle.standardError.write(
      Data("StubKit: answered \(request.summary(in: .shared)) with \(status)\(name)\(place)\n".utf8))
  }
}
