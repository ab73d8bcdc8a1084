/// The result of claiming a use of a stub.
enum StubClaim {
  case call(Int)
  /// Another request took the last use.
  case usedUp
  /// A scenario has moved since the search looked at it, so the search could find another stub now.
  case stale
}

extension ScenarioReadings {
  /// Takes a use of a stub and makes the moves of its answer, if all scenarios are still in the states that the
  /// search has seen.
  ///
  /// - Parameter incoming: The request to answer.
  func claim(_ stub: Stub, for incoming: IncomingRequest) -> StubClaim {
    if isEmpty && !stub.movesScenarios { return stub.claim().map { .call($0) } ?? .usedUp }
    // This is outside the lock, because a request belongs to the user.
    let moves = stub.responder.moves(for: incoming.seen.request)
    return ScenarioTrack.claim(stub, moving: moves, seen: readings)
  }

  /// A Boolean value that indicates whether all scenarios are still in the states that the search has seen.
  var hold: Bool { isEmpty || ScenarioTrack.hold(readings) }
}

extension ScenarioTrack {
  fileprivate static func hold(_ readings: [ScenarioMove]) -> Bool {
    lock.withLock { _ in readings.allSatisfy { $0.track.current == $0.state } }
  }

  fileprivate static func claim(
    _ stub: Stub, moving moves: Responder.Moves, seen readings: [ScenarioMove]
  ) -> StubClaim {
    lock.withLock { _ in
      guard readings.allSatisfy({ $0.track.current == $0.state }) else { return .stale }
      guard let call = stub.claim() else { return .usedUp }
      for move in moves[call: call] { move.track.moveUnderLock(to: move.state) }
      return .call(call)
    }
  }
}
