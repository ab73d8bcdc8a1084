#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Between URLSession and its own loader where that loads what a stubbed redirect leads to.
  ///
  /// URLSession answers a 401 by starting over with the task's first request: the stubbed one, on the real network, with the
  /// credential for another server. So it does not get to hear of the end before it is asked for.
  final class RedirectedClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because nothing in it changes, and all of it is called on the task's work queue.
    private let mayFinish: (URLProtocol, HTTPURLResponse) -> Bool

    /// - Parameter mayFinish: Asked on the task's work queue; if it says no, `finish` is called later or never.
    init(_ client: any URLProtocolClient, mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool) {
      self.mayFinish = mayFinish
      super.init(client)
    }

    override func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      if let response = loader.task?.response as? HTTPURLResponse, !mayFinish(loader, response) { return }
      super.urlProtocolDidFinishLoading(loader)
    }

    /// Ends the task with its response as it stands, a demand for a credential too.
    func finish(_ loader: URLProtocol) {
      UnansweredChallengeResponse.hidingProtectionSpace { super.urlProtocolDidFinishLoading(loader) }
    }
  }
#endif
