import Foundation
import StubKit

/// Makes whole requests, and checks who answers them.
struct Requester: Sendable {
  let name: String
  let session: URLSession
  /// The registry whose stubs the requests see. Except for StubKit's own requester, it has one stub for everything, and
  /// no request may get there.
  let registry: StubRegistry
  let body: Data
  let isStubbed: Bool
  /// The requester makes a request in each round whose number is a multiple of this.
  var interval = 1
  var call = Call.handler

  /// A way to make a request.
  enum Call {
    case handler
    /// On Linux, a bare URLProtocol resumes the caller on the task's work queue, where a cancellation can deadlock.
    case async
  }

  /// Makes a request.
  ///
  /// - Returns: The time that it took, in nanoseconds.
  func perform(_ request: URLRequest) async throws -> Double {
    try await withStubs(in: registry) {
      let start = Nanoseconds.now()
      let data = try await body(of: request)
      let time = Nanoseconds.since(start)
      try check(data)
      return time
    }
  }

  /// Makes all requests at once.
  ///
  /// - Returns: The time that they took together, in nanoseconds.
  func performTogether(_ requests: [URLRequest]) async throws -> Double {
    try await withStubs(in: registry) {
      let start = Nanoseconds.now()
      try await withThrowingTaskGroup(of: Data.self) { group in
        for request in requests {
          group.addTask { try await body(of: request) }
        }
        for try await data in group { try check(data) }
      }
      return Nanoseconds.since(start)
    }
  }

  private func body(of request: URLRequest) async throws -> Data {
    switch call {
    case .async: return try await session.data(for: request).0
    case .handler:
      return try await withCheckedThrowingContinuation { continuation in
        session.dataTask(with: request) { data, _, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(data ?? Data()))
        }.resume()
      }
    }
  }

  private func check(_ data: Data) throws {
    guard data == body else {
      throw Probe.Failure(
        description: "A request of \(name)'s was answered with \(String(decoding: data, as: UTF8.self)).")
    }
  }

  /// Checks who answered: StubKit must have answered all requests of its own requester, and no others. Starts a new
  /// count, also of what each stub has answered.
  func audit(requests: Int) throws {
    let taken = registry.journal.entries.count
    withStubs(in: registry) { HTTPStubs.forgetRequests() }
    guard taken == (isStubbed ? requests : 0) else {
      throw Probe.Failure(description: "StubKit took \(taken) of \(requests) requests of \(name)'s.")
    }
  }
}

/// The site that all requests go to.
enum Site {
  static let host = "api.example.com"

  static func request(_ pathAndQuery: String, method: String = "GET") -> URLRequest {
    var request = URLRequest(url: URL(string: "https://\(host)\(pathAndQuery)")!)
    request.httpMethod = method
    return request
  }
}

extension Requester {
  /// A bare URLProtocol.
  static func floor(by call: Call = .handler) -> Requester {
    beside("floor", FloorProtocol.self, FloorProtocol.body, by: call)
  }

  /// A bare URLProtocol that fails.
  static func failing() -> Requester { beside("floor", FailingProtocol.self, Data()) }

  /// A hand-written mock.
  static func mock() -> Requester { beside("mock", MockProtocol.self, MockProtocol.body) }

  /// OHHTTPStubs' algorithm. It uses the stubs that `ScanProtocol` has at that time.
  static func scan(interval: Int) -> Requester {
    beside("scan", ScanProtocol.self, ScanProtocol.body, interval: interval)
  }

  static let stubKitBody = Data(#"{"answeredBy":"StubKit"}"#.utf8)

  static func stubKit(
    _ registry: StubRegistry, name: String = "StubKit", by call: Call = .handler
  ) -> Requester {
    Requester(
      name: name, session: URLSession(configuration: configuration), registry: registry,
      body: stubKitBody, isStubbed: true, call: call)
  }

  /// A requester whose session StubKit ignores. Its requests go to the class.
  private static func beside(
    _ name: String, _ loader: URLProtocol.Type, _ body: Data, interval: Int = 1, by call: Call = .handler
  ) -> Requester {
    let configuration = configuration
    HTTPStubs.setEnabled(false, for: configuration)
    configuration.protocolClasses = [loader] + (configuration.protocolClasses ?? [])
    let registry = StubRegistry()
    stub(condition: .anything, response: .text("StubKit, which should have left it alone"), in: registry)
    return Requester(
      name: name, session: URLSession(configuration: configuration), registry: registry, body: body, isStubbed: false,
      interval: interval, call: call)
  }

  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return configuration
  }
}
