/// The points of a criterion that is not met, in hundredths.
package enum Points {
  static let mistake = 1
  static let usedUp = 1_00
  package static let unknown = 4_00
  package static let method = 10_00
  package static let state = 8_00
  package static let closure = 10_00
  static let negation = 10_00
  package static let path = 5_00...40_00
  package static let host = 15_00...60_00
  package static let url = 5_00...60_00
  package static let origin = 15_00
  package static let item = 4_00...10_00
  static let missingItem = 12_00
  package static let items = 24_00
  package static let body = 5_00...25_00
  package static let otherBody = 28_00
  static let impossible = 60_00

  /// - Parameter share: 0 to 100.
  static func scaled(_ range: ClosedRange<Int>, _ share: Int) -> Int {
    range.lowerBound + (range.upperBound - range.lowerBound) * share / 100
  }
}

extension Array {
  /// Returns the nearest elements, closest first. Equally near ones keep their order.
  package func nearest(_ count: Int, _ distance: (Element) -> Int) -> [Element] {
    // Sorting is stable.
    map { (distance: distance($0), element: $0) }.sorted { $0.distance < $1.distance }.prefix(count).map(\.element)
  }
}
