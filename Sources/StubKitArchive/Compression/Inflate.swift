import Foundation

/// Decompresses data in the format DEFLATE (RFC 1951).
struct Inflate {
  private struct Invalid: Error {}

  /// The symbols of a Huffman code, ordered by the length of their codes and by value (RFC 1951, section 3.2.2).
  private struct Code {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    init(_ lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      symbols = lengths.enumerated().filter { $0.element > 0 }.sorted {
        ($0.element, $0.offset) < ($1.element, $1.offset)
      }
      .map(\.offset)
    }

    /// Reads a symbol bit by bit.
    func symbol(_ input: inout Inflate) throws -> Int {
      var (code, first, index) = (0, 0, 0)
      for count in counts[1...] {
        code |= try input.bits(1)
        if code - first < count { return symbols[index + code - first] }
        (index, first) = (index + count, (first + count) << 1)
        code <<= 1
      }
      throw Invalid()
    }
  }

  private let input: Data
  private var position: Int
  private var buffer = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  /// Returns the decompressed bytes, or `nil` if the data is invalid, or if it is longer than a limit when decompressed.
  ///
  /// - Parameter start: The number of bytes before the compressed data.
  static func bytes(_ data: Data, from start: Int, limit: Int) -> Data? {
    guard start <= data.count else { return nil }
    var inflate = Inflate(input: data, position: data.startIndex + start, limit: limit)
    do { try inflate.run() } catch { return nil }
    return Data(inflate.output)
  }

  private init(input: Data, position: Int, limit: Int) {
    self.input = input
    self.position = position
    self.limit = limit
  }

  private mutating func bits(_ count: Int) throws -> Int {
    while bitCount < count {
      guard position < input.endIndex else { throw Invalid() }
      buffer |= Int(input[position]) << bitCount
      bitCount += 8
      position += 1
    }
    defer {
      buffer >>= count
      bitCount -= count
    }
    return buffer & (1 << count - 1)
  }

  private mutating func run() throws {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try copy(Self.fixed.lengths, Self.fixed.distances)
      case 2:
        let codes = try dynamicCodes()
        try copy(codes.lengths, codes.distances)
      default: throw Invalid()
      }
    }
  }

  private mutating func copyStored() throws {
    // The rest of the byte is unused.
    (buffer, bitCount) = (0, 0)
    guard position + 4 <= input.endIndex else { throw Invalid() }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    position += 4
    guard position + length <= input.endIndex, output.count + length <= limit else { throw Invalid() }
    output += input[position..<position + length]
    position += length
  }

  private static let fixed: (lengths: Code, distances: Code) = {
    let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    return (Code(lengths), Code([Int](repeating: 5, count: 30)))
  }()

  private mutating func dynamicCodes() throws -> (lengths: Code, distances: Code) {
    let lengthCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var codeLengths = [Int](repeating: 0, count: 19)
    for place in order.prefix(try bits(4) + 4) { codeLengths[place] = try bits(3) }
    let code = Code(codeLengths)
    var lengths: [Int] = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try code.symbol(&self)
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw Invalid() }
        lengths += [Int](repeating: last, count: try bits(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
      default: lengths += [Int](repeating: 0, count: try bits(7) + 11)
      }
    }
    guard lengths.count == lengthCount + distanceCount else { throw Invalid() }
    return (Code(lengths[..<lengthCount]), Code(lengths[lengthCount...]))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097,
    6_145, 8_193, 12_289, 16_385, 24_577,
  ]

  private mutating func copy(_ lengths: Code, _ distances: Code) throws {
    while true {
      let symbol = try lengths.symbol(&self)
      if symbol < 256 {
        guard output.count < limit else { throw Invalid() }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      let place = symbol - 257
      guard place < Self.lengthBases.count else { throw Invalid() }
      let length = Self.lengthBases[place] + (try bits(place < 8 || place == 28 ? 0 : (place - 4) / 4))
      let distanceSymbol = try distances.symbol(&self)
      guard distanceSymbol < Self.distanceBases.count else { throw Invalid() }
      let distance = Self.distanceBases[distanceSymbol] + (try bits(distanceSymbol < 4 ? 0 : distanceSymbol / 2 - 1))
      guard distance <= output.count, output.count + length <= limit else { throw Invalid() }
      // The bytes can overlap with what they are copied from.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }
}
