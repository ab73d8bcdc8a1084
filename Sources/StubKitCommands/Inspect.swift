import Foundation
import StubKitRecorder

/// Prints a table of an archive's entries, with a waterfall.
struct Inspect: Command {
  static let help = """
    stubkit inspect FILE … [--json]

    Shows the entries in a table, with a waterfall as in a browser.

      --json                prints a JSON object for each entry, one a line
    """

  private let files: [InputFile]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(Mistake) {
    var arguments = arguments
    isJSON = arguments.takeFlag("--json")
    files = try arguments.files()
  }

  func run(_ console: Console) throws -> Int32 {
    for (position, file) in files.enumerated() {
      let archive = try file.document(console).archive
      if isJSON {
        for (number, entry) in zip(1..., archive.entries) {
          try console.print(json: InspectedEntry(entry, number, file: file.name))
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

/// What `--json` prints about an entry.
private struct InspectedEntry: Encodable {
  let file: String
  let entry: Int
  let method: String
  let url: String
  let startedAt: Double
  let seconds: Double
  let status: Int?
  let bytes: Int?
  let contentType: String?
  let secondsToResponse: Double?
  let error: String?
  let obstacle: String?

  init(_ archived: HTTPArchive.Entry, _ number: Int, file: String) {
    self.file = file
    entry = number
    method = archived.request.httpMethod ?? "GET"
    url = archived.request.url?.absoluteString ?? ""
    startedAt = archived.startedAt.timeIntervalSince1970
    seconds = archived.duration / .seconds(1)
    status = archived.response?.status
    bytes = archived.response?.byteCount
    contentType = archived.response?.headers["Content-Type"]
    secondsToResponse = archived.timeToResponse.map { $0 / .seconds(1) }
    error = archived.error?.localizedDescription
    obstacle = archived.obstacle
  }
}
