import Foundation
import StubKit

/// Any JSON value of an archive, so that an entry can be written anew with everything that other tools have put into it.
enum HARValue: Codable, Equatable {
  case object([String: HARValue])
  case array([HARValue])
  case string(String)
  case integer(Int)
  case number(Double)
  case bool(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    self =
      if let text = try? value.decode(String.self) {
        .string(text)
      } else if let members = try? value.decode([String: HARValue].self) {
        .object(members)
      } else if let elements = try? value.decode([HARValue].self) {
        .array(elements)
      } else if let isTrue = try? value.decode(Bool.self) {
        .bool(isTrue)
      } else if let number = try? value.decode(Int.self) {
        .integer(number)
      } else if let number = try? value.decode(Double.self) { .number(number) } else { .null }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .object(let members): try value.encode(members)
    case .array(let elements): try value.encode(elements)
    case .string(let text): try value.encode(text)
    case .integer(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    case .bool(let isTrue): try value.encode(isTrue)
    case .null: try value.encodeNil()
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The member with a name. Setting `nil` removes it.
  subscript(name: String) -> HARValue? {
    get { if case .object(let members) = self { members[name] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }
}

extension HARValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates an object of the members that aren't `nil`.
  init(dictionaryLiteral members: (String, HARValue?)...) {
    self = .object(Dictionary(uniqueKeysWithValues: members.compactMap { name, value in value.map { (name, $0) } }))
  }

  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .integer(number) }
}

// MARK: Texts

extension HARValue {
  /// Replaces each text by what a closure returns for it. The closure gets the text, its place such as
  /// `_webSocketMessages[0].data`, and the name beside it if both are a pair such as `"name": "a", "value": "b"`.
  ///
  /// - Parameters:
  ///   - place: The place of this value.
  ///   - skipped: The places that are left out.
  mutating func replaceTexts(
    at place: String, except skipped: Set<String>, name: String? = nil,
    _ replacement: (String, String, String?) -> String
  ) {
    switch self {
    case .string(let text): self = .string(replacement(text, place, name))
    case .array(var elements):
      for index in elements.indices {
        elements[index].replaceTexts(at: "\(place)[\(index)]", except: skipped, replacement)
      }
      self = .array(elements)
    case .object(var members):
      let pair = members["name"]?.text
      for name in members.keys.sorted() where name != "_file" {
        let inner = place.isEmpty ? name : "\(place).\(name)"
        guard !skipped.contains(inner) else { continue }
        members[name]?.replaceTexts(at: inner, except: skipped, name: name == "value" ? pair : nil, replacement)
      }
      self = .object(members)
    case .integer, .number, .bool, .null: break
    }
  }
}

// MARK: Changes

extension HARValue {
  /// Changes what differs between two entries, as StubKit writes them. The rest stays as another tool has written it.
  mutating func change(from old: HARValue, to new: HARValue, isBody: Bool = false) {
    guard old != new else { return }
    switch (self, old, new) {
    case (.object, .object(let members), .object(let changed)):
      if isBody { changeBody(from: old, to: new) }
      for name in Set(members.keys).union(changed.keys) where !(isBody && Self.bodyMembers.contains(name)) {
        if self[name] == nil {
          // A member that StubKit has only now, such as an error.
          if members[name] == nil { self[name] = changed[name] }
        } else if let before = members[name], let after = changed[name] {
          self[name]?.change(from: before, to: after, isBody: name == "content" || name == "postData")
        }
      }
    case (.array(let places), .array(let pairs), .array(let changed))
    where pairs.count == changed.count && pairs.allSatisfy { $0["name"] != nil }:
      var result = places
      for (pair, other) in zip(pairs, changed) where pair != other {
        for index in Self.indices(of: pair, in: places) { result[index]["value"] = other["value"] }
      }
      self = .array(result)
    // A number of the other tool, such as the size on the wire, counts something else.
    case (.integer, .integer, _), (.number, .number, _): if self == old { self = new }
    default: self = new
    }
  }

  private static let bodyMembers: Set = ["text", "encoding", "_encoding", "_file", "size", "_size"]

  /// Replaces the text of a body together with its encoding and size.
  private mutating func changeBody(from old: HARValue, to new: HARValue) {
    guard Self.bodyMembers.contains(where: { old[$0] != new[$0] }) else { return }
    // A tool that keeps only the fields of a form has no text.
    let hasOnlyFields = self["text"] == nil && self["_file"] == nil && self["params"] != nil
    for name in Self.bodyMembers where !(name == "text" && hasOnlyFields) {
      if name != "size" || new[name] != nil { self[name] = new[name] }
    }
  }

  /// Returns where a header, a cookie, or an item of a query or a form is.
  private static func indices(of pair: HARValue, in places: [HARValue]) -> [Int] {
    let name = pair["name"]?.text?.lowercased()
    // Browsers write the names of queries and forms as they were sent, with escapes.
    let named = places.indices.filter { index in
      let other = places[index]["name"]?.text ?? ""
      return [other, other.percentDecoded].contains { $0.lowercased() == name }
    }
    let equal = named.filter { places[$0]["value"] == pair["value"] }
    // Another tool can write the value in another form: encoded, or joined with others of the name. A value that is
    // replaced too much is better than a secret that stays.
    return equal.isEmpty ? named : equal
  }
}
