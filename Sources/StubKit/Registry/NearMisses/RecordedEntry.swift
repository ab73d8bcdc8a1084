/// The entry of a recording that a stub plays, for reports.
package struct RecordedEntry: Sendable {
  /// The name of the archive, such as `users.har`.
  let archive: String
  /// The method and what follows the host in the URL, such as `GET /users?page=2`.
  let request: String
  /// The numbers of the entries for the same request, from 1. The stubs of all of them have this value.
  let numbers: [Int]
  /// Whether the stub is that of the first of these entries.
  let isFirst: Bool

  package init(archive: String, request: String, numbers: [Int], isFirst: Bool) {
    (self.archive, self.request, self.numbers, self.isFirst) = (archive, request, numbers, isFirst)
  }

  /// The request and the entries on one line: `GET /users?page=2, users.har, entry 3`.
  var line: String {
    let names = numbers.prefix(3).map(String.init)
    let list =
      switch numbers.count {
      case 1: "entry \(names[0])"
      case 2...3: "entries \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
      default: "entries \(names.joined(separator: ", ")) and \(numbers.count - 3) more"
      }
    return "\(Excerpt.oneLine(Excerpt.middle(request, 50))), \(Excerpt.middle(archive, 30)), \(list)"
  }
}

extension NearMiss {
  /// What differs from a recorded request, in a few words: `method and body at $.page differ`.
  var summary: String {
    let parts = mismatches.prefix(3).map { mismatch in
      mismatch.criterion.hasPrefix("body at ") ? "body at $.\(mismatch.criterion.dropFirst(8))" : mismatch.criterion
    }
    guard let first = parts.first else { return isUsedUp ? "used up" : "matches" }
    if mismatches.count > 1 {
      let more = mismatches.count > parts.count ? ["\(mismatches.count - parts.count) more parts"] : []
      let all = parts + more
      return "\(all.dropLast().joined(separator: ", ")) and \(all[all.count - 1]) differ"
    }
    guard first.hasPrefix("body at "), case let path = first.dropFirst(8) else { return "\(first) differs" }
    return "body differs at \(path)"
  }
}
