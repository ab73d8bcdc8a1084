import StubKit

/// Something wrong with a test that its stubs reveal.
package struct Finding: Sendable, CustomStringConvertible {
  package let description: String
  /// The location of the stub concerned, or `nil` for a request, which can come from anywhere.
  let stub: StubLocation?
  /// The location of the stub that is nearest to a request.
  let nearest: StubLocation?
  /// A Boolean value that indicates whether the test can be innocent.
  package var isWarning = false

  init(_ miss: MissCollection.Miss) {
    let report = miss.error.description
    description =
      miss.count == 1 ? report : "\(report)\n\(miss.count) such requests failed; this is the report of the first."
    stub = nil
    nearest = miss.error.nearest.first?.stub.location
    isWarning = miss.isWarning
  }

  /// - Parameter untaken: A request that waits for the test.
  init(_ untaken: (sentence: String, location: StubLocation)) {
    description = untaken.sentence
    stub = untaken.location
    nearest = nil
  }

  init(_ mistake: MissCollection.Mistake) {
    description = mistake.sentence
    stub = mistake.location
    nearest = nil
  }

  /// - Parameter sentence: A sentence about what the test uses.
  package init(_ sentence: String) {
    description = sentence
    stub = nil
    nearest = nil
  }

  /// - Parameter unused: A stub that answered no request.
  init(_ unused: Stub) {
    description =
      (["No request used the stub \(unused)"] + unused.arrivals(most: 3)
      + ["Remove the stub, or mend its condition or the request."]).joined(separator: "\n")
    stub = unused.location
    nearest = nil
  }
}
