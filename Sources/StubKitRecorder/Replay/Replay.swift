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
///   - ignoring: The parts that aren't compared, because they differ in each run. Defaults to none.
///   - timing: How long responses take. Defaults to ``ReplayTiming/atOnce``.
///   - afterLast: What happens to a request after all of its entries have answered. By default, the last one repeats.
///   - registry: The registry for the stubs. Defaults to `StubRegistry.current`.
///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: A stub for each entry, in the archive's order.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, ignoring: IgnoredPart...,
  timing: ReplayTiming = .atOnce, afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> [Stub] {
  replay(
    archive, matching: matching, ignoring: ignoring, timing: timing, afterLast: afterLast, in: registry,
    at: StubLocation(fileID, filePath, line, column))
}

/// Answers requests from an archive, on behalf of a function of your own.
///
/// ```swift
/// func replayCheckout(at location: StubLocation) throws -> [Stub] {
///   let file = folder.appendingPathComponent("checkout.har")
///   return replay(try HTTPArchive(contentsOf: file), at: location)
/// }
/// ```
///
/// See `replay(_:matching:ignoring:timing:afterLast:in:)` for the parameters.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, ignoring: [IgnoredPart] = [],
  timing: ReplayTiming = .atOnce, afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current,
  at location: StubLocation
) -> [Stub] {
  archive.replay(
    ReplayComparison(matching, ignoring: ignoring), timing, afterLast, in: registry, at: location, call: "replay")
}

extension HTTPArchive {
  /// - Parameter call: The call that takes what to compare and to ignore, such as `.recorded`, for the advice of a
  ///   report, or `nil` for none.
  @discardableResult
  package func replay(
    _ comparison: ReplayComparison, _ timing: ReplayTiming, _ afterLast: SequenceEnd = .repeatLast,
    in registry: StubRegistry, at location: StubLocation, call: String?
  ) -> [Stub] {
    let plan = ReplayPlan(entries, comparison, afterLast: afterLast)
    return replay(plan, comparison, timing, in: registry, at: location, call: call)
  }

  /// - Parameter other: What a request must meet besides the condition of an entry, or `nil` for nothing.
  func replay(
    _ plan: ReplayPlan, _ comparison: ReplayComparison, _ timing: ReplayTiming,
    where other: RequestMatcher? = nil, in registry: StubRegistry, at location: StubLocation, call: String?
  ) -> [Stub] {
    var stubs = [Stub?](repeating: nil, count: entries.count)
    // The newest matching stub answers, so the entry that is asked first has to be the newest.
    for position in plan.order.reversed() {
      let step = plan.steps[position]
      var condition = step.condition
      if let other {
        let both = condition && other
        // No request can be both this one and one of the recording's. That is no mistake, as it would be in a test.
        condition = both.mistake == nil ? both : .nothing
      }
      // One stub reports the mistake.
      if let mistake = comparison.mistake {
        condition = position == 0 ? RequestMatcher(mistake: mistake, in: "replay") : .nothing
      }
      var response = answer(ofEntryAt: position, timing)
      if let next = step.next { response = response.moving(next.scenario, to: next.turn) }
      let stub = registry.add(
        condition, .value(response), name: Self.name(ofEntry: position + 1, in: fileName), times: step.times,
        turns: step.turns, at: location)
      let (file, request) = (fileName ?? "the archive", entries[position].request)
      registry.annotate(stub, isListed: step.sequence[0] == position) {
        Self.line(of: request, file, step.sequence)
      } request: {
        request.line.middle(200).onOneLine
      } advice: { mismatches in
        call.map { comparison.advice(for: mismatches, in: $0) } ?? []
      }
      stubs[position] = stub
    }
    return stubs.compactMap(\.self)
  }

  /// Returns a request and its entries on one line: `GET /users?page=2, users.har, entry 3`.
  private static func line(of request: URLRequest, _ file: String, _ positions: [Int]) -> String {
    var names = positions.prefix(3).map { "\($0 + 1)" }
    let last = positions.count > 3 ? "\(positions.count - 3) more" : names.removeLast()
    let list = names.isEmpty ? "entry \(last)" : "entries \(names.listed) and \(last)"
    return "\(request.recordedLine.middle(50).onOneLine), \(file.middle(30)), \(list)"
  }
}

extension URLRequest {
  /// The method and the URL.
  package var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }

  /// The method, and what follows the host in the URL: `GET /users?page=2`.
  fileprivate var recordedLine: String {
    let text = url?.absoluteString ?? ""
    let rest = text.scheme.map { $0.rest.drop { !"/?#".contains($0) } }
    return "\(httpMethod ?? "GET") \(rest.map { $0.isEmpty ? "/" : $0 } ?? text[...])"
  }
}
