import Foundation
import StubKit

extension HTTPArchive {
  /// The name of the creator of archives that need no corrections.
  static let creator = "StubKit"

  /// - Parameter source: The file, or `nil` if the data comes from elsewhere.
  init(_ file: HARFile, source: URL?) throws {
    self.init()
    fileName = file.name
    let (version, place) = file.member("version", as: EntryInFile.Scalar.self).map { ($0.text ?? "", $1) } ?? ("", nil)
    // By the specification, an empty version means 1.1. Version 1.3 is a proposal that only adds to 1.2.
    guard ["", "1.1", "1.2", "1.3"].contains(version) else {
      throw file.error(
        0, at: place?.range.lowerBound ?? 0,
        "The archive has the version \"\(version)\", but StubKit reads 1.1 to 1.3.", "Export it as HAR 1.2.")
    }
    let (isOwn, decoder, folder) = (file.isOwn, JSONDecoder(), source?.folderOfFile)
    for part in file.parts where part.entry > 0 {
      do {
        let read = try decoder.decode(EntryInFile.self, from: file.bytes(of: part))
        for problem in read.problems {
          let cure = "It was taken at its obvious meaning. Export the archive again, or correct it."
          problems.append(HTTPArchiveError(file: fileName, entry: part.entry, problem: problem, remedy: cure))
        }
        let isOwnEntry = isOwn || read._creator == Self.creator
        entries.append(try Entry(read, isOwn: isOwnEntry, folder: folder))
      } catch {
        let problem = (error as? DecodingError)?.problem ?? (error as? UsageMistake)?.sentence ?? error.sentence
        let cure = "Export the archive again, or remove the entry."
        throw file.error(part.entry, at: part.range.lowerBound, problem, cure)
      }
    }
    // An entry whose start can't be read has that of a neighbour.
    var last = entries.first { $0.unreadableStart == nil }?.startedAt ?? Date()
    for index in entries.indices {
      let text = entries[index].unreadableStart
      if text == nil { last = entries[index].startedAt }
      entries[index].startedAt = last
      entries[index].unreadableStart = text
    }
  }
}

extension HARFile {
  /// Whether StubKit has made the file.
  var isOwn: Bool { member("creator", as: StubJSON.self)?.value["name"] == .string(HTTPArchive.creator) }
}

extension DecodingError {
  /// What is wrong with a member, such as `"request.url" is missing.`
  fileprivate var problem: String {
    func place(_ path: [any CodingKey]) -> String { path.isEmpty ? "The entry" : "\"\(path.jsonPath)\"" }
    switch self {
    case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing."
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let kind =
        if type == String.self { "a string" } else if type == [Any].self { "an array" } else { "an object" }
      return "\(place(context.codingPath)) is not \(kind)."
    default: return "The entry can't be decoded: \(self)"
    }
  }
}
