/// What a stub is registered with, besides its condition and its response.
struct StubTerms: Sendable {
  let name: String?
  /// The number of requests that it answers, or `nil` for any number.
  let times: Int?
  let priority: Int16
  let location: StubLocation

  init(_ name: String?, _ times: Int?, _ priority: Int, _ location: StubLocation) {
    require(
      times.map { $0 > 0 } ?? true,
      "times: must be at least 1, and \(location) says \(times ?? 0). Leave it out for a stub that answers without limit."
    )
    require(
      Int16(exactly: priority) != nil,
      "priority: must be from \(Int16.min) to \(Int16.max), and \(location) says \(priority). Small numbers do: 1 comes "
        + "before the stubs without a priority, -1 after them."
    )
    self.name = name
    self.times = times
    self.priority = Int16(clamping: priority)
    self.location = location
  }
}
