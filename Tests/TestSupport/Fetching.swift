import Foundation
import StubKit

/// What the tests ask of a session.
package struct Fetched: Equatable, Sendable {
  package let status: Int
  package let text: String

  package init(status: Int, text: String) { (self.status, self.text) = (status, text) }
}

package func url(_ text: String) -> URL { URL(string: text)! }

extension URLSessionConfiguration {
  /// An ephemeral configuration that never times out: a process can be stopped for longer than a minute.
  package static var patient: URLSessionConfiguration { .ephemeral { $0.timeoutIntervalForRequest = 3_600 } }

  /// An ephemeral configuration whose requests StubKit leaves alone.
  package static var unstubbed: URLSessionConfiguration { .ephemeral { HTTPStubs.setEnabled(false, for: $0) } }

  /// An ephemeral configuration with changes.
  package static func ephemeral(_ change: (URLSessionConfiguration) -> Void) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    return configuration
  }
}

extension OperationQueue {
  /// A serial queue, as that of a session's delegate. It runs nothing before its suspension is over.
  package static var suspended: OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    return queue
  }
}

extension URLSession {
  /// A session that never times out.
  package static var patient: URLSession { URLSession(configuration: .patient) }

  package func fetch(_ text: String) async throws -> Fetched { try await fetch(URLRequest(url: url(text))) }

  package func fetch(_ request: URLRequest) async throws -> Fetched {
    var request = request
    // On the real clock, nobody is to time out who did not ask for it: a process can be stopped for longer than a
    // minute.
    if request.timeoutInterval == 60, configuration.timeoutIntervalForRequest == 60,
      !(StubRegistry.current.clock is ManualClock)
    {
      request.timeoutInterval = 3_600
    }
    let (data, response) = try await data(for: request)
    return Fetched(status: (response as! HTTPURLResponse).statusCode, text: String(decoding: data, as: UTF8.self))
  }

  /// The error with which a request fails; nil if it does not.
  package func failure(of text: String) async -> (any Error)? {
    do {
      _ = try await fetch(text)
      return nil
    } catch {
      return error
    }
  }
}
