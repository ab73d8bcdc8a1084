import Foundation
import StubKitCommandLine
import StubKitRecorder
import StubKitServer

/// Plays recordings over HTTP.
struct Serve: Command {
  static let name = "serve"
  static let usage = "serve FILE.har|FOLDER … [--for ORIGIN] [--port N]"
  static let summary = "Plays recordings, and prints a line for each request, until ^C."
  static let options = [
    "--for ORIGIN          the origin that the server stands for, such as",
    "                      https://api.example.com, by default each recorded one",
    "--port N              the port, and for further origins those after it",
    "--latency MS          the milliseconds before each response",
    "--conditions NAME     the network: 3g, edge or lossy",
    "",
    "An iOS app takes the address from its environment:",
    "  ProcessInfo.processInfo.environment[\"API_URL\"]",
    "and allows it in the Info.plist of debug builds:",
    "  NSAppTransportSecurity: { NSAllowsLocalNetworking: YES }",
    "",
  ]

  private let files: [URL]
  private let origins: [String]
  private let port: Int?
  private let conditions: NetworkConditions?

  init(_ arguments: Arguments) throws {
    var arguments = arguments
    origins = try arguments.takeValues("--for", what: "an origin")
    port = try Servers.port(&arguments)
    var conditions = try arguments.takeValue("--conditions", what: "3g, edge or lossy").map(Self.conditions)
    if let text = try arguments.takeValue("--latency", what: "a number of milliseconds") {
      guard let milliseconds = Int(text), milliseconds >= 0 else {
        throw Mistake("--latency \(text) is not a number of milliseconds.")
      }
      guard conditions == nil else { throw Mistake("Pass either --latency or --conditions.") }
      conditions = NetworkConditions(latency: .milliseconds(milliseconds))
    }
    self.conditions = conditions
    let words = try arguments.rest()
    guard !words.isEmpty else { throw Mistake("Pass a file.") }
    files = try words.map { URL(fileURLWithPath: $0) }.flatMap(Self.archives)
  }

  private static func conditions(_ name: String) throws(Mistake) -> NetworkConditions {
    switch name {
    case "3g": return .threeG
    case "edge": return .edge
    case "lossy": return NetworkConditions(latency: .milliseconds(100), jitter: .milliseconds(50), lossRate: 0.1)
    default: throw Mistake("--conditions \(name) is none of 3g, edge and lossy.")
    }
  }

  /// Returns a file, or the archives in a folder, in order.
  private static func archives(_ url: URL) throws -> [URL] {
    guard (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else { return [url] }
    let files =
      FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let archives = files.filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path }
    guard !archives.isEmpty else { throw Mistake("There is no .har file in \(url.path).") }
    return archives
  }

  /// Starts the servers.
  func start(_ console: Console) throws -> Servers {
    let registry = StubRegistry()
    registry.network = conditions
    var recorded: [String] = []
    for file in files {
      if let problem = FileProblem.reading(file) { throw FileProblem("\(file.path) can't be read: \(problem)") }
      let archive = try HTTPArchive(contentsOf: file)
      replay(archive, in: registry)
      for entry in archive.entries {
        guard let origin = entry.request.url.flatMap(StubServer.origin(of:)), !recorded.contains(origin) else {
          continue
        }
        recorded.append(origin)
      }
    }
    let served = origins.isEmpty ? recorded : origins
    guard !served.isEmpty else { throw Mistake("The recordings have no requests. Name an origin with --for.") }
    registry.afterStubFinish { request, stub, response, error in
      let outcome = error.map { "failed: \($0.localizedDescription)" } ?? "\(response)"
      try? console.print("\(request.line): \(outcome)\(stub.name.map { " (\($0))" } ?? "")")
    }
    registry.onStubMissing { [weak registry] request in
      try? console.print(lines: "\(request.line): no recording\n\(registry.map { "\($0.explain(request))" } ?? "")")
    }
    return try Servers(registry, for: served, port: port, console)
  }

  func run(_ console: Console) throws -> Int32 {
    try start(console).waitForInterrupt()
    return 0
  }
}
