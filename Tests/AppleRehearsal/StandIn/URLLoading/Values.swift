@_exported import Foundation
import FoundationNetworking
@_exported import ObjectiveCRuntime

// The values of the loading system are Foundation's own; sessions, tasks, configurations and loaders are the
// stand-in's.

public typealias URLRequest = FoundationNetworking.URLRequest
public typealias URLResponse = FoundationNetworking.URLResponse
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
public typealias CachedURLResponse = FoundationNetworking.CachedURLResponse
public typealias URLCache = FoundationNetworking.URLCache
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
public typealias URLCredential = FoundationNetworking.URLCredential
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage
public typealias URLProtectionSpace = FoundationNetworking.URLProtectionSpace
public let NSURLAuthenticationMethodHTTPBasic = FoundationNetworking.NSURLAuthenticationMethodHTTPBasic

/// Corelibs' own has no initialiser that takes another challenge.
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  // @unchecked holds because nothing in it changes.
  public let protectionSpace: URLProtectionSpace
  public let proposedCredential: URLCredential?
  public let previousFailureCount: Int
  public let failureResponse: URLResponse?
  public let error: (any Error)?
  public let sender: (any URLAuthenticationChallengeSender)?

  public init(
    protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential?,
    previousFailureCount: Int, failureResponse response: URLResponse?, error: (any Error)?,
    sender: any URLAuthenticationChallengeSender
  ) {
    protectionSpace = space
    proposedCredential = credential
    self.previousFailureCount = previousFailureCount
    failureResponse = response
    self.error = error
    self.sender = sender
  }

  public convenience init(
    authenticationChallenge challenge: URLAuthenticationChallenge, sender: any URLAuthenticationChallengeSender
  ) {
    self.init(
      protectionSpace: challenge.protectionSpace, proposedCredential: challenge.proposedCredential,
      previousFailureCount: challenge.previousFailureCount, failureResponse: challenge.failureResponse,
      error: challenge.error, sender: sender)
  }
}

public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
  func cancel(_ challenge: URLAuthenticationChallenge)
  func performDefaultHandling(for challenge: URLAuthenticationChallenge)
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}
