import TestSupport
import Testing

@testable import StubKit

@Suite("A heap of deadlines", .inTurn)
struct DeadlineHeapTests {
  struct Case: CustomTestStringConvertible {
    let deadlines: [Int]
    let calledOff: [Int]
    /// Positions in `deadlines`.
    let order: [Int]
    var testDescription: String { "\(deadlines) without \(calledOff)" }
  }

  @Test(
    "gives what is earliest, and of the same deadline what came first",
    arguments: [
      Case(deadlines: [], calledOff: [], order: []),
      Case(deadlines: [7], calledOff: [], order: [0]),
      Case(deadlines: [7], calledOff: [0], order: []),
      Case(deadlines: [3, 1, 2], calledOff: [], order: [1, 2, 0]),
      Case(deadlines: [1, 1, 1], calledOff: [], order: [0, 1, 2]),
      Case(deadlines: [2, 1, 2, 1], calledOff: [], order: [1, 3, 0, 2]),
      Case(deadlines: [2, 1, 2, 1], calledOff: [1], order: [3, 0, 2]),
      Case(deadlines: [5, 4, 3, 2, 1], calledOff: [4, 2, 0], order: [3, 1]),
      Case(deadlines: [1, 2, 3], calledOff: [2, 1, 0], order: []),
    ])
  func order(_ example: Case) {
    var heap = DeadlineHeap<Int, Int>()
    let tickets = example.deadlines.enumerated().map { heap.insert($0.offset, at: $0.element) }
    for index in example.calledOff { #expect(heap.remove(tickets[index]) == index) }
    for index in example.calledOff { #expect(heap.remove(tickets[index]) == nil) }
    #expect(heap.count == example.order.count && heap.isEmpty == example.order.isEmpty)
    #expect(heap.firstDeadline == example.order.first.map { example.deadlines[$0] })
    var taken: [Int] = []
    while let first = heap.first {
      #expect(heap.removeFirst() == first)
      taken.append(first)
    }
    #expect(taken == example.order)
    #expect(heap.removeFirst() == nil && heap.firstDeadline == nil && heap.removeEarliest().isEmpty)
  }

  @Test(
    "agrees with a sorted list in whatever is done to it",
    arguments: 0..<TestSize.of(50, inPart: 8) as Range<UInt64>)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var heap = DeadlineHeap<Int, Int>()
    var model: [(deadline: Int, ticket: UInt64, value: Int)] = []
    for value in 0..<2_000 {
      switch random.below(10) {
      case 0..<5:
        let deadline = random.below(200)
        model.append((deadline, heap.insert(value, at: deadline), value))
      case 5..<8:
        guard !model.isEmpty else { continue }
        let entry = model.remove(at: random.below(model.count))
        #expect(heap.remove(entry.ticket) == entry.value)
      case 8:
        let first = model.min { ($0.deadline, $0.ticket) < ($1.deadline, $1.ticket) }
        model.removeAll { $0.ticket == first?.ticket }
        #expect(heap.removeFirst() == first?.value)
      default:
        let deadline = model.map(\.deadline).min()
        let earliest = model.filter { $0.deadline == deadline }
        model.removeAll { $0.deadline == deadline }
        #expect(heap.removeEarliest() == earliest.map(\.value))
      }
      #expect(heap.count == model.count)
      #expect(heap.firstDeadline == model.map(\.deadline).min())
      #expect(Set(heap.waiting) == Set(model.map(\.value)))
    }
  }

  @Test("lets go at once of what is called off")
  func release() {
    final class Held {}
    var heap = DeadlineHeap<Int, Held>()
    weak var held: Held?
    let ticket: UInt64
    do {
      let thing = Held()
      held = thing
      ticket = heap.insert(thing, at: 2)
      heap.insert(Held(), at: 1)
    }
    #expect(held != nil)
    _ = heap.remove(ticket)
    #expect(held == nil && heap.count == 1)
  }

  @Test("keeps what is put in later under a ticket made before in the order of the tickets")
  func ticketBefore() {
    var heap = DeadlineHeap<Int, String>()
    let early = heap.makeTicket()
    heap.insert("second", at: 1)
    heap.insert("first", at: 1, early)
    #expect(heap.removeEarliest() == ["first", "second"])
  }
}
