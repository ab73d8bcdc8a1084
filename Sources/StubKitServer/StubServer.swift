import Foundation
import StubKit

/// An HTTP server on this machine that answers with the stubs of a registry.
///
/// Start one for clients that `URLSession` of this process doesn't reach: the app of a UI test, a web view, a media
/// player, or any program that speaks HTTP.
///
/// ```swift
/// let server = try await StubServer(for: "https://api.example.com")
/// stub(
///   condition: isHost("api.example.com") && isPath("/users"),
///   response: .json([["name": "Ann"]]))
/// app.launchEnvironment["API_URL"] = server.url.absoluteString
/// app.launch()
/// ```
///
/// The server answers as `URLSession` would be answered: with the same conditions, closures, scenarios, delays, faults,
/// clocks and network conditions, and each request has its entry in the journal. The guide *Serving other clients*
/// shows what an answer means on the wire.
///
/// The server speaks HTTP/1.1 without TLS, and listens on 127.0.0.1 and ::1 only. It stops when you call ``stop()``,
/// when nobody holds it any more, and when the outermost scope of its registry ends. A closure of its registry's stubs
/// that captures the server holds it: capture it weakly.
public final class StubServer: Sendable {
  private let core: ServerCore

  /// The address of the server, such as `http://127.0.0.1:49731`. It has no path.
  public var url: URL { URL(string: core.own.text)! }

  /// The port that the server listens on.
  public var port: Int { core.port }

  /// Starts a server. It listens when this returns.
  ///
  /// - Parameters:
  ///   - origin: The origin that the clients believe they talk to, such as `https://api.example.com`. Conditions,
  ///     closures, the journal, reports and recordings see it in the URL of each request, so the stubs of a unit test
  ///     serve a UI test unchanged. By default, they see the address that the client has used.
  ///   - port: The port. Defaults to 0, which stands for any free one.
  ///   - limits: The limits that protect the test from its clients.
  ///   - registry: The registry that answers. Defaults to the current one: that of the test, if it is stubbed. Several
  ///     servers can have one registry.
  /// - Throws: ``StubServerError``.
  public convenience init(
    for origin: (any StubURL)? = nil, port: Int = 0, limits: Limits = .init(), in registry: StubRegistry = .current
  ) async throws {
    try self.init(for: origin?.written.text, port: port, limits: limits, in: registry, hooks: Hooks())
  }

  package init(
    for origin: String?, port: Int = 0, limits: Limits = .init(), in registry: StubRegistry, hooks: Hooks
  ) throws {
    core = try ServerCore(registry, for: origin, port: port, limits, hooks)
    core.start()
  }

  /// What a tool learns from a server, and adds to it. The closures run on the thread of the server.
  package struct Hooks: Sendable {
    /// Receives a line about each client that can't be answered by HTTP.
    package var log: @Sendable (String) -> Void = RunningTest.tell
    /// Returns what the client of a request that no stub matches is told.
    package var missed: @Sendable (UnmatchedRequestError) -> String = { $0.description }

    package init() {}
  }

  /// Returns the origin of an `http` or `https` URL, as `init` takes it.
  package static func origin(of url: URL) -> String? { Origin(of: url)?.text }

  deinit { core.stop(.stopped) }

  /// Stops the server. When this returns, the port is free, and answers that were in flight are cut off. Has no effect
  /// after the first call.
  public func stop() async {
    core.stop(.stopped)
    await withCheckedContinuation { continuation in core.loop.whenOver { continuation.resume() } }
  }

  /// Stops the server as ``stop()`` does, but blocks the thread meanwhile.
  package func stopAndWait() {
    core.stop(.stopped)
    core.loop.waitUntilOver()
  }

  /// Returns where a client of this server finds a URL of the origin that the server stands for.
  ///
  /// The bodies of responses go out as they are. Use this for a body with links in it:
  ///
  /// ```swift
  /// let page = URL(string: "https://api.example.com/feed?page=2")!
  /// let next = server.url(for: page).absoluteString
  /// stub(condition: isPath("/feed"), response: .json(["next": .string(next)]))
  /// ```
  ///
  /// A closure that translates for each request captures the server weakly, as in `{ [weak server] request in … }`.
  /// The server holds its registry, and the registry the closure.
  ///
  /// - Parameter url: A URL. One of another origin is translated if another server of the registry stands for that
  ///   origin, and is returned unchanged if none does.
  public func url(for url: URL) -> URL {
    core.neighbours.translate(url.absoluteString).flatMap { URL(string: $0) } ?? url
  }

  /// The limits of a server. They protect the test from a client that sends too much, or too slowly.
  ///
  /// ```swift
  /// var limits = StubServer.Limits()
  /// limits.body = 10_000_000
  /// let server = try await StubServer(limits: limits)
  /// ```
  public struct Limits: Sendable, Hashable {
    /// The largest number of connections. Further clients wait until one is free. Defaults to 256.
    public var connections = 256
    /// The longest wait for a request on an open connection, for the rest of a request's head, for more of its body,
    /// and for a client that reads nothing of its response. After that, the connection is closed, inside a request with
    /// a 408. Defaults to 30 seconds. A stub can take any time.
    public var idle = Duration.seconds(30)
    /// The largest number of bytes in the body of a request. A longer one is answered with a 413. Also the largest
    /// number of bytes of a passed-through response that wait for a client to read them. With more, the response is
    /// cut off. Defaults to 67,108,864, which is 64 MiB.
    public var body = 67_108_864

    /// Creates the default limits.
    public init() {}
  }
}
