/// A property of requests in which stubs can differ by an equality. The index hashes it.
package enum Dimension: UInt8, CaseIterable, Sendable {
  // Dimensions with one value per request.
  case method, scheme, host, port, absoluteURL, path, pathExtension
  // Dimensions that are looked up at the lengths and shapes that stubs use.
  case hostSuffix, pathPrefix, pathSuffix, template
  // Dimensions that are looked up from the request's own items.
  case queryItem, queryName, headerItem, headerName, cookieItem, cookieName
  // The values of the request's body.
  case jsonField, formItem, graphQLOperation, bodyBytes

  /// A Boolean value that indicates whether a request has at most one value here, known from its head.
  var isSingle: Bool { rawValue <= Dimension.pathExtension.rawValue }

  var isOfBody: Bool { rawValue >= Dimension.jsonField.rawValue }
}

/// A set of dimensions: a tuple in the sense of tuple space search.
struct DimensionSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ dimension: Dimension) { rawValue = 1 << UInt32(dimension.rawValue) }

  func contains(_ dimension: Dimension) -> Bool { contains(DimensionSet(dimension)) }
}

/// A value that a request must have in one dimension for a condition to match.
package struct Equality: Sendable {
  let dimension: Dimension
  let hash: UInt64
  /// The place of the value in the request, for dimensions in which it depends on the stub.
  var place = Place.wholeValue

  package enum Place: Hashable, Sendable {
    case wholeValue
    /// A number of bytes at its beginning or end, with the byte at their inner edge.
    case affix(length: Int, edge: UInt8)
    /// A path with a number of segments, some of which are literal.
    case shape(PathShape)
  }
}

/// Values in the single dimensions, at most one in each.
struct SingleHashes {
  private(set) var dimensions: DimensionSet = []
  // There are seven of them: `Dimension` says which come first.
  private var hashes = SIMD8<UInt64>()

  subscript(dimension: Dimension) -> UInt64 { hashes[Int(dimension.rawValue)] }

  /// If two values for one dimension contradict each other, the first one counts. The verification detects the
  /// contradiction.
  mutating func add(_ equality: Equality) {
    guard !dimensions.contains(equality.dimension) else { return }
    dimensions.formUnion(DimensionSet(equality.dimension))
    hashes[Int(equality.dimension.rawValue)] = equality.hash
  }
}

/// The shape of a path template: the number of its segments, and which of them are literal. Segments beyond the
/// sixty-fourth count as placeholders.
package struct PathShape: Hashable, Sendable {
  let segmentCount: Int
  /// A Boolean value that indicates whether a path can have more segments.
  let isOpen: Bool
  let literals: UInt64

  /// Returns whether a path with a number of segments can have the shape.
  @inline(__always)
  func fits(_ count: Int) -> Bool { count == segmentCount || isOpen && count > segmentCount }
}
