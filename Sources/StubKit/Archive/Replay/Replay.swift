import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests from an archive: each gets what the same request got when the archive was made.
///
/// ```swift
/// replay(try HTTPArchive(contentsOf: folder.appendingPathComponent("checkout.har")))
/// ```
///
/// Every entry becomes a stub of its own, with a condition that prints, is looked up and explained as every other one is. Its name is
/// that of its file and its number, `checkout.har, entry 3`, so reports on near misses and on unused stubs name entries.
///
/// A request that is in the archive several times gets the responses in the recorded order, and then the last one again. A redirect is an
/// entry of its own: the client follows it to the next. Errors are replayed as errors, and a body that broke off breaks off
/// again. An entry whose response is not in the archive fails its request with a ``ReplayError``.
///
/// - Parameters:
///   - archive: The archive.
///   - matching: What a request must have in common with a recorded one. Defaults to the method, the URL, and the body where the
///     archive has several bodies for one method and URL.
///   - timing: How long responses take. Defaults to ``ReplayTiming/atOnce``.
///   - afterLast: What happens to a request that comes when all its entries have answered. By default, the last one answers again.
///   - registry: Where the stubs are registered. Defaults to ``StubRegistry/current``.
///   - fileID: Where the stubs are made, for reports; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
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

/// Answers requests from an archive, for a function of your own around `replay`.
///
/// See `replay(_:matching:timing:afterLast:in:)` for the parameters.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, timing: ReplayTiming = .atOnce,
  afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current, at location: StubLocation
) -> [Stub] {
  let plan = ReplayPlan(archive.entries, matching: matching)
  var terms = [ReplayTurn?](repeating: nil, count: archive.entries.count)
  for sequence in plan.sequences {
    for (position, turn) in zip(sequence, ReplayTurn.turns(of: sequence.count, afterLast)) { terms[position] = turn }
  }
  var stubs: [Stub] = []
  // Of stubs that match, the newest answers: the first entry has to be that.
  for position in archive.entries.indices.reversed() {
    let turn = terms[position] ?? ReplayTurn()
    let name = HTTPArchive.name(ofEntry: position + 1, in: archive.fileName)
    stubs.append(
      registry.add(
        turn.condition(plan.conditions[position]), .value(turn.response(archive.answer(ofEntryAt: position, timing))),
        StubTerms(name, turn.times, 0, location)))
  }
  return stubs.reversed()
}
