import Foundation

/// An error that says that a request has no body to read, or that the journal doesn't keep it.
package struct RecordedBodyMissingError: StubKitError {
  /// The request.
  package let request: URLRequest
  /// The length in bytes of a body that the journal doesn't keep, or `nil` if that isn't known, or if there is none.
  package var length: Int? { missing?.length }
  let missing: MissingBody?

  /// What is missing, and how to keep it.
  package var description: String {
    "\(request.summary) has no body" + (missing.map { " in the journal: \($0.sentence)" } ?? ".")
  }
}
