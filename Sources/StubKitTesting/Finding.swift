import StubKit

/// Something that is wrong with a test, seen from its stubs.
struct Finding: Sendable, CustomStringConvertible {
  let description: String
  /// Where the stub is that it is about; nil for a request, which comes from anywhere.
  let stub: StubLocation?
  /// Where the stub is that a request came nearest to.
  let nearest: StubLocation?

  init(_ miss: MissCollection.Miss) {
    let report = miss.error.description
    description =
      miss.count == 1 ? report : "\(report)\n\(miss.count) such requests failed; this is the report of the first."
    stub = nil
    nearest = miss.error.nearest.first?.stub.location
  }

  /// - Parameter unused: A stub that answered no request.
  init(_ unused: Stub) {
    description = """
      No request used the stub \(unused)
      Remove it, or look in the journal's entries for what was requested instead.
      """
    stub = unused.location
    nearest = nil
  }
}
