// Applies the fix-its of errors, as an editor would: swift .ci/fix-its.swift DIAGNOSTICS
//
// DIAGNOSTICS is what the compiler writes with -serialize-diagnostics-path, in LLVM's bitstream format
// (https://llvm.org/docs/BitCodeFormat.html). Prints how many fix-its were applied. Those of notes are proposals, and are
// left out.

import Foundation

struct Bits {
  let bytes: [UInt8]
  var position = 0
  var isAtEnd: Bool { position + 32 > bytes.count * 8 }

  mutating func fixed(_ width: Int) -> Int {
    var value = 0
    for bit in 0..<width {
      if bytes[position / 8] >> UInt8(position % 8) & 1 == 1 { value |= 1 << bit }
      position += 1
    }
    return value
  }

  mutating func variable(_ width: Int) -> Int {
    var (value, shift) = (0, 0)
    while true {
      let chunk = fixed(width)
      value |= (chunk & (1 << (width - 1) - 1)) << shift
      if chunk >> (width - 1) == 0 { return value }
      shift += width - 1
    }
  }

  mutating func align() { position = (position + 31) / 32 * 32 }
}

struct Operand {
  enum Encoding { case literal, fixed, variable, array, char6, blob }
  let encoding: Encoding
  let value: Int
}

struct FixIt: Hashable {
  let file: Int
  let range: Range<Int>
  let text: String
}

struct Reader {
  var bits: Bits
  var abbreviations: [Int: [[Operand]]] = [:]
  var files: [Int: String] = [:]
  var fixIts: Set<FixIt> = []

  mutating func operands() -> [Operand] {
    var list: [Operand] = []
    var count = bits.variable(5)
    while count > 0 {
      count -= 1
      if bits.fixed(1) == 1 {
        list.append(Operand(encoding: .literal, value: bits.variable(8)))
        continue
      }
      switch bits.fixed(3) {
      case 1: list.append(Operand(encoding: .fixed, value: bits.variable(5)))
      case 2: list.append(Operand(encoding: .variable, value: bits.variable(5)))
      case 3: list.append(Operand(encoding: .array, value: 0))
      case 4: list.append(Operand(encoding: .char6, value: 0))
      default: list.append(Operand(encoding: .blob, value: 0))
      }
    }
    return list
  }

  mutating func scalar(_ operand: Operand) -> Int {
    switch operand.encoding {
    case .literal: operand.value
    case .fixed: bits.fixed(operand.value)
    case .variable: bits.variable(operand.value)
    default: bits.fixed(6)
    }
  }

  /// Returns the values of a record, the first of which is its code, and its blob.
  mutating func record(_ operands: [Operand]) -> (values: [Int], blob: [UInt8]) {
    var values: [Int] = []
    var blob: [UInt8] = []
    var index = 0
    while index < operands.count {
      let operand = operands[index]
      index += 1
      switch operand.encoding {
      case .array:
        let length = bits.variable(6)
        for _ in 0..<length { values.append(scalar(operands[index])) }
        index += 1
      case .blob:
        let length = bits.variable(6)
        bits.align()
        blob = Array(bits.bytes[bits.position / 8..<bits.position / 8 + length])
        bits.position += length * 8
        bits.align()
      default: values.append(scalar(operand))
      }
    }
    return (values, blob)
  }

  mutating func block(_ id: Int, width: Int, severity outer: Int = 0) {
    var own = abbreviations[id] ?? []
    var severity = outer
    var described = 0
    while !bits.isAtEnd {
      let entry = bits.fixed(width)
      var found: (values: [Int], blob: [UInt8])
      switch entry {
      case 0:
        bits.align()
        return
      case 1:
        let (inner, innerWidth) = (bits.variable(8), bits.variable(4))
        bits.align()
        _ = bits.fixed(32)
        block(inner, width: innerWidth)
        continue
      case 2:
        let definition = operands()
        if id == 0 { abbreviations[described, default: []].append(definition) } else { own.append(definition) }
        continue
      case 3:
        let code = bits.variable(6)
        let count = bits.variable(6)
        found = ([code] + (0..<count).map { _ in bits.variable(6) }, [])
      default:
        found = record(own[entry - 4])
      }
      let values = Array(found.values.dropFirst())
      switch (id, found.values[0]) {
      case (0, 1): described = values[0]
      case (9, 2): severity = values[0]
      case (9, 6): files[values[0]] = String(decoding: found.blob, as: UTF8.self)
      case (9, 7) where severity == 3:
        let range = values[3]..<values[7]
        fixIts.insert(FixIt(file: values[0], range: range, text: String(decoding: found.blob, as: UTF8.self)))
      default: break
      }
    }
  }
}

var all: [String: [FixIt]] = [:]
for path in CommandLine.arguments.dropFirst() {
  let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  var reader = Reader(bits: Bits(bytes: bytes, position: 32))
  reader.block(-1, width: 2)
  for fixIt in reader.fixIts { all[reader.files[fixIt.file] ?? "", default: []].append(fixIt) }
}
var count = 0
for (file, fixIts) in all {
  var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  var end = Int.max
  // From the last one to the first. Of two that overlap, the later one waits for another run.
  let latest = fixIts.sorted {
    ($0.range.upperBound, $0.range.lowerBound) > ($1.range.upperBound, $1.range.lowerBound)
  }
  for fixIt in latest
  where fixIt.range.upperBound <= end {
    bytes.replaceSubrange(fixIt.range, with: fixIt.text.utf8)
    end = fixIt.range.lowerBound
    count += 1
  }
  try Data(bytes).write(to: URL(fileURLWithPath: file))
}
print(count)
