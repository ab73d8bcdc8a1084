/// A property of requests in which stubs can differ by an equality, and which the index therefore hashes.
enum Dimension: UInt8, CaseIterable, Sendable {
  // One value for each request.
  case method, scheme, host, port, absoluteURL, path, pathExtension
  // Looked up at the lengths and shapes that stubs use.
  case hostSuffix, pathPrefix, pathSuffix, template
  // Looked up from the request's own items.
  case queryItem, queryName, headerItem, headerName, cookieItem, cookieName
  // The same, from the request's body.
  case jsonField, formItem, graphQLOperation, bodyBytes

  /// Whether a request has one value here at the most, known from its head.
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
struct Equality: Sendable {
  let dimension: Dimension
  let hash: UInt64
  /// Where in the request the value is to be taken from, for dimensions in which that depends on the stub.
  var place = Place.wholeValue

  enum Place: Hashable, Sendable {
    case wholeValue
    /// That many bytes of it, at its beginning or end; the one at their inner edge is this.
    case affix(length: Int, edge: UInt8)
    /// A path of that many segments, and which of them are literal.
    case shape(PathShape)
  }
}

/// Values in the single dimensions, one in each at the most.
struct SingleHashes {
  private(set) var dimensions: DimensionSet = []
  // There are seven of them: `Dimension` says which come first.
  private var hashes = SIMD8<UInt64>()

  subscript(dimension: Dimension) -> UInt64 { hashes[Int(dimension.rawValue)] }

  /// Of two values for one dimension, which contradict each other, the first counts: verification finds that out.
  mutating func add(_ equality: Equality) {
    guard !dimensions.contains(equality.dimension) else { return }
    dimensions.formUnion(DimensionSet(equality.dimension))
    hashes[Int(equality.dimension.rawValue)] = equality.hash
  }
}

/// How a path template looks: how many segments it has, and which of them are literal. Segments beyond the sixty-fourth
/// count as places.
struct PathShape: Hashable, Sendable {
  let segmentCount: Int
  /// Whether a path may have more segments.
  let isOpen: Bool
  let literals: UInt64

  /// Whether a path of that many segments may have the shape.
  @inline(__always)
  func fits(_ count: Int) -> Bool { count == segmentCount || isOpen && count > segmentCount }
}
