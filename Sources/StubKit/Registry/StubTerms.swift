/// The terms of a stub's registration, besides its condition and its response.
package struct StubTerms: Sendable {
  let name: String?
  /// The number of requests that it answers, or `nil` for any number.
  let times: Int?
  let priority: Int32
  let location: StubLocation

  package init(_ name: String?, _ times: Int?, _ priority: Int, _ location: StubLocation) {
    self.name = name
    self.times = times
    self.priority = Int32(clamping: priority)
    self.location = location
  }
}
