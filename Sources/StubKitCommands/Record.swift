import Foundation
import StubKitRecorder
import StubKitServer

/// Records what passes to a server and back.
struct Record: Command {
  static let help = """
    stubkit-har record ORIGIN FILE.har [--port N] [--replace] [--secret NAME] …

    Passes requests on to a server, and records them, until ^C.

      --port N              the port, by default any free one
      --replace             replaces a file that exists
    \(Arguments.helpOfRedactions)

    Tokens, cookies, passwords and the like are removed from it.

    """

  private let origin: String
  private let file: URL
  private let port: Int?
  private let isReplaced: Bool
  private let redactions: [Redaction]

  init(_ arguments: consuming Arguments) throws(UsageMistake) {
    port = try arguments.takePort()
    isReplaced = arguments.takeFlag("--replace")
    redactions = try arguments.takeRedactions()
    let words = try arguments.rest()
    try require(words.count == 2, "Pass an origin, such as https://api.example.com, and a file.")
    origin = words[0]
    file = URL(fileURLWithPath: words[1])
    try require(file.pathExtension == "har", "\(words[1]) is not the name of a .har file.")
    let isFree = isReplaced || !file.isThere
    try require(isFree, "\(words[1]) exists. Choose another name, or pass --replace.")
  }

  /// Starts to record.
  ///
  /// - Returns: The server, and a closure that ends the recording and writes it.
  func start(_ console: Console) throws -> (servers: Servers, end: () throws -> Void) {
    let registry = StubRegistry()
    let recording = Recording(
      file.deletingPathExtension().lastPathComponent, in: file.deletingLastPathComponent(), mode: .all,
      redacting: redactions)
    // The variables that change what tests record don't change what the tool writes.
    let use = try RecordingUse(
      recording, in: registry, at: StubLocation(#fileID, #filePath, #line, #column), filter: nil, isOfTest: false,
      surroundings: RecordingSurroundings(environment: [:], replacesFiles: isReplaced, say: console.warn))
    registry.onMissing { request in try? console.print("\(registry.shown(request.line)): passed on") }
    let servers = try Servers(registry, for: [origin], port: port, console)
    return (
      servers,
      {
        use.stop()
        // Clients can hold all descriptors, of which a write needs one.
        for server in servers.servers { server.stopAndWait() }
        try use.end(because: nil)
      }
    )
  }

  func run(_ console: Console) throws -> Int32 {
    let interrupt = Interrupt()
    let (_, end) = try start(console)
    interrupt.wait()
    try? console.print("Writing \(file.relativePath). Press ^C again to leave it as it was.")
    try end()
    return 0
  }
}
