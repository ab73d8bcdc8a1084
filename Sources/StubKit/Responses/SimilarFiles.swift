import Foundation

/// The files whose names come nearest to that of a missing file. A report asks about them: "Did you mean …?"
struct SimilarFiles {
  /// At most three names, nearest first. A file of the right name in a subfolder comes with its folder.
  let names: [String]

  init(to name: String, in directories: [URL]) {
    let wanted = Array(name.lowercased())
    let limit = max(1, wanted.count / 3)
    var candidates: [(name: String, distance: Int)] = []
    for directory in directories {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      for entry in entries.sorted() {
        let below = directory.appendingPathComponent(entry).appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: below.path) {
          candidates.append((entry + "/" + name, 0))
        } else if !FileManager.default.fileExists(atPath: directory.appendingPathComponent(entry).path) {
          // A dangling link, which can be the missing file itself.
          continue
        } else if Self.stem(of: entry) == Self.stem(of: name) {
          candidates.append((entry, 1))
        } else {
          let found = Array(entry.lowercased())
          guard abs(found.count - wanted.count) <= limit else { continue }
          let distance = wanted.editDistance(to: found)
          if distance <= limit { candidates.append((entry, distance)) }
        }
      }
    }
    var seen: Set<String> = []
    names = Array(
      candidates.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
        .filter { seen.insert($0).inserted }.prefix(3))
  }

  /// Returns a name without its extension, which stays the same if an extension is missing or different.
  private static func stem(of name: String) -> String { (name as NSString).deletingPathExtension.lowercased() }
}
