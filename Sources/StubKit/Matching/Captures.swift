/// What templates and named groups captured from one request. Empty, it allocates nothing.
struct Captures: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// The captured text; of two captures of one name, the later one's.
  subscript(name: String) -> String? {
    pairs.last { $0.name == name }?.value
  }

  var isEmpty: Bool { pairs.isEmpty }

  var dictionary: [String: String] {
    Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
  }

  mutating func add(_ name: String, _ value: String) {
    pairs.append((name, value))
  }

  /// Where a side that may yet fail begins.
  var mark: Int { pairs.count }

  /// Forgets what has been captured since the mark.
  mutating func reset(to mark: Int) {
    if pairs.count > mark { pairs.removeSubrange(mark...) }
  }
}
