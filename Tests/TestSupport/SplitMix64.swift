/// A small seeded generator (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014), so that a run
/// can be repeated from the seed it printed.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `count` - 1; its bias, of 2⁻⁵⁰ at most, is of no account here.
  package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  package mutating func chance(percent: Int) -> Bool { below(100) < percent }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
