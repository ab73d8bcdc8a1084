/// The times of contenders that take turns. The blocks are so short that the machine is the same throughout each of
/// them.
struct Blocks {
  let names: [String]
  private var times: [[[Double]]] = []

  init(_ names: [String]) { self.names = names }

  /// - Parameter block: The times of each contender.
  mutating func add(_ block: [[Double]]) { times.append(block) }

  func samples(_ index: Int) -> [Double] { times.flatMap { $0[index] } }

  /// The ratio of one contender's median to another's, for each block.
  func ratios(_ name: String, over other: String) -> [Double] {
    guard let index = names.firstIndex(of: name), let base = names.firstIndex(of: other) else { return [] }
    return times.map { Statistics.median($0[index]) / Statistics.median($0[base]) }
  }

  func ratio(_ name: String, over other: String) -> Double { Statistics.median(ratios(name, over: other)) }
}
