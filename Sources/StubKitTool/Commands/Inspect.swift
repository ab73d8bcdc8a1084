import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Prints a table of an archive's entries, with a waterfall.
struct Inspect: Command {
  static let name = "inspect"
  static let usage = "inspect FILE … [--json]"
  static let summary = "Shows the entries in a table, with a waterfall as in a browser."
  static let options = ["--json                prints a JSON object for each entry, one a line"]

  private let files: [URL]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(Mistake) {
    var arguments = arguments
    isJSON = arguments.takeFlag("--json")
    files = try arguments.files()
  }

  func run(_ console: Console) throws -> Int32 {
    for (position, file) in files.enumerated() {
      let archive = try HTTPArchive(contentsOf: file)
      if isJSON {
        for (number, entry) in zip(1..., archive.entries) {
          console.print(JSONValue.object(entry.inspected(file.lastPathComponent, number)).description)
        }
      } else {
        let table = ArchiveTable(archive)
        if position > 0 { console.print("") }
        console.print("\(file.lastPathComponent): \(table.summary)\n")
        for line in table.lines { console.print(line) }
      }
    }
    return 0
  }
}

extension HTTPArchive.Entry {
  fileprivate func inspected(_ file: String, _ number: Int) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "file": JSONValue(file), "entry": JSONValue(number), "method": JSONValue(request.httpMethod ?? "GET"),
      "url": JSONValue(request.url?.absoluteString ?? ""), "startedAt": JSONValue(startedAt.timeIntervalSince1970),
      "seconds": JSONValue(duration / .seconds(1)),
    ]
    if let response {
      members["status"] = JSONValue(response.status)
      members["bytes"] = JSONValue(response.byteCount)
      members["contentType"] = response.headers["Content-Type"].map { JSONValue($0) }
    }
    members["secondsToResponse"] = timeToResponse.map { JSONValue($0 / .seconds(1)) }
    members["error"] = error.map { JSONValue($0.localizedDescription) }
    members["obstacle"] = obstacle.map { JSONValue($0) }
    return members
  }
}
