import Foundation

@testable import StubKit

/// A JSON text, or what is none.
struct JSONFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    // In a string, in an array and as it is.
    for text in [input, Data("[".utf8) + input, Data("\"".utf8) + input] {
      guard let value = try? StubJSON(parsing: text) else { continue }
      _ = (value.description, value.swiftLiteral, value == value)
      value.forEachRequiredLeaf { _ in }
    }
    let items = input.split(separator: UInt8(ascii: "\n")).map { StubJSON($0.text) }
    _ = JSONDifference(.array(items), .array(items.reversed()), exactly: true).mismatches.map(\.description)
  }

  func check(_ input: Data) {
    let value: StubJSON
    do {
      value = try StubJSON(parsing: input)
    } catch {
      checkWalk(nil, input)
      return check(error, input)
    }
    if let slow = SlowJSON(parsing: input) {
      demand(slow.value == SlowJSON.Value(value), "\(value), not \(slow.value)")
    }
    let written = value.data
    demand((try? StubJSON(parsing: written)) == value, "\(value) is not read as it was written")
    demand((try? StubJSON(parsing: written))?.hashValue == value.hashValue, "the hash of \(value)")
    demand(
      value.meets(value, exactly: false) && JSONDifference(value, value, exactly: true).count == 0, "\(value) is itself"
    )
    checkDecoder(value, input)
    checkPlaces(value)
    checkWalk(value, input)
  }

  /// A walk to a place finds what the tree has there, and nothing in what isn't JSON.
  private func checkWalk(_ root: StubJSON?, _ input: Data) {
    for key in ["a", "0", ""] {
      guard let path = try? JSONPath(parsing: "/\(key)"),
        case .success(let found) = Result(catching: { try JSONScanner.value(at: path, in: input) })
      else { continue }
      let value = root.flatMap { path.value(in: $0) }
      // Of arrays and objects, the walk tells only the kind.
      let isSame = value?.isContainer == true ? found?.kind == value?.kind : found == value
      demand(isSame, "a walk to \(path.text) in \(input.text)")
    }
  }

  private func check(_ error: any Error, _ input: Data) {
    guard let error = error as? JSONSyntaxError else { return demand(false, "\(error)") }
    let lines = input.filter { $0 == UInt8(ascii: "\n") }.count + 1
    let isUTF8 = !input.prefix(4).contains(0) && ![0xFE, 0xFF].contains(input.first)
    guard isUTF8 else { return }
    demand((1...lines).contains(error.line) && error.column >= 1, "\(error)")
    demand(SlowJSON(parsing: input) == nil, "\(error)")
  }

  /// `JSONDecoder` gives the same, but for repeated keys and for numbers that it rounds.
  private func checkDecoder(_ value: StubJSON, _ input: Data) {
    guard let slow = SlowJSON(parsing: input), !slow.repeatsKeys, !slow.hasRoundedNumber,
      let decoded = try? JSONDecoder().decode(StubJSON.self, from: input)
    else { return }
    demand(decoded == value, "JSONDecoder says \(decoded), the parser \(value)")
    guard let encoded = try? JSONEncoder().encode(value) else { return }
    demand((try? StubJSON(parsing: encoded)) == value, "\(value) is not read as JSONEncoder wrote it")
  }

  /// Every place is found by its pointer.
  private func checkPlaces(_ root: StubJSON) {
    var pending: [(StubJSON, String)] = [(root, "")]
    var count = 0
    while let (value, pointer) = pending.popLast(), count < 100 {
      count += 1
      demand((try? JSONPath(parsing: pointer))?.value(in: root) == value, "\(pointer) in \(root)")
      switch value {
      case .array(let elements):
        for (index, element) in elements.enumerated() { pending.append((element, "\(pointer)/\(index)")) }
      case .object(let members):
        for (key, member) in members {
          let token = SlowText.pieces(SlowText.pieces(key, "~").joined(separator: "~0"), "/").joined(separator: "~1")
          pending.append((member, "\(pointer)/\(token)"))
        }
      default: break
      }
    }
  }
}

/// The grammar of RFC 8259, rule by rule.
struct SlowJSON {
  indirect enum Value: Equatable {
    case null
    case bool(Bool)
    /// As `decimal(_:)` writes it.
    case number(String)
    /// In UTF-8, so that composed and decomposed letters differ.
    case string([UInt8])
    case array([Value])
    case object([String: Value])

    init(_ value: StubJSON) {
      self =
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(SlowJSON.decimal(number.description))
        case .string(let string): .string(Array(string.utf8))
        case .array(let elements): .array(elements.map { Value($0) })
        case .object(let members): .object(members.mapValues { Value($0) })
        }
    }
  }

  private(set) var value = Value.null
  private(set) var repeatsKeys = false
  private(set) var hasRoundedNumber = false
  private var rest: ArraySlice<Unicode.Scalar>

  private struct Failure: Error {}

  /// Nil for what is no JSON in UTF-8.
  init?(parsing data: Data) {
    // Foundation's initializer drops a byte order mark by itself.
    guard let text = String(validUTF8: data) else { return nil }
    rest = Array(text.unicodeScalars)[...]
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    do {
      value = try parseValue(depth: 0)
      skipSpace()
      guard rest.isEmpty else { return nil }
    } catch {
      return nil
    }
  }

  private mutating func skipSpace() { rest = rest.drop { " \t\r\n".unicodeScalars.contains($0) } }

  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }

  private mutating func expect(_ word: String) throws { guard take(word) else { throw Failure() } }

  private mutating func parseValue(depth: Int) throws -> Value {
    skipSpace()
    if take("null") { return .null }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    if rest.first == "\"" { return .string(Array(try parseString().utf8)) }
    if take("[") {
      var elements: [Value] = []
      try parseList(to: "]", depth) { elements.append(try $0.parseValue(depth: depth + 1)) }
      return .array(elements)
    }
    if take("{") {
      var members: [String: Value] = [:]
      try parseList(to: "}", depth) { parser in
        let key = try parser.parseString()
        parser.skipSpace()
        try parser.expect(":")
        if members.updateValue(try parser.parseValue(depth: depth + 1), forKey: key) != nil {
          parser.repeatsKeys = true
        }
      }
      return .object(members)
    }
    return .number(try parseNumber())
  }

  private mutating func parseList(to end: String, _ depth: Int, _ parse: (inout SlowJSON) throws -> Void) throws {
    guard depth < 128 else { throw Failure() }
    skipSpace()
    if take(end) { return }
    repeat {
      skipSpace()
      try parse(&self)
      skipSpace()
    } while take(",")
    try expect(end)
  }

  private mutating func parseNumber() throws -> String {
    func digits(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard !digits.isEmpty else { throw Failure() }
      rest = rest.dropFirst(digits.count)
      return String(String.UnicodeScalarView(digits))
    }
    var text = take("-") ? "-" : ""
    text += take("0") ? "0" : try digits(&rest)
    if take(".") { text += "." + (try digits(&rest)) }
    if take("e") || take("E") {
      let sign = take("-") ? "-" : ""
      if sign.isEmpty { _ = take("+") }
      text += "e" + sign + (try digits(&rest))
    }
    guard let double = Double(text), double.isFinite else { throw Failure() }
    let number = Self.decimal(text)
    let isInteger = Int64(text) != nil || UInt64(text) != nil
    hasRoundedNumber = hasRoundedNumber || !isInteger && number != Self.decimal(double.description)
    return number
  }

  /// Returns a number as its digits, without zeros at either end, and a power of ten. With an exponent below minus a
  /// billion, it is zero.
  static func decimal(_ text: String) -> String {
    let parts = SlowText.pieces(text.lowercased(), "e")
    let places = SlowText.pieces(SlowText.pieces(parts[0], "-").joined(), ".")
    var digits = places.joined()
    var power = -(places.dropFirst().first?.utf8.count ?? 0)
    while digits.first == "0" { digits.removeFirst() }
    while digits.last == "0" {
      digits.removeLast()
      power += 1
    }
    let exponent = parts.count == 1 ? 0 : Int(parts[1])
    guard !digits.isEmpty, let exponent, exponent >= -1_000_000_000 else { return "0" }
    return "\(parts[0].first == "-" ? "-" : "")\(digits)e\(power + exponent)"
  }

  private mutating func parseString() throws -> String {
    try expect("\"")
    var units: [UInt16] = []
    while true {
      guard let scalar = rest.popFirst() else { throw Failure() }
      if scalar == "\"" { break }
      guard scalar.value >= 0x20 else { throw Failure() }
      guard scalar == "\\" else {
        units += String(scalar).utf16
        continue
      }
      guard let escaped = rest.popFirst() else { throw Failure() }
      let plain: [Unicode.Scalar: UInt16] = ["\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9]
      if let unit = plain[escaped] {
        units.append(unit)
        continue
      }
      let digits = String(String.UnicodeScalarView(rest.prefix(4)))
      guard escaped == "u", digits.utf8.count == 4, digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
        let unit = UInt16(digits, radix: 16)
      else { throw Failure() }
      units.append(unit)
      rest = rest.dropFirst(4)
    }
    let text = String(decoding: units, as: UTF16.self)
    // Half of a pair becomes U+FFFD.
    guard text.utf16.elementsEqual(units) else { throw Failure() }
    return text
  }
}
