import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a request that is to reach the network, but whose body stream was read to find that out.
///
/// As a rule URLSession is given the body back. Where ``StubKitCapabilities`` says that request bodies can't be reached,
/// it would send an empty one; the request fails instead.
///
/// ```swift
/// do {
///   _ = try await session.data(for: streamed)
/// } catch let error as BodyAlreadyReadError {
///   print(error.request.url!, error.localizedDescription)
/// }
/// ```
public struct BodyAlreadyReadError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The request, as it was about to go out.
  public let request: URLRequest

  /// What happened, and what to do about it.
  public var description: String {
    "The body stream of \(request.summary) was read, because a stub's condition, its closure or the unmatched policy asked "
      + "for the body, and can't be given back to URLSession: on the network the request would have no body. Give it its body as "
      + "httpBody, or let no condition and no closure that may meet it ask for the body."
  }

  /// The description.
  public var errorDescription: String? { description }
}
