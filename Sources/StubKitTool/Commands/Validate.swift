import Foundation
import StubKitArchive
import StubKitCommandLine

/// Prints the problems of archives by the specification of HAR 1.2.
struct Validate: Command {
  static let name = "validate"
  static let usage = "validate FILE … [--json]"
  static let summary = "Checks files against HAR 1.2, and prints each problem with its location."
  static let options = ["--json                prints a JSON object for each problem, one a line"]

  private let files: [InputFile]
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
        in: try file.read(console), file: file.name)
      count += problems.count
      for problem in problems {
        if isJSON { try console.print(json: StatedProblem(problem)) } else { try console.print(problem.description) }
      }
      if problems.isEmpty, !isJSON { try console.print("\(file.name) is valid HAR 1.2.") }
    }
    return count == 0 ? 0 : 1
  }
}

/// What `--json` prints about a problem.
private struct StatedProblem: Encodable {
  let file: String?
  let entry: Int?
  let line: Int?
  let problem: String
  let remedy: String

  init(_ error: HTTPArchiveError) {
    (file, entry, line, problem, remedy) = (error.file, error.entry, error.line, error.problem, error.remedy)
  }
}
