extension Exchange {
  static let failures: [Exchange] = [
    Exchange("connection refused", []).with { $0.isRefused = true },
    Exchange("dropped before the head", Answer(ending: .droppedBeforeHead)),
    Exchange("dropped before the body", .text("Hello").with { $0.ending = .droppedAfter(0) }),
    Exchange("dropped in the body", .text("Hello, ", "world").with { $0.ending = .droppedAfter(7) }),
    Exchange(
      "dropped in a chunked body",
      .text("Hello, ", "world").with {
        $0.framing = .chunked; $0.ending = .droppedAfter(7)
      }),
    Exchange("reset in the body", .text("Hello, ", "world").with { $0.ending = .resetAfter(7) }),
  ]

  /// A body that is not as long as the head says.
  static let wrongLengths: [Exchange] = [
    Exchange("shorter than its length", .text("Hello, ", "world").with { $0.declaredLength = 99 }),
    Exchange("nothing of its length", Answer().with { $0.declaredLength = 5 }),
    Exchange("longer than its length", .text("Hello, world").with { $0.declaredLength = 5 }),
    Exchange("longer than nothing", .text("Hello").with { $0.declaredLength = 0 }),
  ]

  /// Where a length tells of a body that nobody gets.
  static let lengthWithoutBody = [
    Exchange("a length for HEAD", .text("Hello").with { $0.declaredLength = 99 }),
    Exchange("a length for HEAD, shorter than the body", .text("Hello").with { $0.declaredLength = 3 }),
  ]

  /// Each takes a second natively, which counts whole seconds only.
  static let timeouts: [Exchange] = [
    Exchange("no answer within the request's timeout", Answer(ending: .silentFromStart)).with {
      $0.requestTimeout = 1
    },
    Exchange("no answer within the session's timeout", Answer(ending: .silentFromStart)).with {
      $0.sessionTimeout = 1
    },
    Exchange("silent in the body", .text("Hello, ", "world").with { $0.ending = .silentAfter(7) }).with {
      $0.requestTimeout = 1
    },
    Exchange(
      "slow but never silent for long",
      .text("one", "two", "three", "four").with { $0.interval = 0.8 }
    ).with { $0.requestTimeout = 2 },
  ]

  /// For cells in which the client interferes.
  static let silent = Exchange("no answer", Answer(ending: .silentFromStart))
  static let halfBody = Exchange("half a body", .text("Hello, ", "world").with { $0.ending = .silentAfter(7) })
  static let held = Exchange("held", .text("Hello").with { $0.isHeld = true })
}
