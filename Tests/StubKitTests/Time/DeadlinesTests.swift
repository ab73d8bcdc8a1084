import TestSupport
import Testing

@testable import StubKit

@Suite("The values that wait for deadlines", .inTurn)
struct DeadlinesTests {
  @Test(
    "agree with a plain list in whatever is done to them",
    arguments: 0..<TestSize.of(50, inPart: 8) as Range<UInt64>)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var deadlines = Deadlines<Int>()
    // In the order of insertion, which is that of equal deadlines.
    var model: [(ticket: Deadlines<Int>.Ticket, value: Int)] = []
    for value in 0..<2_000 {
      switch random.below(10) {
      case 0..<5:
        model.append((deadlines.insert(value, at: .seconds(random.below(200))), value))
      case 5..<8:
        guard !model.isEmpty else { continue }
        let entry = model.remove(at: random.below(model.count))
        #expect(deadlines.remove(entry.ticket) == entry.value)
        #expect(deadlines.remove(entry.ticket) == nil)
      default:
        let moment = Duration.seconds(random.below(20))
        let due = model.enumerated().filter { $0.element.ticket.deadline <= moment }.sorted {
          ($0.element.ticket.deadline, $0.offset) < ($1.element.ticket.deadline, $1.offset)
        }
        model.removeAll { $0.ticket.deadline <= moment }
        #expect(deadlines.removeAll(dueAt: moment) == due.map(\.element.value))
      }
      #expect(deadlines.count == model.count)
      #expect(deadlines.first?.ticket.deadline == model.map(\.ticket.deadline).min())
      #expect(Set(deadlines.values) == Set(model.map(\.value)))
    }
  }

  @Test("keep what is inserted later with a ticket made before in the order of the tickets")
  func ticketBefore() {
    var deadlines = Deadlines<String>()
    let early = deadlines.makeTicket(for: .seconds(1))
    deadlines.insert("second", at: .seconds(1))
    deadlines.insert("first", early)
    #expect(deadlines.removeAll(dueAt: .seconds(1)) == ["first", "second"])
  }
}
