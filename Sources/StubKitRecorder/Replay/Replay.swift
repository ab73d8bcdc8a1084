import Foundation
import StubKit
import StubKitArchive

/// Answers requests from an archive. Each request receives the response that was recorded for it.
///
/// ```swift
/// replay(try HTTPArchive(contentsOf: folder.appendingPathComponent("checkout.har")))
/// ```
///
/// Each entry becomes a stub with an ordinary condition, which you can print and explain. The name of the stub consists
/// of the file name and the number of the entry, such as `checkout.har, entry 3`. Reports of near misses and unused
/// stubs therefore name entries.
///
/// If the archive contains a request several times, its responses arrive in the recorded order, and then the last one
/// repeats. A redirect is an entry of its own, and the client follows it to the next entry. Errors are replayed as
/// errors, and a body that broke off breaks off again. If the archive doesn't contain the response of an entry, the
/// request fails with a ``ReplayError``.
///
/// - Parameters:
///   - archive: The archive.
///   - matching: What a request must have in common with a recorded one. Defaults to the method and the URL, and to
///     the body if the archive contains several bodies for one method and URL.
///   - timing: How long responses take. Defaults to ``ReplayTiming/atOnce``.
///   - afterLast: What happens to a request after all of its entries have answered. By default, the last one repeats.
///   - registry: The registry for the stubs. Defaults to ``/StubKit/StubRegistry/current``.
///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: A stub for each entry, in the archive's order.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, timing: ReplayTiming = .atOnce,
  afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> [Stub] {
  replay(
    archive, matching: matching, timing: timing, afterLast: afterLast, in: registry,
    at: StubLocation(fileID, filePath, line, column))
}

/// Answers requests from an archive, on behalf of a function of your own.
///
/// See `replay(_:matching:timing:afterLast:in:)` for the parameters.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, timing: ReplayTiming = .atOnce,
  afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current, at location: StubLocation
) -> [Stub] {
  let plan = ReplayPlan(archive.entries, matching: matching, afterLast: afterLast)
  let numbers = plan.sequences.reduce(into: [Int: [Int]]()) { numbers, sequence in
    let list = sequence.map { $0 + 1 }
    for position in sequence { numbers[position] = list }
  }
  var stubs = [Stub?](repeating: nil, count: archive.entries.count)
  // The newest matching stub answers, so the entry that is asked first has to be the newest.
  for position in plan.order.reversed() {
    let turn = plan.turns[position]
    let name = HTTPArchive.name(ofEntry: position + 1, in: archive.fileName)
    let stub = registry.add(
      turn.condition(plan.conditions[position]), .value(turn.response(archive.answer(ofEntryAt: position, timing))),
      StubTerms(name, turn.times, 0, location))
    let list = numbers[position] ?? [position + 1]
    registry.note(
      RecordedEntry(
        archive: archive.fileName ?? "the archive", request: archive.entries[position].request.recordedLine,
        numbers: list, isFirst: list[0] == position + 1), playedBy: stub)
    stubs[position] = stub
  }
  return stubs.compactMap(\.self)
}

extension URLRequest {
  /// The method, and what follows the host in the URL: `GET /users?page=2`.
  fileprivate var recordedLine: String {
    let text = url?.absoluteString ?? ""
    guard let host = text.firstRange(of: "://")?.upperBound else { return "\(httpMethod ?? "GET") \(text)" }
    let rest = text[host...].drop { !"/?#".contains($0) }
    return "\(httpMethod ?? "GET") \(rest.isEmpty ? "/" : rest)"
  }
}
