import Foundation
import StubKitRecorder
import StubKitServer

/// Plays recordings over HTTP.
struct Serve: Command {
  static let help = """
    stubkit-har serve FILE … [--for ORIGIN] [--port N]

    Plays recordings over HTTP, and prints each request, until ^C.

      --for ORIGIN          the origin that the server stands for, such as
                            https://api.example.com, by default each recorded one
      --port N              the port, and for further origins those after it

    An iOS app takes the address from its environment:
      ProcessInfo.processInfo.environment["API_URL"]
    and allows it in the Info.plist of debug builds:
      NSAppTransportSecurity: { NSAllowsLocalNetworking: YES }

    """

  private let files: [InputFile]
  private let origins: [String]
  private let port: Int?

  init(_ arguments: consuming Arguments) throws {
    origins = try arguments.takeValues("--for", what: "an origin")
    port = try arguments.takePort()
    files = try arguments.files()
  }

  /// Starts the servers.
  func start(_ console: Console) throws -> Servers {
    let registry = StubRegistry()
    var recorded: [String] = []
    for file in files {
      let archive = try file.document(console).archive
      archive.replay(ReplayComparison(.default), .atOnce, in: registry, at: StubLocation(), call: nil)
      recorded += archive.entries.compactMap { $0.request.url.flatMap(StubServer.origin(of:)) }
    }
    let served = origins.isEmpty ? recorded.unique : origins
    try require(!served.isEmpty, "The recordings have no requests. Name an origin with --for.")
    // An export of a browser can have credentials, and so can the URLs of those who ask.
    _ = registry.begin(RecordingInUse(filter: RedactionRules(.standard)))
    registry.onFinish { request, stub, response, error in
      let outcome = error.map { "failed: \($0.cause)" } ?? "\(response)"
      let name = stub.name ?? "\(stub.location)"
      try? console.print("\(registry.shown(request.line)): \(outcome) (\(registry.shown(name)))")
    }
    var hooks = StubServer.Hooks()
    hooks.missed = { error in
      // The first line names the request, and the last one says what to do in a test.
      let lines = error.description.split(separator: "\n").dropFirst().dropLast()
        .map { "\n\(registry.shown(String($0)))" }.joined()
      let line = registry.shown(error.request.line)
      try? console.print(lines: "\(line): no stub matches\(lines)")
      return "No stub matches \(line)\(lines)"
    }
    return try Servers(registry, for: served, port: port, console, hooks: hooks)
  }

  func run(_ console: Console) throws -> Int32 {
    let interrupt = Interrupt()
    let servers = try start(console)
    withExtendedLifetime(servers) { interrupt.wait() }
    return 0
  }
}
