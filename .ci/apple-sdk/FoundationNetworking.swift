// Declares the URL loading system of the Apple SDK (Xcode 26) as Swift imports it: what StubKit and its tests use, with
// the nullability, overridability and sendability of the SDK's headers. On Apple platforms it is part of Foundation;
// here it takes the name under which the sources import it. URLProtocol and InputStream are not Sendable there, on
// purpose.
@_exported import Foundation
@_exported import ObjectiveC

// NS_SWIFT_SENDABLE
open class URLSession: NSObject, @unchecked Sendable {
  open class var shared: URLSession { fatalError() }
  public init(configuration: URLSessionConfiguration) { fatalError() }
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) { fatalError() }
  open var delegateQueue: OperationQueue { fatalError() }
  open var delegate: (any URLSessionDelegate)? { fatalError() }
  /*@NSCopying*/ open var configuration: URLSessionConfiguration { fatalError() }
  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}
  open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {}
  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential = 0
    case performDefaultHandling
    case cancelAuthenticationChallenge
    case rejectProtectionSpace
  }
  public enum ResponseDisposition: Int, Sendable {
    case cancel = 0
    case allow
  }
}

extension URLSession {
  public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func dataTask(with url: URL) -> URLSessionDataTask { fatalError() }
  open func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    fatalError()
  }
  open func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask { fatalError() }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { fatalError() }
  open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask { fatalError() }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask { fatalError() }
  open func uploadTask(
    with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask { fatalError() }
  open func uploadTask(
    with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask { fatalError() }
  open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError() }
  open func downloadTask(with url: URL) -> URLSessionDownloadTask { fatalError() }
  open func downloadTask(with request: URLRequest, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    fatalError()
  }
  open func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    fatalError()
  }

  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { fatalError() }
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { fatalError() }
}

// The methods of the delegates are optional in the SDK.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
extension URLSessionDelegate {
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
extension URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {}
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}
extension URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {}
}

// NS_SWIFT_SENDABLE; init() is deprecated.
open class URLSessionTask: NSObject, NSCopying, @unchecked Sendable {
  open func copy(with zone: NSZone? = nil) -> Any { self }
  open var taskIdentifier: Int { 0 }
  open var originalRequest: URLRequest? { nil }
  open var currentRequest: URLRequest? { nil }
  open var response: URLResponse? { nil }
  open var delegate: (any URLSessionTaskDelegate)?
  open var progress: Progress { fatalError() }
  open var countOfBytesClientExpectsToReceive: Int64 = 0
  open var countOfBytesReceived: Int64 { 0 }
  open var countOfBytesSent: Int64 { 0 }
  open var countOfBytesExpectedToReceive: Int64 { 0 }
  open var countOfBytesExpectedToSend: Int64 { 0 }
  public class var lowPriority: Float { 0.25 }
  open func cancel() {}
  open func suspend() {}
  open func resume() {}
  public enum State: Int, Sendable {
    case running = 0
    case suspended
    case canceling
    case completed
  }
  open var state: URLSessionTask.State { .running }
  open var error: (any Error)? { nil }
  open var priority: Float = 0
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

// NS_SWIFT_SENDABLE
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var `default`: URLSessionConfiguration { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var identifier: String? { nil }
  open var timeoutIntervalForRequest: TimeInterval = 0
  open var timeoutIntervalForResource: TimeInterval = 0
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  open var httpMaximumConnectionsPerHost = 0
  open var waitsForConnectivity = false
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .always
  open var httpShouldSetCookies = true
  open var urlCredentialStorage: URLCredentialStorage?
  open var urlCache: URLCache?
  open var protocolClasses: [AnyClass]?
  @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
  open var usesClassicLoadingMode: Bool { get { true } set {} }
}

open class URLProtocol: NSObject {
  public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {}
  open var client: (any URLProtocolClient)? { nil }
  /*@NSCopying*/ open var request: URLRequest { fatalError() }
  /*@NSCopying*/ open var cachedResponse: CachedURLResponse? { nil }
  /*@NSCopying*/ open var task: URLSessionTask? { nil }
  open class func canInit(with request: URLRequest) -> Bool { false }
  open class func canInit(with task: URLSessionTask) -> Bool { false }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }
  open func startLoading() {}
  open func stopLoading() {}
  // Not @discardableResult in the SDK.
  open class func registerClass(_ protocolClass: AnyClass) -> Bool { true }
  open class func unregisterClass(_ protocolClass: AnyClass) {}
}
@available(*, unavailable) extension URLProtocol: @unchecked Sendable {}

public protocol URLProtocolClient: NSObjectProtocol {
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

public struct URLRequest: Equatable, Hashable, @unchecked Sendable, CustomStringConvertible {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy
    case reloadIgnoringLocalCacheData
    case returnCacheDataElseLoad
    case returnCacheDataDontLoad
  }
  public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {
    fatalError()
  }
  public var url: URL? { get { nil } set {} }
  public var cachePolicy: CachePolicy { get { .useProtocolCachePolicy } set {} }
  public var timeoutInterval: TimeInterval { get { 0 } set {} }
  public var httpMethod: String? { get { nil } set {} }
  public var allHTTPHeaderFields: [String: String]? { get { nil } set {} }
  public func value(forHTTPHeaderField field: String) -> String? { nil }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
  public var httpBody: Data? { get { nil } set {} }
  public var httpBodyStream: InputStream? { get { nil } set {} }
  public var httpShouldHandleCookies: Bool { get { true } set {} }
  public var description: String { "" }
  public func hash(into hasher: inout Hasher) {}
  public static func == (a: URLRequest, b: URLRequest) -> Bool { true }
}

open class URLResponse: NSObject, @unchecked Sendable {
  public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {}
  open var url: URL? { nil }
  open var mimeType: String? { nil }
  open var expectedContentLength: Int64 { 0 }
}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) {
    fatalError()
  }
  open var statusCode: Int { 0 }
  open var allHeaderFields: [AnyHashable: Any] { [:] }
  open func value(forHTTPHeaderField field: String) -> String? { nil }
  open class func localizedString(forStatusCode statusCode: Int) -> String { "" }
}

open class CachedURLResponse: NSObject, NSCopying, @unchecked Sendable {
  public init(response: URLResponse, data: Data) {}
  open func copy(with zone: NSZone? = nil) -> Any { self }
  open var response: URLResponse { fatalError() }
  open var data: Data { fatalError() }
}
open class URLCache: NSObject, @unchecked Sendable {
  public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed }
  open class var shared: URLCache { get { fatalError() } set {} }
  public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {}
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? { nil }
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {}
}

public struct HTTPCookiePropertyKey: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let name = Self(rawValue: "")
  public static let value = Self(rawValue: "")
  public static let domain = Self(rawValue: "")
  public static let path = Self(rawValue: "")
}
open class HTTPCookie: NSObject, @unchecked Sendable {
  public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
  public init?(properties: [HTTPCookiePropertyKey: Any]) {}
  open class func cookies(withResponseHeaderFields headerFields: [String: String], for URL: URL) -> [HTTPCookie] { [] }
  open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] { [:] }
  open var name: String { "" }
  open var value: String { "" }
  open var expiresDate: Date? { nil }
  open var domain: String { "" }
  open var path: String { "" }
  open var isSecure: Bool { true }
  open var isHTTPOnly: Bool { true }
}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
  open class var shared: HTTPCookieStorage { fatalError() }
  open var cookies: [HTTPCookie]? { nil }
  open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy = .always
  open func cookies(for URL: URL) -> [HTTPCookie]? { nil }
  open func setCookie(_ cookie: HTTPCookie) {}
  open func setCookies(_ cookies: [HTTPCookie], for URL: URL?, mainDocumentURL: URL?) {}
  open func deleteCookie(_ cookie: HTTPCookie) {}
}

open class URLCredential: NSObject, @unchecked Sendable {
  public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
  public init(user: String, password: String, persistence: URLCredential.Persistence) {}
  open var user: String? { nil }
  open var password: String? { nil }
}
open class URLCredentialStorage: NSObject, @unchecked Sendable {
  open class var shared: URLCredentialStorage { fatalError() }
  open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? { nil }
  open var allCredentials: [URLProtectionSpace: [String: URLCredential]] { [:] }
  open func set(_ credential: URLCredential, for space: URLProtectionSpace) {}
  open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? { nil }
  open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {}
}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {}
  public init(proxyHost host: String, port: Int, type: String?, realm: String?, authenticationMethod: String?) {}
  open var realm: String? { nil }
  open var host: String { "" }
  open var port: Int { 0 }
  open var `protocol`: String? { nil }
  open override func isProxy() -> Bool { false }
  open var authenticationMethod: String { "" }
}
public let NSURLAuthenticationMethodHTTPBasic = ""
public let NSURLAuthenticationMethodHTTPDigest = ""
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  public init(
    protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential?,
    previousFailureCount: Int, failureResponse response: URLResponse?, error: (any Error)?,
    sender: any URLAuthenticationChallengeSender
  ) {}
  public init(authenticationChallenge challenge: URLAuthenticationChallenge, sender: any URLAuthenticationChallengeSender)
  {}
  open var protectionSpace: URLProtectionSpace { fatalError() }
  open var proposedCredential: URLCredential? { nil }
  open var previousFailureCount: Int { 0 }
  open var failureResponse: URLResponse? { nil }
  open var error: (any Error)? { nil }
  open var sender: (any URLAuthenticationChallengeSender)? { nil }
}
// In the SDK the last two are optional.
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
  func cancel(_ challenge: URLAuthenticationChallenge)
  func performDefaultHandling(for challenge: URLAuthenticationChallenge)
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}
