import Foundation
import StubKitRecorder

/// Prints a table of an archive's entries, with a waterfall.
struct Inspect: Command {
  static let help = """
    stubkit-har inspect FILE … [--json]

    Shows the entries in a table, with a waterfall as in a browser.

      --json                prints a JSON object for each entry, one a line
    """

  private let files: [InputFile]
  private let isJSON: Bool

  init(_ arguments: consuming Arguments) throws(UsageMistake) {
    isJSON = arguments.takeFlag("--json")
    files = try arguments.files()
  }

  func run(_ console: Console) throws -> Int32 {
    for (position, file) in files.enumerated() {
      let archive = try file.document(console).archive
      if isJSON {
        for (number, entry) in zip(1..., archive.entries) {
          let line = "\(entry.inspected(as: number, of: file.name))".withEscapedControls
          try console.print(raw: Data((line + "\n").utf8))
        }
      } else {
        let table = ArchiveTable(archive, width: console.width)
        if position > 0 { try console.print("") }
        try console.print("\(file.name): \(table.summary)")
        try console.print("")
        for line in table.lines { try console.print(line) }
      }
    }
    return 0
  }
}

extension HTTPArchive.Entry {
  /// What `--json` prints about the entry.
  fileprivate func inspected(as number: Int, of file: String) -> StubJSON {
    .members([
      "file": .string(file), "entry": StubJSON(number), "method": .string(request.httpMethod ?? "GET"),
      "url": .string(request.url?.absoluteString ?? ""), "startedAt": StubJSON(startedAt.timeIntervalSince1970),
      "seconds": StubJSON(duration / .seconds(1)), "status": response.map { StubJSON($0.status) },
      "bytes": response.map { StubJSON($0.content.count) },
      "contentType": response?.headers["Content-Type"].map(StubJSON.string),
      "secondsToResponse": timeToResponse.map { StubJSON($0 / .seconds(1)) },
      "error": error.map { .string($0.localizedDescription) }, "obstacle": obstacle.map(StubJSON.string),
    ])
  }
}
