import Foundation

/// An error that says that a request can't reach the network, because StubKit has read its body stream to decide that
/// it should.
///
/// Usually, URLSession gets the body back. If ``StubKitCapabilities`` says that request bodies are out of reach,
/// URLSession would send an empty body, so the request fails instead.
///
/// ```swift
/// do {
///   _ = try await session.data(for: streamed)
/// } catch {
///   if let error = BodyAlreadyReadError(from: error) {
///     print(error.request.url!, error.description)
///   }
/// }
/// ```
public struct BodyAlreadyReadError: StubKitError {
  /// The request, as it would have gone out.
  public let request: URLRequest

  /// What happened, and what to do about it.
  public var description: String {
    "StubKit read the body stream of \(request.summary), because a stub's condition, its closure or the unmatched policy "
      + "asked for the body. The stream can't be given back to URLSession, so the request would reach the network without its "
      + "body. Set the body as httpBody, or don't ask for the body in conditions and closures that can receive this request."
  }
}
