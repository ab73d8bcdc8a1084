import Foundation

/// A file of what the native loader does, for people.
enum NativeTranscripts {
  static let file = ProcessInfo.processInfo.environment["STUBKIT_NATIVE_TRANSCRIPTS"]
  static let only = ProcessInfo.processInfo.environment["STUBKIT_ONLY"]

  static func write(_ group: CellGroup) async throws {
    guard let file else { return }
    let transcripts = await group.forEachCell { cell -> String in
      if let only, !cell.description.contains(only) { return "" }
      FileHandle.standardError.write(Data("BEGIN \(cell)\n".utf8))
      let lines = (try? await cell.runNatively().lines) ?? ["no server"]
      FileHandle.standardError.write(Data("END \(cell)\n".utf8))
      return "== \(cell)\n" + lines.joined(separator: "\n") + "\n\n"
    }
    let path = "\(file)-\(group.name.replacingOccurrences(of: " ", with: "-"))"
    try Data(transcripts.joined().utf8).write(to: URL(fileURLWithPath: path))
  }
}
