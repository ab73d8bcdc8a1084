import StubKit

/// Runs code in a scope with a server that answers with the stubs of the scope.
///
/// ```swift
/// try await withStubServer(for: "https://api.example.com") { server in
///   stub(
///     condition: isHost("api.example.com") && isPath("/users"),
///     response: .json([["name": "Ann"]]))
///   try run("/usr/bin/curl", server.url.absoluteString + "/users")
/// }
/// ```
///
/// The scope is one of `withStubs`: it has a new registry, and stubs that are registered inside belong to it. Pass
/// `in: .current` to serve the stubs of the enclosing scope, such as that of a stubbed test, which then reports
/// unmatched requests. When the body returns or throws, the server stops, and its port is free.
///
/// - Parameters:
///   - origin: The origin that the clients believe they talk to, as a text or a `URL`. See `StubServer`.
///   - port: The port. Defaults to 0, which stands for any free one.
///   - limits: The limits that protect the test from its clients.
///   - registry: The registry of the scope. Defaults to a new one.
///   - isolation: The actor that runs the body. Defaults to that of the caller.
///   - body: The code to run.
/// - Returns: The value that the body returns.
/// - Throws: The error that the body throws, or a ``StubServerError``.
@discardableResult
public func withStubServer<R>(
  for origin: (any StubURL)? = nil, port: Int = 0, limits: StubServer.Limits = .init(),
  in registry: StubRegistry = .init(),
  isolation: isolated (any Actor)? = #isolation, _ body: (StubServer) async throws -> R
) async throws -> R {
  try await withStubs(in: registry) {
    let server = try await StubServer(for: origin, port: port, limits: limits, in: registry)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}
