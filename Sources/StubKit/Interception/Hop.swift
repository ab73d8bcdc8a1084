import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One of the requests a task makes on its way to an answer: the first, or where a redirect or a credential led it.
struct Hop {
  let request: URLRequest
  /// What is sent with it, nil for the task's own body: a redirect does not send it again.
  private(set) var body: RequestBody?
  /// How many redirects led here.
  private(set) var redirectCount = 0
  /// How often a credential was asked for on the way.
  private(set) var demandCount = 0
  /// The credential that was given last.
  private(set) var credential: GivenCredential?

  struct GivenCredential {
    let credential: URLCredential
    let space: URLProtectionSpace
  }

  /// The task's own request.
  init(_ request: URLRequest) { self.request = request }

  private init(_ request: URLRequest, after hop: Hop) {
    self.request = request
    body = hop.body
    redirectCount = hop.redirectCount
    demandCount = hop.demandCount
    credential = hop.credential
  }

  var isFirst: Bool { redirectCount == 0 && demandCount == 0 }

  var mayBeRedirected: Bool { redirectCount < Redirect.limit }

  func redirected(to request: URLRequest) -> Hop {
    var hop = Hop(request, after: self)
    hop.redirectCount += 1
    hop.body = RequestBody.none
    return hop
  }

  /// - Parameter asked: The request that was asked for a credential, if the system itself was redirected to it.
  func answering(_ demand: CredentialDemand, with credential: URLCredential, of asked: URLRequest? = nil) -> Hop {
    var hop = Hop(demand.request(asked ?? request, with: credential), after: self)
    hop.demandCount += 1
    hop.credential = GivenCredential(credential: credential, space: demand.space)
    return hop
  }
}
