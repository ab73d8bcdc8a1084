import Foundation

@testable import StubKit

/// What is done to a registry, as data.
enum Step {
  /// `sequence` is how many responses a sequence that ends has, `times` what is written.
  case insert(
    id: Int, condition: RequestMatcher, times: Int?, priority: Int, sequence: Int?, closures: Range<Int>)
  /// Two stubs that reach the registry in the opposite order to that in which they were made, as from two threads.
  case insertCrossed(id: Int, first: RequestMatcher, second: RequestMatcher)
  case remove(id: Int)
  case claim(id: Int)
  case removeAll
}

extension Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .insert(let id, let condition, let times, let priority, let sequence, _):
      "\(id): stub(condition: \(condition)" + (times.map { ", times: \($0)" } ?? "")
        + (priority == 0 ? "" : ", priority: \(priority)")
        + (sequence.map { ", responses: \($0), afterLast: .stopMatching" } ?? "") + ")"
    case .insertCrossed(let id, let first, let second):
      "\(id + 1), \(id): stubs made in the opposite order, \(second), then \(first)"
    case .remove(let id): "remove \(id)"
    case .claim(let id): "claim \(id)"
    case .removeAll: "removeAll"
    }
  }
}

/// A registry, and what is to be in it.
struct StubHistory {
  struct Entry {
    let id: Int
    let stub: Stub
    let closures: Range<Int>
  }

  let registry: StubRegistry
  private(set) var steps: [Step] = []
  /// Oldest first.
  private(set) var entries: [Entry] = []
  /// What was wrong with the answers to the steps themselves.
  private(set) var faults: [String] = []
  private var uses: [Int: (claimed: Int, limit: Int)] = [:]

  init(_ limits: StubIndex.Limits) {
    registry = StubRegistry(isEnabled: true, indexLimits: limits)
  }

  mutating func apply(_ step: Step) {
    steps.append(step)
    switch step {
    case .insert(let id, let condition, let times, let priority, let sequence, let closures):
      let stub = make(condition, times: times, priority: priority, sequence: sequence)
      registry.insert(stub)
      entries.append(Entry(id: id, stub: stub, closures: closures))
      if let limit = [times, sequence].compactMap(\.self).min() { uses[id] = (0, limit) }
    case .insertCrossed(let id, let first, let second):
      let made = [make(first), make(second)]
      for stub in made.reversed() { registry.insert(stub) }
      for (offset, stub) in made.enumerated() { entries.append(Entry(id: id + offset, stub: stub, closures: 0..<0)) }
    case .remove(let id): remove(id)
    case .claim(let id): claim(id)
    case .removeAll:
      registry.removeAll()
      let removed = entries
      entries = []
      if let entry = removed.last, entry.stub.remove() {
        faults.append("\(entry.id) could be removed after removeAll()")
      }
    }
  }

  private func make(
    _ condition: RequestMatcher, times: Int? = nil, priority: Int = 0, sequence: Int? = nil
  ) -> Stub {
    let responder: Responder =
      sequence.map { .sequence(Array(repeating: .empty(), count: $0), .stopMatching) } ?? .value(.empty())
    return Stub(
      condition: condition, responder: responder, times: times, priority: priority,
      location: StubLocation(fileID: "Generated", filePath: "Generated", line: 1, column: 1), registry: registry)
  }

  private mutating func remove(_ id: Int) {
    guard let position = entries.firstIndex(where: { $0.id == id }) else { return }
    let stub = entries.remove(at: position).stub
    if !stub.remove() { faults.append("\(id) could not be removed") }
    if stub.remove() { faults.append("\(id) could be removed twice") }
    if stub.isActive { faults.append("\(id) is active though it was removed") }
  }

  private mutating func claim(_ id: Int) {
    guard let stub = entries.first(where: { $0.id == id })?.stub else { return }
    let number = stub.claim()
    guard let (claimed, limit) = uses[id] else { return }
    let expected = claimed < limit ? claimed + 1 : nil
    if number != expected {
      faults.append("claim \(claimed + 1) of \(limit) of \(id) gave \(String(describing: number))")
    }
    uses[id] = (expected ?? claimed, limit)
  }
}
