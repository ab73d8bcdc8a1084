extension VerificationError {
  /// Returns `nil` if the expected number of requests met the condition.
  ///
  /// - Parameters:
  ///   - verification: The verification, as the description begins with it.
  ///   - location: The location of the verification.
  package init?(
    ofCallsTo condition: RequestMatcher, _ count: CallCount, in registry: StubRegistry, by verification: String,
    at location: StubLocation
  ) {
    if let mistake = condition.mistake ?? count.mistake {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    let (entries, droppedCount) = registry.journal.history
    let requests = entries.map { ObservedRequest($0, of: condition) }
    let met = requests.count { $0.isMet }
    // Dropped requests could only increase the number.
    let isCertain = droppedCount == 0 || met > count.most ?? .max || (count.most == nil && met >= count.least)
    let isRight = count.contains(met)
    guard !isCertain || !isRight else { return nil }
    let dropped = isCertain ? [] : Self.dropped(droppedCount, limit: registry.journal.limit)
    self.init(
      "\(verification): expected \(count), got \(met)\(isCertain ? "" : " among the requests in the journal")",
      at: location,
      details: dropped + (isRight ? [] : Self.arrivals(requests, wantsMore: met < count.least)))
  }

  /// Returns `nil` if the stub was chosen for the expected number of requests.
  ///
  /// - Parameters:
  ///   - verification: The verification, as the description begins with it.
  ///   - location: The location of the verification.
  package init?(ofCallsTo stub: Stub, _ count: CallCount, by verification: String, at location: StubLocation) {
    if let mistake = count.mistake ?? (stub.isMistaken ? stub.mistake : nil) {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    let calls = stub.callCount
    guard !count.contains(calls) else { return nil }
    let (entries, droppedCount) = stub.journal?.history ?? ([], 0)
    let requests = entries.map { ObservedRequest($0, of: stub.condition) }
    self.init(
      "\(verification): expected \(count), got \(calls)", at: location,
      details: Self.noLongerThere(droppedCount)
        + Self.arrivals(requests, wantsMore: calls < count.least, answeredBy: stub.id))
  }
}
