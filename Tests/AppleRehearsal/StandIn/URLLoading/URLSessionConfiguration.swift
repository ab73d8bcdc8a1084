import Foundation
import FoundationNetworking

open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked holds as far as it does in the SDK: nobody changes one that others use.
  public var timeoutIntervalForRequest: TimeInterval = 60
  public var timeoutIntervalForResource: TimeInterval = 604_800
  public var httpAdditionalHeaders: [AnyHashable: Any]?
  public var httpCookieStorage: HTTPCookieStorage? = .shared
  public var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.always
  public var httpShouldSetCookies = true
  public var urlCredentialStorage: URLCredentialStorage? = .shared
  public var urlCache: URLCache?
  public var usesClassicLoadingMode = LoadingMode.usual == .classic
  /// The stand-in has no background sessions.
  public let identifier: String? = nil
  private var storedClasses: [AnyClass]? = SystemClasses.all

  /// The getter is a method like another: whoever replaces it is asked by everybody, the session included.
  public var protocolClasses: [AnyClass]? {
    get {
      Messages.registered
      let code = MethodTable.code(for: "protocolClasses", of: type(of: self))
      return unsafeBitCast(code, to: Messages.ProtocolClasses.self)(self, "protocolClasses")
    }
    set { storedClasses = newValue }
  }

  final func protocolClassesImplementation() -> [AnyClass]? { storedClasses }

  public override init() {}

  public class var `default`: URLSessionConfiguration { LocalConfiguration() }

  public class var ephemeral: URLSessionConfiguration {
    let configuration = LocalConfiguration()
    // A storage that only this configuration, and its copies, know.
    let own = FoundationNetworking.URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = own.httpCookieStorage
    configuration.urlCredentialStorage = own.urlCredentialStorage
    return configuration
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = LocalConfiguration()
    copy.timeoutIntervalForRequest = timeoutIntervalForRequest
    copy.timeoutIntervalForResource = timeoutIntervalForResource
    copy.httpAdditionalHeaders = httpAdditionalHeaders
    copy.httpCookieStorage = httpCookieStorage
    copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
    copy.httpShouldSetCookies = httpShouldSetCookies
    copy.urlCredentialStorage = urlCredentialStorage
    copy.urlCache = urlCache
    copy.usesClassicLoadingMode = usesClassicLoadingMode
    copy.storedClasses = storedClasses
    return copy
  }

  deinit { Associations.release(of: ObjectIdentifier(self)) }
}

/// What the factories really return: a class of the system's own.
final class LocalConfiguration: URLSessionConfiguration, @unchecked Sendable {}

/// Which of the system's two loaders a session uses unless its configuration says so: `REHEARSAL_LOADER=new`.
enum LoadingMode {
  case classic, new

  static let usual: LoadingMode =
    ProcessInfo.processInfo.environment["REHEARSAL_LOADER"] == "new" ? .new : .classic
}
