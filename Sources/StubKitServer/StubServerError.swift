import Foundation
import StubKit

/// An error that says why a server can't be started, and what to do.
///
/// ```swift
/// do {
///   let server = try await StubServer(port: 8080)
/// } catch let error as StubServerError {
///   print(error)  // Port 8080 is taken. …
/// }
/// ```
public struct StubServerError: StubKitError, Hashable {
  /// What is wrong. Later versions can add reasons, so compare values:
  ///
  /// ```swift
  /// let error = await #expect(throws: StubServerError.self) {
  ///   try await StubServer(port: 8080)
  /// }
  /// #expect(error?.reason == .portTaken)
  /// ```
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case portTaken, invalidPort, invalidOrigin, noSocket }
    private let kind: Kind

    /// Another program, or another server of this one, uses the port.
    public static let portTaken = Reason(kind: .portTaken)
    /// The port is not a number from 0 to 65,535.
    public static let invalidPort = Reason(kind: .invalidPort)
    /// The origin is not a scheme and a host with an optional port.
    public static let invalidOrigin = Reason(kind: .invalidOrigin)
    /// The system gives the process no socket.
    public static let noSocket = Reason(kind: .noSocket)

    /// The name of the reason, such as `portTaken`.
    public var description: String { kind.rawValue }
  }

  /// What is wrong.
  public let reason: Reason
  /// What is wrong, and what to do, in sentences.
  public let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  init(_ failure: Sockets.Failure, port: Int) {
    if failure.isAddressInUse {
      self.init(
        .portTaken,
        "Port \(port) is taken by another program, or by another StubServer. Stop it, choose another port, or omit the port "
          + "and use the server's url.")
    } else {
      let cause = failure.code.systemError
      self.init(.noSocket, "The server can't listen on port \(port): \(failure.call) failed (\(cause)).")
    }
  }
}
