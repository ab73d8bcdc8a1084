import Foundation
import StubKitFormats

/// Carries a change of an entry over to the text of a file.
///
/// The change is the difference between two entries as StubKit writes them. Where they differ, the text of the file
/// changes, and everything else stays as another tool has written it.
struct EntryEdit {
  private let before: [UInt8]
  private let after: [UInt8]
  private let text: Data
  private(set) var edits = ByteEdits()

  /// - Parameters:
  ///   - before: The entry that was read, as StubKit writes it.
  ///   - after: The changed entry, as StubKit writes it.
  ///   - original: The entry in the file.
  ///   - text: The text of the file.
  init(from before: [UInt8], to after: [UInt8], in original: JSONTree, of text: Data) throws {
    self.before = before
    self.after = after
    self.text = text
    if before == after { return }
    carry(try JSONTree(before), try JSONTree(after), over: original, isBody: false)
  }

  private func isSame(_ before: JSONTree, _ after: JSONTree) -> Bool {
    self.before[before.range].elementsEqual(self.after[after.range])
  }

  private mutating func carry(_ before: JSONTree, _ after: JSONTree, over original: JSONTree, isBody: Bool) {
    guard !isSame(before, after) else { return }
    switch (before.content, after.content, original.content) {
    case (.object(let members), .object(let changed), .object):
      if isBody { carryBody(before, after, over: original) }
      for name in members.map(\.name) + changed.map(\.name).filter({ before[$0] == nil }) {
        if isBody && Self.bodyMembers.contains(name) { continue }
        guard let place = original[name] else {
          // A member that StubKit has only now, such as an error.
          if let new = after[name], before[name] == nil { edits.set(name, in: original, to: self.after[new.range]) }
          continue
        }
        guard let old = before[name], let new = after[name] else { continue }
        carry(old, new, over: place, isBody: name == "content" || name == "postData")
      }
    case (.array(let pairs), .array(let changed), .array(let places)) where pairs.count == changed.count:
      for (old, new) in zip(pairs, changed) where !isSame(old, new) { carryPair(old, new, over: places) }
    case (.other, .other, .other):
      // A number of the other tool, such as the size on the wire, counts something else.
      let start = text.startIndex + original.range.lowerBound
      guard text[start..<start + original.range.count].elementsEqual(self.before[before.range]) else { return }
      edits.replace(original.range, with: self.after[after.range])
    default: edits.replace(original.range, with: self.after[after.range])
    }
  }

  // MARK: Bodies

  private static let bodyMembers: Set = ["text", "encoding", "_encoding", "_file", "size", "_size"]

  /// Replaces the text of a body together with its encoding and size.
  private mutating func carryBody(_ before: JSONTree, _ after: JSONTree, over original: JSONTree) {
    let names = ["text", "_file", "encoding", "_encoding", "size", "_size"]
    let hasChanged = names.contains { name in
      switch (before[name], after[name]) {
      case (nil, nil): false
      case (let old?, let new?): !isSame(old, new)
      default: true
      }
    }
    guard hasChanged else { return }
    for name in names {
      if let new = after[name] {
        // A tool that keeps only the fields of a form has no text.
        if name == "text", original["text"] == nil, original["_file"] == nil, original["params"] != nil { continue }
        edits.set(name, in: original, to: self.after[new.range])
      } else if name != "size" {
        edits.remove(name, from: original)
      }
    }
  }

  // MARK: Names and values

  /// Replaces the value of a header, a cookie, or an item of a query or a form.
  private mutating func carryPair(_ old: JSONTree, _ new: JSONTree, over places: [JSONTree]) {
    guard let name = old["name"]?.string, let oldValue = old["value"]?.string, let newValue = new["value"] else {
      return
    }
    // Browsers write the names of queries and forms as they were sent, with escapes.
    let named = places.filter { place in
      let other = place["name"]?.string ?? ""
      return [other, other.percentDecoded].contains { $0.lowercased() == name.lowercased() }
    }
    let equal = named.filter { $0["value"]?.string == oldValue }
    // Another tool can write the value in another form: encoded, or joined with others of the name. A value that is
    // replaced too much is better than a secret that stays.
    for place in equal.isEmpty ? named : equal {
      edits.set("value", in: place, to: after[newValue.range])
    }
  }
}
