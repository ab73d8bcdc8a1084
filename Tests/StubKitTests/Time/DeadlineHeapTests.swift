import TestSupport
import Testing

@testable import StubKit

@Suite("A heap of deadlines", .inTurn)
struct DeadlineHeapTests {
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
