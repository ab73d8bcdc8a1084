import Foundation
import StubKitRecorder
import TestSupport
import Testing

@testable import StubKitCommands

@Suite("The commands with servers", .inTurn)
struct ServerCommandsTests {
  private static func get(_ path: String, from url: URL) async throws -> String? {
    let port = try #require(url.port)
    return try await onOwnThread {
      let client = try LoopbackClient(port: port)
      client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      return client.readToEnd().bytes.text
    }
  }

  private static func archive(_ urls: String...) -> HTTPArchive {
    HTTPArchive(
      entries: urls.map { text in
        HTTPArchive.Entry(
          request: URLRequest(url: URL(string: text)!), response: .init(body: Data("kept \(text)".utf8)))
      })
  }

  @Test("serve ends with status 1, and names a missing file, a wrong origin or a port that is taken")
  func problems() throws {
    let file = folder.file("a.har")
    try Self.archive("https://a.example/").write(to: file)
    for (arguments, sentence) in [
      ([folder.url.path + "/none.har"], "none.har"), ([file.path, "--for", "a.example"], "is not an origin"),
      ([file.path, "--port", "\(real.port)"], "Port \(real.port) is taken"),
    ] {
      let run = ToolRun(["serve"] + arguments)
      #expect(run.status == 1 && run.warnings.first?.contains(sentence) == true, "\(arguments): \(run)")
    }
  }

  @Test("print no secret of a request, which redaction would replace")
  func printedSecrets() async throws {
    let file = folder.file("raw.har")
    // An export of a browser, which has not been redacted.
    try Self.archive("https://a.example/x?token=5e4d3c2b1a0f9e8d&page=2").write(to: file)
    let served = ToolOutput()
    let servers = try Serve(Arguments([file.path])).start(served.console()).servers
    _ = try await Self.get("/x?token=5e4d3c2b1a0f9e8d&page=2", from: servers[0].url)
    _ = try await Self.get("/none?access_token=77aa88bb99cc00dd&page=3", from: servers[0].url)
    try await until("both are printed") { served.printed.count { $0.hasPrefix("GET ") } >= 2 }
    for server in servers { await server.stop() }
    let (_, printed, _) = try await Self.record(
      [origin, "--secret", "tenant", folder.path("new.har")], asking: "/a?token=5e4d3c2b1a0f9e8d&tenant=acme-4711")
    let text = (served.printed + served.warnings + printed).joined(separator: "\n")
    #expect(text.contains("/x?token=REDACTED&page=2") && text.contains("page=3"), "\(text)")
    for secret in ["5e4d3c2b1a0f9e8d", "77aa88bb99cc00dd", "acme-4711"] { #expect(!text.contains(secret), "\(text)") }
  }

  /// Runs a test with the command `serve` and two recordings: of a.example and b.example, and of a.example alone.
  private func serving(
    _ test: (_ output: ToolOutput, _ urls: [URL]) async throws -> Void
  ) async throws {
    try Self.archive("https://a.example/x", "https://b.example/y").write(to: folder.file("1.har"))
    try Self.archive("https://a.example/z").write(to: folder.file("2.har"))
    let output = ToolOutput()
    let serve = try Serve(Arguments(["1", "2"].map { folder.url.path + "/\($0).har" }))
    let servers = try serve.start(output.console()).servers
    try await test(output, servers.map(\.url))
    for server in servers { await server.stop() }
  }

  @Test("serve has a server for each origin of its recordings, and prints where")
  func serve() async throws {
    try await serving { output, urls in
      #expect(
        output.printed == [
          "https://a.example is served at \(urls[0])", "https://b.example is served at \(urls[1])",
        ])
      let ofFirst = try await Self.get("/z", from: urls[0])
      #expect(ofFirst?.contains("kept https://a.example/z") == true, "\(ofFirst ?? "-")")
      let ofSecond = try await Self.get("/y", from: urls[1])
      #expect(ofSecond?.contains("kept https://b.example/y") == true, "\(ofSecond ?? "-")")
    }
  }

  @Test("serve prints each request, with the entry that answers it")
  func servedRequests() async throws {
    try await serving { output, urls in
      _ = try await Self.get("/z", from: urls[0])
      try await until("the request is printed") {
        output.printed.contains { $0.hasPrefix("GET https://a.example/z: ") }
      }
      #expect(
        output.printed.contains { $0.hasPrefix("GET https://a.example/z: 200") && $0.hasSuffix("(2.har, entry 1)") })
    }
  }

  @Test("serve answers a request that isn't recorded with a 501, and prints in eight lines what came near")
  func servedMiss() async throws {
    try await serving { output, urls in
      let missed = try await Self.get("/y", from: urls[0])
      #expect(missed?.hasPrefix("HTTP/1.1 501 ") == true)
      #expect(missed?.contains("\nThere are 3 recorded requests") == true)
      // Nothing that only a test can do.
      #expect(missed?.contains("HTTPStubs") == false)
      let line = "GET https://a.example/y: no stub matches"
      try await until("the request is printed") { output.printed.contains(line) }
      let report = output.printed.drop { $0 != line }.dropFirst()
      #expect(report.first?.hasPrefix("There are 3 recorded requests") == true, "\(report)")
      #expect(report.prefix { !$0.hasPrefix("GET ") }.count <= 8, "\(report)")
    }
  }

  /// Records the request of a client, and runs code before the file is written.
  private static func record(
    _ arguments: [String], asking path: String = "/a", _ meanwhile: () throws -> Void = {}
  ) async throws -> (answer: String?, printed: [String], error: RecordingError?) {
    let output = ToolOutput()
    let (servers, end) = try Record(Arguments(arguments)).start(output.console())
    let answer = try await get(path, from: servers.servers[0].url)
    try meanwhile()
    var error: RecordingError?
    do { try end() } catch let problem as RecordingError { error = problem }
    for server in servers.servers { await server.stop() }
    return (answer, output.printed, error)
  }

  private let folder: TestFolder
  private let real: LoopbackServer
  private var origin: String { "http://127.0.0.1:\(real.port)" }

  init() throws { (folder, real) = (try TestFolder(), try LoopbackServer()) }

  @Test("record passes a request on, prints a line for it, and writes it without its secrets")
  func record() async throws {
    // The real server answers with the word real and the request line.
    let arguments = [origin, folder.path("new.har")]
    let (answer, printed, error) = try await Self.record(arguments, asking: "/a?token=secret")
    #expect(error == nil)
    #expect(answer?.hasSuffix("real GET /a?token=secret") == true)
    #expect(printed.last?.hasSuffix(": passed on") == true)
    let entries = try HTTPArchive(contentsOf: folder.file("new.har")).entries
    #expect(entries.map(\.request.url?.absoluteString) == ["\(origin)/a?token=REDACTED"])
  }

  @Test("record refuses a file that exists")
  func recordOver() throws {
    try Self.archive("\(origin)/").write(to: folder.file("old.har"))
    #expect(throws: UsageMistake.self) { try Record(Arguments([origin, folder.path("old.har")])) }
  }

  @Test("record takes the options of redact, and a file whose name begins with a tilde")
  func recordRedacting() async throws {
    let file = folder.file("~new.har")
    let path = "/a?token=5e4d3c2b1a0f9e8d&tenant=blue"
    _ = try await Self.record([origin, "--secret", "tenant", "--keep=token", "--", file.path], asking: path)
    let query = try HTTPArchive(contentsOf: file).entries.first?.request.url?.query()
    #expect(query?.contains("token=5e4d3c2b1a0f9e8d") == true && query?.contains("blue") == false, "\(query ?? "")")
  }

  @Test("record keeps the old file if the server is down, or if the port is taken")
  func kept() async throws {
    real.stop()
    let old = folder.file("old.har")
    try Self.archive("https://a.example/").write(to: old)
    let bytes = try Data(contentsOf: old)
    #expect(try await Self.record([origin, old.path, "--replace"]).error != nil)
    #expect(try Data(contentsOf: old) == bytes)
    let other = try LoopbackServer()
    defer { other.stop() }
    #expect(ToolRun("record", origin, old.path, "--replace", "--port", "\(other.port)").status == 1)
    #expect(try Data(contentsOf: old) == bytes)
  }

  @Test("record keeps a file that was made meanwhile, unless --replace is given", arguments: [false, true])
  func madeMeanwhile(isReplaced: Bool) async throws {
    let file = folder.file("new.har")
    let error = try await Self.record([origin, file.path] + (isReplaced ? ["--replace"] : [])) {
      try Data("mine".utf8).write(to: file)
    }.error
    #expect((error == nil) == isReplaced)
    // Without --replace, the recording is written beside the file.
    #expect(try HTTPArchive(contentsOf: isReplaced ? file : file.appendingPathExtension("failed")).entries.count == 1)
    #expect(try (Data(contentsOf: file) == Data("mine".utf8)) != isReplaced)
  }

  #if os(Linux)
    private static func descriptorCount(of process: Process) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
    }

    private static func tool(_ arguments: [String], most limits: String = "") -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Beside the program of the tests.
      let tool = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "stubkit-har").path ?? ""
      process.arguments = ["-c", #"\#(limits) exec "$0" "$@""#, tool] + arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return process
    }

    @Test("redact leaves the old file or the new one, wherever in its write the process is killed")
    func killed() async throws {
      let file = folder.file("large.har")
      let text = String(repeating: "token=5e4d3c2b1a0f9e8d7c6b text ", count: 2_000)
      let entry = HTTPArchive.Entry(
        request: request("https://a.example/"), response: .init(body: Data(text.utf8)))
      let old = HTTPArchive(entries: [entry]).data
      let arguments = ["redact", file.path, "--in-place", "--no-standard", "--text", "5e4d3c2b1a0f9e8d7c6b"]
      try old.write(to: file)
      #expect(ToolRun(arguments).status == 0)
      let new = try Data(contentsOf: file)
      // The system ends a process that writes more than it may, unless its parent blocks the signal, as Dispatch's
      // threads do. Shells count in halves of a kilobyte, or in whole ones.
      for eighth in stride(from: 0, to: 8, by: TestSize.of(1, inPart: 3)) {
        try old.write(to: file)
        let process = Self.tool(arguments, most: "ulimit -f \(new.count / 1_024 * eighth / 8);")
        try await onOwnThread {
          var blocked = sigset_t()
          sigemptyset(&blocked)
          pthread_sigmask(SIG_SETMASK, &blocked, nil)
          signal(SIGXFSZ, SIG_DFL)
          try process.run()
          process.waitUntilExit()
        }
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGXFSZ
        #expect(isKilled || isSanitized && process.terminationStatus != 0, "\(eighth)")
        #expect(try Data(contentsOf: file) == old, "\(eighth)")
      }
      // When its temporary file appears, and when that has taken the place of the old one.
      for isReplaced in [false, true] {
        try old.write(to: file)
        let count = folder.names.count
        let process = Self.tool(arguments)
        try process.run()
        try await onOwnThread {
          var status = stat()
          stat(file.path, &status)
          let number = status.st_ino
          while process.isRunning, isReplaced ? status.st_ino == number : folder.names.count == count {
            stat(file.path, &status)
          }
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
        }
        let bytes = try Data(contentsOf: file)
        #expect(bytes == new || bytes == old && !isReplaced, "\(isReplaced)")
      }
    }

    /// A running `stubkit-har record`, and the URL at which it serves the network.
    private func recording(
      _ arguments: [String], most limits: String = "", mode: String? = nil
    ) async throws -> (process: Process, url: URL) {
      let (process, output) = (Self.tool(["record", origin] + arguments, most: limits), Pipe())
      process.environment = ProcessInfo.processInfo.environment.merging(mode.map { ["STUBKIT_RECORD": $0] } ?? [:]) {
        $1
      }
      process.standardOutput = output
      try process.run()
      let line = try await onOwnThread { output.fileHandleForReading.availableData.text }
      let url = line.split(whereSeparator: \.isWhitespace).last.flatMap { URL(string: String($0)) }
      return (process, try #require(url, "\(line)"))
    }

    @Test("record ends by itself at a signal that comes as soon as its address is known", arguments: 1...10)
    func earlySignal(round: Int) async throws {
      let (process, _) = try await recording([folder.path("\(round).har")])
      defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      kill(process.processIdentifier, SIGINT)
      try await until("the process has ended") { !process.isRunning }
      #expect(process.terminationReason == .exit)
    }

    @Test("record writes what it has when its clients hold all descriptors that it may have")
    func exhausted() async throws {
      let (file, most) = (folder.file("new.har"), 60)
      let (process, url) = try await recording([file.path], most: "ulimit -n \(most);")
      defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      #expect(try await Self.get("/a", from: url)?.hasSuffix("real GET /a") == true)
      let port = try #require(url.port)
      let clients = try (0..<most).map { _ in try LoopbackClient(port: port) }
      try await until("no descriptor is left") { try Self.descriptorCount(of: process) >= most }
      kill(process.processIdentifier, SIGINT)
      try await until("the process has ended") { !process.isRunning }
      // The clients are named here, so that they live until now.
      #expect(process.terminationStatus == 0 && clients.count == most)
      #expect(try HTTPArchive(contentsOf: file).entries.map { $0.response?.body } == [Data("real GET /a".utf8)])
    }

    @Test(
      "record writes what it has at SIGINT, SIGTERM and SIGHUP, whatever STUBKIT_RECORD is",
      arguments: [(SIGINT, "live"), (SIGTERM, "once"), (SIGHUP, "replay"), (SIGINT, "no mode")])
    func signals(number: Int32, mode: String) async throws {
      let file = folder.file("new.har")
      // The mode is the value of STUBKIT_RECORD. `once` lets tests keep a file that exists, and `no mode` is none.
      if mode == "once" { try Self.archive("\(origin)/a").write(to: file) }
      let (process, url) = try await recording([file.path, "--replace"], mode: mode)
      defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      _ = try await Self.get("/a", from: url)
      kill(process.processIdentifier, number)
      try await until("the process has ended") { !process.isRunning }
      #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
      let rest = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
      #expect(rest.text.contains("Writing "))
      #expect(try HTTPArchive(contentsOf: file).entries.map { $0.response?.body } == [Data("real GET /a".utf8)])
    }
  #endif
}
