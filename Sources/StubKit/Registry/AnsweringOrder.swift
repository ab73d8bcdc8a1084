extension [Stub] {
  /// The stubs in the order in which they answer. The array itself has them in the order of their registration.
  var inAnsweringOrder: [Stub] {
    guard contains(where: { $0.priority != 0 }) else { return reversed() }
    return indices.sorted { (self[$0].priority, $0) > (self[$1].priority, $1) }.map { self[$0] }
  }
}
