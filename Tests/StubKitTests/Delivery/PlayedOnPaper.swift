import Foundation

@testable import StubKit

/// What a plan comes to when its gate and its stream do what the test says: a line for each event, with its milliseconds.
///
/// - Parameters:
///   - gateOpens: How long the gate holds, in milliseconds.
///   - chunks: The chunks of the stream, and when they come, in milliseconds.
///   - streamEnds: When the stream ends; nil for a stream that does not.
func played(
  _ plan: DeliveryPlan, gateOpens: Int = 0, chunks: [(count: Int, at: Int)] = [], streamEnds: Int? = nil
) -> [String] {
  var events = plan.makeIterator()
  var chunks = chunks[...]
  var lines: [String] = []
  while let event = events.next() {
    let time = Int(event.time / .milliseconds(1))
    switch event.step {
    case .sent(let range): lines.append("\(time) sent \(range)")
    case .piece(let range): lines.append("\(time) \(range)")
    case .head, .finish, .fail, .timeOut: lines.append("\(time) \(event.step)")
    case .gate:
      lines.append("\(time) gate")
      events.waited(.milliseconds(gateOpens))
    case .pull:
      lines.append("\(time) pull")
      if let (count, at) = chunks.popFirst() {
        events.received(count, at: max(event.time, .milliseconds(at)))
      } else if let streamEnds {
        events.streamEnded(at: max(event.time, .milliseconds(streamEnds)))
      }
    }
  }
  return lines
}
