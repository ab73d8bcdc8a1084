extension [Stub] {
  /// The stubs, which are in the order of their registration here, in the order in which they answer.
  var inAnsweringOrder: [Stub] {
    guard contains(where: { $0.priority != 0 }) else { return reversed() }
    return indices.sorted { (self[$0].priority, $0) > (self[$1].priority, $1) }.map { self[$0] }
  }
}
