/// Tasks that have nothing to do with a clock: each computes for a millisecond, and lets the others have their turns.
struct BusyTasks {
  private let tasks: [Task<Void, Never>]

  init(_ count: Int) {
    tasks = (0..<count).map { _ in
      Task.detached {
        while !Task.isCancelled {
          let start = Nanoseconds.now()
          var value = 1.0
          while Nanoseconds.since(start) < 1_000_000 { value = (value + 1).squareRoot() }
          precondition(value > 0)
          await Task.yield()
        }
      }
    }
  }

  func stop() async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
