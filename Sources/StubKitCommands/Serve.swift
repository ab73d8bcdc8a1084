import Foundation
import StubKitRecorder
import StubKitServer

/// Plays recordings over HTTP.
struct Serve: Command {
  static let help = """
    stubkit serve FILE … [--for ORIGIN] [--port N]

    Plays recordings over HTTP, and prints each request, until ^C.

      --for ORIGIN          the origin that the server stands for, such as
                            https://api.example.com, by default each recorded one
      --port N              the port, and for further origins those after it
      --latency MS          the milliseconds before each response
      --conditions NAME     the network: 3g, edge or lossy

    An iOS app takes the address from its environment:
      ProcessInfo.processInfo.environment["API_URL"]
    and allows it in the Info.plist of debug builds:
      NSAppTransportSecurity: { NSAllowsLocalNetworking: YES }

    """

  private let files: [InputFile]
  private let origins: [String]
  private let port: Int?
  private let conditions: NetworkConditions?

  init(_ arguments: consuming Arguments) throws {
    origins = try arguments.takeValues("--for", what: "an origin")
    port = try arguments.takePort()
    var conditions = try arguments.takeValue("--conditions", what: "3g, edge or lossy").map(Self.conditions)
    if let text = try arguments.takeValue("--latency", what: "a number of milliseconds") {
      guard let milliseconds = Int(text), milliseconds >= 0 else {
        throw Mistake("--latency \(text) is not a number of milliseconds.")
      }
      guard conditions == nil else { throw Mistake("Pass either --latency or --conditions.") }
      conditions = NetworkConditions(latency: .milliseconds(milliseconds))
    }
    self.conditions = conditions
    files = try arguments.files()
  }

  private static func conditions(_ name: String) throws(Mistake) -> NetworkConditions {
    let lossy = NetworkConditions(latency: .milliseconds(100), jitter: .milliseconds(50), lossRate: 0.1)
    if let conditions = ["3g": .threeG, "edge": .edge, "lossy": lossy][name] { return conditions }
    throw Mistake("--conditions \(name) is none of 3g, edge and lossy.")
  }

  /// Starts the servers.
  func start(_ console: Console) throws -> Servers {
    let registry = StubRegistry()
    registry.network = conditions
    var recorded: [String] = []
    for file in files {
      let archive = try file.document(console).archive
      replay(archive, in: registry)
      for origin in archive.entries.compactMap({ $0.request.url.flatMap(StubServer.origin(of:)) })
      where !recorded.contains(origin) { recorded.append(origin) }
    }
    let served = origins.isEmpty ? recorded : origins
    guard !served.isEmpty else {
      throw Mistake("The recordings have no requests. Name an origin with --for.")
    }
    registry.afterStubFinish { request, stub, response, error in
      let outcome = error.map { "failed: \($0.localizedDescription)" } ?? "\(response)"
      let name = stub.name ?? "\(stub.location)"
      try? console.print("\(request.line): \(outcome) (\(name))")
    }
    var hooks = StubServer.Hooks()
    hooks.missed = { error in
      // The first line names the request, and the last one says what to do in a test.
      let lines = error.description.split(separator: "\n").dropFirst().dropLast().map { "\n\($0)" }.joined()
      try? console.print(lines: "\(error.request.line): no stub matches\(lines)")
      return "No stub matches \(error.request.line)\(lines)"
    }
    return try Servers(registry, for: served, port: port, console, hooks: hooks)
  }

  func run(_ console: Console) throws -> Int32 {
    try start(console).waitForInterrupt()
    return 0
  }
}
