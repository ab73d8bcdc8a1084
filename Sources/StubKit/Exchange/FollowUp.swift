import Foundation

/// A response that is not the answer, because it leads to another request: a redirect, or a demand for a credential.
///
/// The response is held until the client has decided. URLSession shows no one the head of a redirect, so it is held
/// there. A demand for a credential is held at its end, or at its head if the system asks the delegate itself.
enum FollowUp {
  case redirect(Redirect)
  case credential(CredentialDemand)

  /// Returns `nil` for a response that is the answer.
  ///
  /// - Parameter recorded: Where a recorded redirect has led, or `nil` to follow its `Location`.
  init?(_ head: HTTPURLResponse, of request: URLRequest, to recorded: URL?) {
    if let redirect = Redirect(head, of: request, to: recorded) {
      self = .redirect(redirect)
    } else if let demand = CredentialDemand(head) {
      self = .credential(demand)
    } else {
      return nil
    }
  }

  /// What a client decides about a response that leads to another request.
  enum Decision {
    /// The response is the answer after all.
    case answer
    case redirected(to: Hop)
    /// The same request is made again, with a credential.
    case repeated(Hop)
    /// The system creates a new exchange for a request. It learns of it by `leave`, whose argument runs if the task's
    /// delegate refuses.
    case left(to: URLRequest, leave: @Sendable (_ refused: @escaping Work) -> Void)
    case failure(any Error)
  }
}

extension Exchange {
  /// Holds the response until StubKit knows whether another request follows it. Returns `false` if nothing has to be
  /// known.
  func holdResponse(for followUp: FollowUp?, after head: HTTPURLResponse?, atEnd: Bool) -> Bool {
    guard let followUp, let head, let client, let held = state.delivery else { return false }
    let isHeldAtEnd = if case .credential = followUp { client.showsDemands } else { false }
    guard isHeldAtEnd == atEnd else { return false }
    // It is answered when the delivery waits.
    queue.perform { [self] in
      guard state.delivery === held else { return }
      if case .redirect = followUp { entry?.waits(for: .redirect, .code) } else { entry?.waits(for: .challenge, .code) }
      client.ask(about: followUp, head, of: hop) { [self] in
        entry?.waits(for: nil)
        if state.delivery === held { act(on: $0, held, status: head.statusCode, atEnd) }
      }
    }
    return true
  }

  private func act(on decision: FollowUp.Decision, _ held: Delivery, status: Int, _ isAtEnd: Bool) {
    switch decision {
    case .answer where !isAtEnd:
      held.release()
      if let answer = awaitedDelivery { entry?.awaits(answer) }
    // The listeners learn of the end.
    case .answer: afterListeners { held.release() }
    case .redirected(let next):
      afterListeners(redirectedTo: next.request) { [self] in follow(next, status: status) }
    case .repeated(let next): afterListeners { [self] in follow(next, status: status) }
    case .left(let request, let leave):
      afterListeners(redirectedTo: request) { [self] in
        let lead = context.lead(from: entry, answeredWith: status, to: request)
        transition(to: .awaitingSystemRedirect(held, lead))
        entry?.waits(for: .redirect)
        // A delegate that takes its time can still agree after this, so the state stays.
        leave { [self] in queue.perform { [self] in if state.delivery === held { held.release() } } }
      }
    case .failure(let error): afterListeners(ofEnd: error) { [self] in fail(with: error) }
    }
  }

  private func afterListeners(
    ofEnd error: (any Error)? = nil, redirectedTo request: URLRequest? = nil,
    _ completion: @escaping Work
  ) {
    if !notifyListeners(ofEnd: error, redirectedTo: request, then: completion) { completion() }
  }
}

/// One of the requests that a task makes on its way to an answer: the first one, or one that a redirect or a
/// credential led to.
struct Hop {
  private(set) var request: URLRequest
  /// The body that is sent with it, or `nil` for the task's own body. A body that can't be read again is kept for the
  /// case that the request is sent, or sent again. A redirect doesn't send the body again.
  var body: RequestBody?
  /// The number of redirects that led here.
  private(set) var redirectCount = 0
  /// The number of times that a credential was asked for since then.
  private(set) var demandCount = 0
  /// The last credential, and whether a server demanded it, and not a stub.
  private(set) var credential: (given: URLCredential, space: URLProtectionSpace, isOfNetwork: Bool)?
  /// The header that the request had in place of that of the credential.
  private var ownAuthorization: String?
  /// A Boolean value that indicates whether the request has gone to the network, and not to a stub.
  var isSentToNetwork = false

  /// Creates the hop of the task's own request.
  init(_ request: URLRequest) { self.request = request }

  var isFirst: Bool { redirectCount == 0 && demandCount == 0 }

  /// The request as a redirect finds it. A credential was given for its own URL, and isn't sent to another one.
  var requestToRedirect: URLRequest {
    guard credential != nil else { return request }
    var request = request
    request.setValue(ownAuthorization, forHTTPHeaderField: "Authorization")
    return request
  }

  func redirected(to request: URLRequest) -> Hop {
    var hop = self
    hop.request = request
    hop.redirectCount += 1
    hop.demandCount = 0
    hop.credential = nil
    hop.isSentToNetwork = false
    hop.body = RequestBody.none
    return hop
  }

  /// Returns the same request with the credential that was asked for.
  func answering(_ demand: CredentialDemand, with credential: URLCredential) -> Hop {
    var hop = self
    if self.credential == nil { hop.ownAuthorization = request.value(forHTTPHeaderField: "Authorization") }
    let pair = "\(credential.user ?? ""):\(credential.password ?? "")"
    hop.request.setValue("Basic \(Data(pair.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
    hop.demandCount += 1
    hop.credential = (credential, demand.space, isSentToNetwork)
    return hop
  }
}

/// The request that a redirect leads to (RFC 9110, section 15.4), as the system's own loader understands it.
struct Redirect {
  /// The next request. URLSession on Linux doesn't send its body again, whatever the request says.
  let request: URLRequest

  /// The number of redirects that a task follows, as in URLSession.
  static let limit = 20

  /// Returns `nil` for a response that is the answer as it is, because of its status, or because it leads nowhere.
  ///
  /// - Parameter recorded: Where a recorded redirect has led, or `nil` to follow its `Location`.
  init?(_ response: HTTPURLResponse, of request: URLRequest, to recorded: URL? = nil) {
    let status = response.statusCode
    guard (301...308).contains(status), status != 304, let from = request.url,
      let location = response.value(forHTTPHeaderField: "Location"), !location.isEmpty,
      // RFC 3986, even on Linux, where URLSession treats every path as if it began at the root.
      let target = recorded ?? URL(string: location, relativeTo: from)?.absoluteURL
    else { return nil }
    var next = request
    next.url = target
    if status == 303 || request.httpMethod == "POST" && (status == 301 || status == 302) {
      next = next.with(nil)
      next.httpMethod = "GET"
    }
    self.request = next
  }
}

/// The credential that a 401 asks for before it answers: a user and a password, by HTTP basic authentication (RFC
/// 7617).
///
/// URLSession on Linux answers only the Basic scheme. A response that asks for another one is delivered as it is.
struct CredentialDemand {
  let space: URLProtectionSpace

  init?(_ response: HTTPURLResponse) {
    guard response.statusCode == 401, let url = response.url, let host = url.host, let scheme = url.scheme,
      let realm = Self.realm(response.value(forHTTPHeaderField: "WWW-Authenticate") ?? "")
    else { return nil }
    space = URLProtectionSpace(
      host: host, port: url.port ?? (scheme == "https" ? 443 : 80), protocol: scheme, realm: realm,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
  }

  /// Returns the realm of the first challenge that is Basic and names one (RFC 9110, section 11.6.1).
  private static func realm(_ header: String) -> String? {
    let challenge =
      #/(?i)(?:^|,)\s*Basic\s+(?:[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",\s]+)\s*,\s*)*?realm\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))/#
    guard let match = header.firstMatch(of: challenge) else { return nil }
    return (match.1?.replacing(#/\\(.)/#) { $0.1 } ?? match.2).map(String.init)
  }
}

extension URLRequest {
  /// Returns the request with a body in place of its own, which can be a stream that is used up.
  func with(_ body: Data?) -> URLRequest {
    var request = self
    request.httpBodyStream = nil
    request.httpBody = body
    return request
  }
}
