import Foundation
import StubKitFormats

/// One of StubKit's errors.
///
/// On Apple platforms, URLSession doesn't pass an error on as it is. It creates an `NSError` with the same domain,
/// code and user info, and can wrap that in another one. Client code often adds an error type of its own. In all of
/// these, `init(from:)` finds the error again, on every platform:
///
/// ```swift
/// do {
///   _ = try await URLSession.shared.data(from: url)
/// } catch {
///   guard let miss = UnmatchedRequestError(from: error) else { throw error }
///   print(miss.nearest)
/// }
/// ```
///
/// The `localizedDescription` of the error that arrives is the description of StubKit's error.
public protocol StubKitError: CustomNSError, LocalizedError, CustomStringConvertible, Sendable {}

extension StubKitError {
  /// Finds the error in an error that arrived from somewhere else.
  ///
  /// It can be that error itself, the `NSError` that stands for it, or an underlying error of either, at any depth. It
  /// can also be a value inside of an error that is a Swift type, such as `case transport(any Error)`.
  ///
  /// Returns `nil` if there is no such error.
  ///
  /// - Parameter error: The error that arrived.
  public init?(from error: any Error) {
    guard let found = OriginalError.find(Self.self, in: error) else { return nil }
    self = found
  }

  /// The domain of the error as an `NSError`: `StubKit.` and the name of the type.
  public static var errorDomain: String { "StubKit.\(Self.self)" }

  /// The code of the error as an `NSError`: 1, unless the type says otherwise.
  public var errorCode: Int { 1 }

  /// The user info of the error as an `NSError`, with the description under `NSLocalizedDescriptionKey`.
  public var errorUserInfo: [String: Any] { OriginalError.userInfo(of: self) }

  /// The description, so that `localizedDescription` contains it.
  public var errorDescription: String? { description }
}
