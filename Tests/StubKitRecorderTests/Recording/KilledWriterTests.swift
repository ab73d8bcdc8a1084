#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit
  @testable import StubKitArchive
  @testable import StubKitRecorder

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The test runs itself once more, as a process that writes a recording again and again until it is killed.
  ///
  /// `STUBKIT_KILLS` says how often; 3 by default, since a process takes its time to begin. `.ci/kills` asks for 200.
  @Suite("A process that dies while it writes a recording", .inTurn)
  struct KilledWriterTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["STUBKIT_KILLS"].flatMap { Int($0) } ?? 3

    /// Every version says which one it is in all of its entries, one of which has its body in a file.
    private static func archive(_ version: Int) -> HTTPArchive {
      let large = String(repeating: "\(version) ", count: 150_000)
      return HTTPArchive(
        entries: [entry("http://a.example/large", large)]
          + (0..<40).map { entry("http://a.example/\($0)", "\(version)") })
    }

    /// The version that a file has; nil if it is not one version as a whole.
    private static func version(in file: URL) throws -> Int? {
      let archive = try HTTPArchive(contentsOf: file)
      let texts = archive.entries.map { String(decoding: $0.response?.body ?? Data(), as: UTF8.self) }
      guard texts.count == 41, let version = Int(texts[1]), Set(texts.dropFirst()).count == 1 else { return nil }
      return texts[0] == String(repeating: "\(version) ", count: 150_000) ? version : nil
    }

    @Test("writes without end", .enabled(if: environment["STUBKIT_KILLED_WRITER"] != nil))
    func writer() throws {
      let file = URL(fileURLWithPath: try #require(Self.environment["STUBKIT_KILLED_WRITER"]))
      var version = try Self.version(in: file) ?? 0
      try Data().write(to: file.deletingLastPathComponent().appendingPathComponent("begun"))
      while true {
        version += 1
        try RecordingLock.whileLocked(file) { try Self.archive(version).write(to: file) }
      }
    }

    @Test("leaves the old one or the new one", .enabled(if: environment["STUBKIT_KILLED_WRITER"] == nil))
    func killed() async throws {
      let folder = try TestFolder()
      let file = folder.url.appendingPathComponent("users.har")
      let begun = folder.url.appendingPathComponent("begun")
      try Self.archive(1).write(to: file)
      var last = 1
      var random = SplitMix64(seed: 7)
      for kill in 1...Self.kills {
        // Any moment will do: the process is always writing.
        let wasRunning = try await Self.killWriter(of: file, begun: begun, after: UInt32(random.below(30_000)))
        #expect(wasRunning)
        try FileManager.default.removeItem(at: begun)
        let version = try #require(try Self.version(in: file), "kill \(kill)")
        #expect(version >= last)
        last = version
      }
      // The next whole write takes away what the dead ones have left of bodies.
      try Self.archive(0).write(to: file)
      #expect(folder.names.filter { !$0.hasPrefix(".") }.count == 2)
    }

    /// Waits on a thread of its own. The process writes as fast as it can, so it is not to wait for a turn of this test.
    ///
    /// - Parameter delay: Microseconds from the beginning of the writing.
    /// - Returns: Whether the process was still running.
    private static func killWriter(of file: URL, begun: URL, after delay: UInt32) async throws -> Bool {
      try await onOwnThread {
        let process = try start(writing: file)
        while !FileManager.default.fileExists(atPath: begun.path), process.isRunning { usleep(1_000) }
        usleep(delay)
        let wasRunning = process.isRunning
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return wasRunning
      }
    }

    private static func start(writing file: URL) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "KilledWriterTests/writer"]
      var environment = environment
      environment["STUBKIT_KILLED_WRITER"] = file.path
      process.environment = environment
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
  }
#endif
