import Foundation
import StubKit

/// What is wrong with archives, by the specification of HAR 1.2.
struct Validate: Command {
  static let name = "validate"
  static let usage = "validate FILE … [--json]"
  static let summary = "Holds files against HAR 1.2, and names every problem with its place."
  static let options = ["--json                one JSON object for each problem, a line each"]

  private let files: [URL]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(Mistake) {
    var arguments = arguments
    isJSON = arguments.takeFlag("--json")
    files = try arguments.files()
  }

  func run(_ console: Console) throws -> Int32 {
    var count = 0
    for file in files {
      let problems = HTTPArchive.problems(
        in: try Data(contentsOf: file), file: file.lastPathComponent)
      count += problems.count
      for problem in problems { console.print(isJSON ? problem.json.description : problem.description) }
      if problems.isEmpty, !isJSON { console.print("\(file.lastPathComponent): a valid HAR 1.2.") }
    }
    return count == 0 ? 0 : 1
  }
}

extension HTTPArchiveError {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["problem": JSONValue(problem), "remedy": JSONValue(remedy)]
    members["file"] = file.map { JSONValue($0) }
    members["entry"] = entry.map { JSONValue($0) }
    members["line"] = line.map { JSONValue($0) }
    return .object(members)
  }
}
