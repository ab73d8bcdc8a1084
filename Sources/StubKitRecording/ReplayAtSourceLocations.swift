import StubKitRecorder
import StubKitTesting
import Testing

/// Answers requests from an archive, on behalf of a function of your own.
///
/// ```swift
/// func replayCheckout(
///   sourceLocation: SourceLocation = #_sourceLocation
/// ) throws -> [Stub] {
///   let file = folder.appendingPathComponent("checkout.har")
///   return replay(
///     try HTTPArchive(contentsOf: file), sourceLocation: sourceLocation)
/// }
/// ```
///
/// See `replay(_:matching:ignoring:timing:afterLast:in:)` for the other parameters.
@discardableResult
public func replay(
  _ archive: HTTPArchive, matching: ReplayMatching = .default, ignoring: [IgnoredPart] = [],
  timing: ReplayTiming = .atOnce, afterLast: SequenceEnd = .repeatLast, in registry: StubRegistry = .current,
  sourceLocation: SourceLocation
) -> [Stub] {
  StubKitRecorder.replay(
    archive, matching: matching, ignoring: ignoring, timing: timing, afterLast: afterLast, in: registry,
    at: StubLocation(sourceLocation))
}
