/// The terms of a stub's registration, besides its condition and its response.
struct StubTerms: Sendable {
  let name: String?
  /// The number of requests that it answers, or `nil` for any number.
  let times: Int?
  let priority: Int16
  let location: StubLocation

  init(_ name: String?, _ times: Int?, _ priority: Int, _ location: StubLocation) {
    require(
      times.map { $0 > 0 } ?? true,
      "times: must be at least 1, but it is \(times ?? 0) at \(location). Leave it out for a stub without a limit."
    )
    require(
      Int16(exactly: priority) != nil,
      "priority: must be from \(Int16.min) to \(Int16.max), but it is \(priority) at \(location). Small numbers suffice: 1 "
        + "comes before the stubs without a priority, and -1 after them."
    )
    self.name = name
    self.times = times
    self.priority = Int16(clamping: priority)
    self.location = location
  }
}
