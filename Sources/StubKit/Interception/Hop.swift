import Foundation

/// One of the requests that a task makes on its way to an answer: the first one, or one that a redirect or a
/// credential led to.
struct Hop {
  let request: URLRequest
  /// The body that is sent with it, or `nil` for the task's own body. A redirect doesn't send the body again.
  private(set) var body: RequestBody?
  /// The number of redirects that led here.
  private(set) var redirectCount = 0
  /// The number of times that a credential was asked for on the way.
  private(set) var demandCount = 0
  /// The last credential.
  private(set) var credential: GivenCredential?

  struct GivenCredential {
    let credential: URLCredential
    let space: URLProtectionSpace
  }

  /// Creates the hop of the task's own request.
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
