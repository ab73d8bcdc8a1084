import Foundation
import StubKitArchive
import StubKitCommandLine

/// Writes an archive as stubs in Swift, with a test and the fixtures that they need.
struct WriteSwift: Command {
  static let name = "swift"
  static let usage = "swift FILE [-o FOLDER]"
  static let summary = "Writes the entries as stub(condition:response:) calls, with a test."
  static let options = ["-o, --output FOLDER   the folder for the files, by default the current one"]

  private let file: InputFile
  private let folder: URL

  init(_ arguments: Arguments) throws(Mistake) {
    var arguments = arguments
    let output = try arguments.takeValue("-o", "--output", what: "a folder")
    folder = URL(fileURLWithPath: output ?? FileManager.default.currentDirectoryPath)
    file = try arguments.file()
  }

  func run(_ console: Console) throws -> Int32 {
    let source = SwiftSource(
      try file.document(console).archive, name: file.url?.deletingPathExtension().lastPathComponent ?? "archive")
    let fixtures = folder.appendingPathComponent("Fixtures")
    try FileManager.default.createDirectory(
      at: source.fixtures.isEmpty ? folder : fixtures, withIntermediateDirectories: true)
    let target = folder.appendingPathComponent(source.fileName)
    guard !FileManager.default.fileExists(atPath: target.path) else {
      throw Mistake(
        "\(target.path) already exists and may contain your edits. Remove it, or choose another folder with -o.")
    }
    for fixture in source.fixtures {
      try fixture.data.write(to: fixtures.appendingPathComponent(fixture.name), options: .atomic)
    }
    try Data(source.text.utf8).write(to: target, options: .atomic)
    try console.print(
      "Wrote \(target.path)\(source.fixtures.isEmpty ? "" : ", and \(source.fixtures.count.asCount("fixture", "fixtures"))")."
    )
    for omission in source.omissions { console.warn(omission) }
    return 0
  }
}
