import Foundation
import StubKitCommandLine
import StubKitRecorder
import StubKitServer

/// Plays recordings over HTTP.
struct Serve: Command {
  static let name = "serve"
  static let usage = "serve FILE.har|FILE.json|FOLDER … [--for ORIGIN] [--port N]"
  static let summary = "Plays recordings and stubs, and prints each request, until ^C."
  static let options = [
    "--for ORIGIN          the origin that the server stands for, such as",
    "                      https://api.example.com, by default each recorded one",
    "--port N              the port, and for further origins those after it",
    "--latency MS          the milliseconds before each response",
    "--conditions NAME     the network: 3g, edge or lossy",
    "--rewrite-links       lets URLs of the origin in bodies lead to the server",
    "--control             opens /__stubkit/stubs, /__stubkit/requests and",
    "                      /__stubkit/reset to programs on this machine",
    "",
    "A .json file is a stub in the names of WireMock's mappings. It is read again",
    "when it changes.",
    "",
    "An iOS app takes the address from its environment:",
    "  ProcessInfo.processInfo.environment[\"API_URL\"]",
    "and allows it in the Info.plist of debug builds:",
    "  NSAppTransportSecurity: { NSAllowsLocalNetworking: YES }",
    "",
  ]

  private let archives: [URL]
  /// The files and folders with stubs.
  private let places: [URL]
  private let isControlled: Bool
  private let rewritesLinks: Bool
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
    isControlled = arguments.takeFlag("--control")
    rewritesLinks = arguments.takeFlag("--rewrite-links")
    let words = try arguments.rest()
    guard !words.isEmpty || isControlled else { throw Mistake("Pass a file.") }
    let all = words.map { URL(fileURLWithPath: $0) }
    archives = all.flatMap(Self.archives)
    places = all.filter { $0.pathExtension == "json" || Self.isFolder($0) }
    for folder in all where Self.isFolder(folder) && !isControlled {
      guard Self.archives(in: folder).isEmpty, StubFiles.files(in: folder).isEmpty else { continue }
      throw Mistake("There is no .har or .json file in \(folder.path).")
    }
  }

  private static func conditions(_ name: String) throws(Mistake) -> NetworkConditions {
    switch name {
    case "3g": return .threeG
    case "edge": return .edge
    case "lossy": return NetworkConditions(latency: .milliseconds(100), jitter: .milliseconds(50), lossRate: 0.1)
    default: throw Mistake("--conditions \(name) is none of 3g, edge and lossy.")
    }
  }

  private static func isFolder(_ url: URL) -> Bool {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }

  /// Returns a file that isn't a stub, or the archives in a folder, in order.
  private static func archives(in place: URL) -> [URL] {
    guard isFolder(place) else { return place.pathExtension == "json" ? [] : [place] }
    let files =
      FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    return files.filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path }
  }

  /// Starts the servers.
  func start(_ console: Console) throws -> Servers {
    let registry = StubRegistry()
    registry.network = conditions
    var recorded: [String] = []
    for file in archives {
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
    // Later stubs come first, so that those that were written by hand change what was recorded.
    for place in places where !Self.isFolder(place) {
      if let problem = FileProblem.reading(place) { throw FileProblem("\(place.path) can't be read: \(problem)") }
    }
    let stubs = StubFiles(places, in: registry, report: { console.warn($0.withoutControls) })
    let served = origins.isEmpty ? recorded : origins
    let hasStubs = places.contains { !StubFiles.files(in: $0).isEmpty }
    guard !served.isEmpty || hasStubs || isControlled else {
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
    hooks.rewritesLinks = rewritesLinks
    if isControlled { hooks.control = stubs.control }
    let servers = try Servers(
      registry, for: served.isEmpty ? [nil] : served, port: port, console, hooks: hooks, keeping: stubs.watch())
    if hasStubs { try console.print("\(stubs.count) stubs were read. Changed files are read again.") }
    return servers
  }

  func run(_ console: Console) throws -> Int32 {
    try start(console).waitForInterrupt()
    return 0
  }
}
