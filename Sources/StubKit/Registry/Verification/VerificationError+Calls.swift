extension VerificationError {
  /// Nil where the number of requests that met the condition is right.
  ///
  /// - Parameters:
  ///   - verification: What was called, as it begins the description.
  ///   - location: Where.
  package init?(
    ofCallsTo condition: RequestMatcher, _ count: CallCount, in registry: StubRegistry, by verification: String,
    at location: StubLocation
  ) {
    let (entries, droppedCount) = registry.journal.history
    var sightings = entries.map { Sighting($0, of: condition) }
    let met = sightings.count { $0.isMet }
    // Those that were dropped could only make it more.
    let isCertain = droppedCount == 0 || met > count.most ?? .max || (count.most == nil && met >= count.least)
    let isRight = count.contains(met)
    guard !isCertain || !isRight else { return nil }
    let dropped = isCertain ? [] : Self.dropped(droppedCount, limit: registry.journal.limit)
    self.init(
      "\(verification): expected \(count), got \(met)\(isCertain ? "" : " among the requests in the journal")",
      at: location,
      details: dropped + (isRight ? [] : Self.arrivals(&sightings, wantsMore: met < count.least)))
  }

  /// Nil where the number of requests that the stub was chosen for is right.
  ///
  /// - Parameters:
  ///   - verification: What was called, as it begins the description.
  ///   - location: Where.
  package init?(ofCallsTo stub: Stub, _ count: CallCount, by verification: String, at location: StubLocation) {
    let calls = stub.callCount
    guard !count.contains(calls) else { return nil }
    let (entries, droppedCount) = stub.journal?.history ?? ([], 0)
    var sightings = entries.map { Sighting($0, of: stub.condition) }
    self.init(
      "\(verification): expected \(count), got \(calls)", at: location,
      details: Self.noLongerThere(droppedCount)
        + Self.arrivals(&sightings, wantsMore: calls < count.least, answeredBy: stub.id))
  }
}
