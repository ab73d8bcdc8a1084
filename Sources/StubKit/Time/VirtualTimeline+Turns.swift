extension VirtualTimeline {
  /// Who moves time: one mover at a time, and none that only follows while one that knows where to go wants to.
  ///
  /// A body that runs on the clock, or a closure that answers its request, may call `advance(by:)`. Whoever drives the body must
  /// not pass over that, to the timeout of the request that the closure is answering.
  struct Turn {
    fileprivate var isTaken = false
    /// Those who want to move time, and those who do: counted from the call until its caller goes on.
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
    /// `run(isolation:_:)`: gives way to the others.
    case driver
    /// `advanceToEnd()`: gives way to those that have a moment to go to.
    case toEnd
    case toMoment
  }

  /// Does what moves time in a Swift task of its own, which is not counted itself. It is cancelled with the caller.
  func asMover(_ mover: Mover, _ move: @escaping @Sendable () async -> Void) async {
    update { $0.turn.count(mover, 1) }
    let moving = Task.detached(priority: Task.currentPriority) { await move() }
    await withTaskCancellationHandler {
      await moving.value
    } onCancel: {
      moving.cancel()
    }
    // Not in the task: the caller runs again by now, and is known not to be at rest.
    update { $0.turn.count(mover, -1) }
  }

  /// False if the Swift task is cancelled before.
  func takeTurn(as mover: Mover) async -> Bool {
    await wait { state in
      guard !state.turn.isTaken, state.turn.isOpen(to: mover) else { return false }
      state.turn.isTaken = true
      return true
    }
  }

  func giveUpTurn() { update { $0.turn.isTaken = false } }

  /// Only one moves to the end at a time, although it gives up its turn on the way. False if the Swift task is cancelled before.
  func takeWayToEnd() async -> Bool {
    await wait { state in
      guard !state.turn.isMovingToEnd else { return false }
      state.turn.isMovingToEnd = true
      return true
    }
  }

  func giveUpWayToEnd() { update { $0.turn.isMovingToEnd = false } }
}
