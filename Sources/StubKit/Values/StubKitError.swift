import Foundation

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
    var limit = 1_000
    guard let found = OriginalError.find(Self.self, in: error, &limit) else { return nil }
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

/// A value of one of StubKit's error types, inside the `NSError` that stands for it.
///
/// On Apple platforms, URLSession passes on only the domain, the code and the user info of an error. This one carries
/// the value through. It has no user info itself, because `NSError` prints the errors in its user info.
final class OriginalError: NSError, @unchecked Sendable {
  // Safe because nothing in it changes.
  private let value: any StubKitError

  /// The key of the original error in the user info of StubKit's errors.
  private static let key = "StubKitOriginalError"

  private init(_ value: any StubKitError) {
    self.value = value
    super.init(domain: type(of: value).errorDomain, code: value.errorCode, userInfo: nil)
  }

  /// An archive contains only the domain and the code.
  required init?(coder: NSCoder) { nil }

  override var localizedDescription: String { value.description }

  /// Returns the user info of an error: its sentence, and the error itself under the key for an underlying error and
  /// under a key of its own.
  static func userInfo(of error: any StubKitError) -> [String: Any] {
    let original = OriginalError(error)
    return [NSLocalizedDescriptionKey: error.description, NSUnderlyingErrorKey: original, key: original]
  }

  /// Returns the error of a type that an error, or another value, is, stands for, or contains at any depth.
  ///
  /// It looks into the user info of each error, and into the values of errors that are Swift types.
  ///
  /// - Parameter limit: The number of values to look at. An error can contain itself, or very much.
  static func find<Wanted: Error>(_ type: Wanted.Type, in value: Any, _ limit: inout Int) -> Wanted? {
    limit -= 1
    guard limit > 0 else { return nil }
    if let error = value as? any Error {
      if let wanted = error as? Wanted { return wanted }
      let info = (error as NSError).userInfo
      if let original = (error as? Self) ?? info[Self.key] as? Self { return original.value as? Wanted }
      // The second one is `NSMultipleUnderlyingErrorsKey`, which Foundation on Linux doesn't have.
      for key in [NSUnderlyingErrorKey, "NSMultipleUnderlyingErrorsKey"] {
        if let inner = info[key], let wanted = find(type, in: inner, &limit) { return wanted }
      }
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != .class else { return nil }
    for child in mirror.children {
      if let wanted = find(type, in: child.value, &limit) { return wanted }
    }
    return nil
  }
}

/// Something wrong in what a caller has written or passed, as a sentence.
///
/// It is a value and not a trap, so that a typo fails its test and not the whole run.
package struct UsageMistake: Error, Hashable {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

/// Throws a mistake unless a condition on what a caller has written or passed is met.
package func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String
) throws(UsageMistake) {
  guard condition else { throw UsageMistake(sentence()) }
}

extension Error {
  /// What the error says, or the name of a code of URLSession whose sentence would be a number.
  package var cause: String {
    let error = self as NSError
    let hasSentence = error.userInfo[NSLocalizedDescriptionKey] != nil || error.domain != NSURLErrorDomain
    return (hasSentence ? nil : urlErrorNames[error.code]) ?? localizedDescription
  }
}

/// The codes that clients meet most often.
private let urlErrorNames = [
  -998: "unknown", -999: "cancelled", -1000: "badURL", -1001: "timedOut", -1002: "unsupportedURL",
  -1003: "cannotFindHost", -1004: "cannotConnectToHost", -1005: "networkConnectionLost", -1006: "dnsLookupFailed",
  -1007: "httpTooManyRedirects", -1008: "resourceUnavailable", -1009: "notConnectedToInternet",
  -1011: "badServerResponse", -1012: "userCancelledAuthentication", -1013: "userAuthenticationRequired",
  -1014: "zeroByteResource", -1015: "cannotDecodeRawData", -1016: "cannotDecodeContentData",
  -1017: "cannotParseResponse", -1018: "internationalRoamingOff", -1020: "dataNotAllowed",
  -1022: "appTransportSecurityRequiresSecureConnection", -1200: "secureConnectionFailed",
  -1201: "serverCertificateHasBadDate", -1202: "serverCertificateUntrusted",
].mapValues { "URLError.\($0)" }

extension URLError {
  /// Creates an error that says a sentence.
  package init(_ code: Code, _ sentence: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence]) }

  /// Why a request fails without a network, whatever its stub, if it has one, would answer.
  static let offlineSentence =
    "The network of the test is .offline: see HTTPStubs.network, or network: of the test's scope."
}
