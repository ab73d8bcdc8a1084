/// The captures of templates and named groups for one request. An empty value allocates nothing.
package struct Captures: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// The captured text. If a name captured twice, this is the later text.
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

  /// The position where a side that can still fail begins.
  var mark: Int { pairs.count }

  /// Removes the captures since the mark.
  mutating func reset(to mark: Int) {
    if pairs.count > mark { pairs.removeSubrange(mark...) }
  }
}
