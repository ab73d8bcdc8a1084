/// The difference between two texts, in hundredths: 0 for equal texts, and 100 for texts with nothing in common.
///
/// It is the number of bytes to insert, delete or replace (Levenshtein), as a share of the longer text. The common
/// beginning and end are skipped, and the first 64 bytes of what remains are compared.
struct TextDifference {
  var share: Int {
    isNone ? 0 : min(100, max(1, (left.editDistance(to: right) + surplus) * 100 / length))
  }

  private static let longest = 64

  private let left: [UInt8]
  private let right: [UInt8]
  /// The number of bytes omitted after `longest`. Only their number is compared.
  private let surplus: Int
  private let length: Int
  /// The number of path segments that contain different bytes, and of all segments.
  private let segments: (differing: Int, all: Int)

  init(_ left: some StringProtocol, _ right: some StringProtocol) { self.init(Array(left.utf8), Array(right.utf8)) }

  init(_ left: [UInt8], _ right: [UInt8]) {
    let shorter = min(left.count, right.count)
    var prefix = 0
    while prefix < shorter, left[prefix] == right[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
    let differing = (left[prefix..<left.count - suffix], right[prefix..<right.count - suffix])
    self.left = Array(differing.0.prefix(Self.longest))
    self.right = Array(differing.1.prefix(Self.longest))
    surplus = abs(max(0, differing.0.count - Self.longest) - max(0, differing.1.count - Self.longest))
    length = max(left.count, right.count)
    segments = (
      1 + max(Self.slashes(differing.0), Self.slashes(differing.1)),
      max(1, Self.slashes(left[...]), Self.slashes(right[...]))
    )
  }

  /// Like `share`, for two paths. One entirely different segment counts as no more than one segment.
  var pathShare: Int { min(share, segmentShare) }

  private var isNone: Bool { left.isEmpty && right.isEmpty }

  private var segmentShare: Int { isNone ? 0 : min(100, max(1, segments.differing * 100 / segments.all)) }

  private static func slashes(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "/") } }
}
