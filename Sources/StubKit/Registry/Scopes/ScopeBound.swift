/// What serves a request, and ends with its scope.
protocol ScopeBound: AnyObject, Sendable {
  /// Ends, on any thread.
  func scopeEnds(with error: any Error)
}
