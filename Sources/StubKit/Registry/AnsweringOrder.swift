extension [Stub] {
  /// The stubs in the order in which they answer.
  var inAnsweringOrder: [Stub] { sorted { $0.ordinal > $1.ordinal } }
}
