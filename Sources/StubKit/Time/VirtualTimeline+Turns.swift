extension VirtualTimeline {
  /// The turn to move time. There is one mover at a time, and a mover without a destination gives way to one that has
  /// one.
  ///
  /// A body that runs on the clock can call `advance(by:)`, and so can a closure that answers its request. The driver
  /// of the body must not skip that and go to the timeout of the request that the closure is answering.
  struct Turn {
    fileprivate(set) var isTaken = false
    /// The movers that wait or move, counted from the call until its caller continues.
    fileprivate var (countToEnd, countToMoment) = (0, 0)
    fileprivate var isMovingToEnd = false

    func isOpen(to mover: Mover) -> Bool {
      switch mover {
      case .toMoment: true
      case .toEnd: countToMoment == 0
      case .driver: countToMoment == 0 && countToEnd == 0
      }
    }

    fileprivate mutating func count(_ mover: Mover, _ difference: Int) {
      switch mover {
      case .toMoment: countToMoment += difference
      case .toEnd: countToEnd += difference
      case .driver: break
      }
    }
  }

  enum Mover {
    /// `run(isolation:_:)`. It gives way to the others.
    case driver
    /// `advanceToEnd()`. It gives way to movers with a moment as their destination.
    case toEnd
    case toMoment
  }

  /// Moves time in a Swift task of its own, which isn't counted itself and is cancelled with the caller.
  func asMover(_ mover: Mover, _ move: @escaping @Sendable () async -> Void) async {
    update { $0.turn.count(mover, 1) }
    noteUser()
    let wait = beginWait()
    defer { wait?.end() }
    let moving = startMover(move)
    await withTaskCancellationHandler {
      await moving.value
    } onCancel: {
      moving.cancel()
    }
    // Not in the task, because the caller runs again by now, and is known not to be at rest.
    update { $0.turn.count(mover, -1) }
  }

  /// Returns `false` if the Swift task is cancelled first.
  func takeTurn(as mover: Mover) async -> Bool {
    await wait { state in
      guard !state.turn.isTaken, state.turn.isOpen(to: mover) else { return false }
      state.turn.isTaken = true
      return true
    }
  }

  func giveUpTurn() { update { $0.turn.isTaken = false } }

  /// Only one mover goes to the end at a time, although it gives up its turn on the way. Returns `false` if the Swift
  /// task is cancelled first.
  func takeWayToEnd() async -> Bool {
    await wait { state in
      guard !state.turn.isMovingToEnd else { return false }
      state.turn.isMovingToEnd = true
      return true
    }
  }

  func giveUpWayToEnd() { update { $0.turn.isMovingToEnd = false } }
}
