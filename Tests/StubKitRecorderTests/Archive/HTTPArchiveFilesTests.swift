import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("An HTTP Archive in a file", .inTurn)
struct HTTPArchiveFilesTests {
  private let folder: TestFolder
  private let file: URL

  init() throws {
    folder = try TestFolder()
    file = folder.url.appendingPathComponent("users.har")
  }

  private static func entry(_ body: Data, type: String = "application/json") -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: URLRequest(url: url("http://a.example/")), response: .init(headers: ["Content-Type": type], body: body),
      startedAt: Date(timeIntervalSince1970: 0))
  }

  private static func body(_ byte: UInt8, count: Int = 256_001) -> Data { Data(repeating: byte, count: count) }

  @Test("is read as it was written, long bodies from files beside it")
  func longBodies() throws {
    let archive = HTTPArchive(entries: [
      Self.entry(Self.body(0x61)), Self.entry(Self.body(0x62, count: 256_000)),
      Self.entry(Self.body(0xFF), type: "image/png"),
      Self.entry(Self.body(0x61)),
    ])
    try archive.write(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.utf8.count < 300_000 && text.contains(#""_file": "users."#))
    // Equal bodies share a file.
    #expect(folder.names.count == 3 && folder.names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".png") }.count == 2)
    let read = try HTTPArchive(contentsOf: file)
    #expect(read == archive && read.fileName == "users.har")
    #expect(read.entries.map { $0.response?.content.file != nil } == [true, false, true, true])
    // The value of an archive has all of it.
    #expect(try HTTPArchive(read.data) == archive)
  }

  @Test("is written the same again, and what belongs to the older one alone goes")
  func rewriting() throws {
    try HTTPArchive(entries: [Self.entry(Self.body(0x61)), Self.entry(Self.body(0x62))]).write(to: file)
    let names = folder.names
    let read = try HTTPArchive(contentsOf: file)
    try read.write(to: file)
    #expect(folder.names == names)
    // Neither a file of the user's nor one of another archive is touched.
    let others = [
      "users.json", "users.0123.json", "orders.0123456789abcdef.json", "users.0123456789abcdef.swift",
      "users.0123456789abcdef.json",
    ]
    for name in others { try Data().write(to: folder.url.appendingPathComponent(name)) }
    try HTTPArchive(entries: [Self.entry(Self.body(0x62))]).write(to: file)
    #expect(
      Set(folder.names) == Set(others + ["users.har"] + names.filter { folder.names.contains($0) && $0 != "users.har" })
    )
    #expect(folder.names.count == others.count + 2)
    // The value that was read before still has both.
    #expect(read.entries[0].response?.body == Self.body(0x61) && read.entries[1].response?.body == Self.body(0x62))
  }

  @Test("is written after a writer that died, whose files go")
  func leftovers() async throws {
    try HTTPArchive(entries: [Self.entry(Self.body(0x61))]).write(to: file)
    let old = try #require(folder.names.first { $0.hasSuffix(".json") })
    // The dead one had put a body in place, and kept the names of the old ones. Another one is still writing.
    let dead = HTTPArchive(entries: [Self.entry(Self.body(0x62))])
    let trial = folder.url.appendingPathComponent("trial/users.har")
    try dead.write(to: trial)
    let names = try FileManager.default.contentsOfDirectory(atPath: trial.deletingLastPathComponent().path)
    let body = try #require(names.first { $0.hasSuffix(".json") })
    let id = UUID().uuidString
    let moves = [(body, body), ("users.har", ".users.\(id).tmp")]
    for (from, to) in moves {
      try FileManager.default.moveItem(
        at: trial.deletingLastPathComponent().appendingPathComponent(from), to: folder.url.appendingPathComponent(to))
    }
    try FileManager.default.removeItem(at: trial.deletingLastPathComponent())
    try Data("half".utf8).write(to: folder.url.appendingPathComponent(".users.\(id).0.tmp"))
    let other = ".users.\(UUID().uuidString).tmp"
    try Data("begun".utf8).write(to: folder.url.appendingPathComponent(other))
    let descriptor = open(folder.url.appendingPathComponent(other).path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(Set(folder.names) == ["users.har", old, body, ".users.\(id).tmp", ".users.\(id).0.tmp", other])

    // A process that another test has just started holds the lock of the dead one, until it runs its own program.
    try await until("the files of the dead writer are gone") {
      try HTTPArchive(entries: [Self.entry(Data("1".utf8))]).write(to: file)
      return Set(folder.names) == ["users.har", other]
    }
  }

  @Test("keeps the bodies that the replaced archive doesn't name, and mends one of other bytes")
  func bodiesOfOthers() throws {
    try HTTPArchive(entries: [Self.entry(Self.body(0x61))]).write(to: file)
    let name = try #require(folder.names.first { $0.hasSuffix(".json") })
    let body = folder.url.appendingPathComponent(name)
    // As many bytes as before, but others.
    try Self.body(0x7A).write(to: body)
    try HTTPArchive(entries: [Self.entry(Self.body(0x61))]).write(to: file)
    #expect(try Data(contentsOf: body) == Self.body(0x61))
    // Another archive takes the name, as `stubkit redact -o` does.
    try FileManager.default.removeItem(at: file)
    try HTTPArchive(entries: [Self.entry(Data("1".utf8))]).write(to: file)
    #expect(Set(folder.names) == ["users.har", name])
  }

  @Test("is an error that says what is in its place", arguments: ["a link", "a pipe", "a folder", "a device"])
  func badTargets(kind: String) throws {
    let target = kind == "a device" ? URL(fileURLWithPath: "/dev/null") : folder.url.appendingPathComponent("users.har")
    switch kind {
    case "a link":
      let nowhere = folder.url.appendingPathComponent("nowhere")
      try FileManager.default.createSymbolicLink(at: target, withDestinationURL: nowhere)
    case "a pipe": #expect(mkfifo(target.path, 0o600) == 0)
    case "a folder": try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    default: break
    }
    let names = folder.names
    let error = #expect(throws: HTTPArchiveError.self) {
      try HTTPArchive(entries: [Self.entry(Data("1".utf8))]).write(to: target)
    }
    #expect(error?.description.hasPrefix("\(target.path): The archive can't be written there: it is ") == true)
    #expect(folder.names == names)
  }

  @Test("is left alone when it can't be written")
  func failure() throws {
    let archive = HTTPArchive(entries: [Self.entry(Self.body(0x61))])
    try archive.write(to: file)
    let names = folder.names
    let other = HTTPArchive(entries: [Self.entry(Self.body(0x63)), Self.entry(Self.body(0x64))])
    let blocked = try block(Self.body(0x64))
    let error = #expect(throws: HTTPArchiveError.self) { try other.write(to: file) }
    #expect(error?.description.contains(file.path) == true)
    #expect(folder.names == (names + [blocked.lastPathComponent]).sorted())
    #expect(try HTTPArchive(contentsOf: file) == archive)
  }

  @Test("names the bodies of a dead writer until they are gone, also through a write that fails")
  func leftoversOfTwo() throws {
    try HTTPArchive(entries: [Self.entry(Self.body(0x61))]).write(to: file)
    // The dead one had put its archive in place, and kept the older one, which names the body that is to go.
    let older = folder.url.appendingPathComponent(".users.\(UUID().uuidString).old.tmp")
    try FileManager.default.moveItem(at: file, to: older)
    try HTTPArchive(entries: [Self.entry(Data("1".utf8))]).data.write(to: file)
    let names = folder.names

    let next = HTTPArchive(entries: [Self.entry(Self.body(0x62))])
    let blocked = try block(Self.body(0x62))
    #expect(throws: HTTPArchiveError.self) { try next.write(to: file) }
    #expect(folder.names == (names + [blocked.lastPathComponent]).sorted())
    try FileManager.default.removeItem(at: blocked)
    try next.write(to: file)
    #expect(folder.names == [blocked.lastPathComponent, "users.har"].sorted())
  }

  /// Puts a folder in the place of a body's file.
  private func block(_ body: Data) throws -> URL {
    let name = try ArchiveFiles(file).name(of: ArchivedBody(body), type: "application/json")
    let place = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return place
  }

  @Test("takes a body from a temporary file without reading it")
  func temporaryBody() throws {
    let source = folder.url.appendingPathComponent("download.tmp")
    try Self.body(0x7A).write(to: source)
    let inode = try FileManager.default.attributesOfItem(atPath: source.path)[.systemFileNumber] as? Int
    var archive = HTTPArchive(entries: [Self.entry(Data())])
    archive.entries[0].response?.content = ArchivedBody(ArchivedFile(source, length: 256_001, isTemporary: true))
    try archive.write(to: file)
    let name = try #require(folder.names.first { $0.hasSuffix(".json") })
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent(name).path)
    #expect(attributes[.systemFileNumber] as? Int == inode)
    archive = HTTPArchive()
    #expect(!folder.names.contains("download.tmp") && folder.names.contains(name))
    #expect(try HTTPArchive(contentsOf: file).entries[0].response?.body == Self.body(0x7A))
  }

  @Test("is written through a symbolic link, into a folder that is made for it")
  func placement() throws {
    let target = folder.url.appendingPathComponent("deep/down/users.har")
    try HTTPArchive(entries: [Self.entry(Data("1".utf8))]).write(to: target)
    let symbolic = folder.url.appendingPathComponent("link.har")
    try FileManager.default.createSymbolicLink(at: symbolic, withDestinationURL: target)
    let archive = HTTPArchive(entries: [Self.entry(Data("2".utf8))])
    try archive.write(to: symbolic)
    #expect(try HTTPArchive(contentsOf: target) == archive)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: symbolic.path) == target.path)
  }

  @Test(
    "names no file but those beside it",
    arguments: ["../secret.txt", "/etc/hostname", "a/../../secret.txt", "missing.json", "", "."])
  func otherFiles(name: String) throws {
    try Data("secret".utf8).write(to: folder.url.deletingLastPathComponent().appendingPathComponent("secret.txt"))
    defer {
      try? FileManager.default.removeItem(
        at: folder.url.deletingLastPathComponent().appendingPathComponent("secret.txt"))
    }
    let text = #"""
      {"log": {"version": "1.2", "creator": {"name": "StubKit", "version": "1.0"}, "entries": [{
        "request": {"method": "GET", "url": "http://a.example/"},
        "response": {"status": 200, "headers": [], "content": {"size": 6, "_file": "\#(name)"}}}]}}
      """#
    try Data(text.utf8).write(to: file)
    let entry = try #require(try HTTPArchive(contentsOf: file).entries.first)
    #expect(
      entry.response?.body.isEmpty == true && entry.obstacle?.contains("has a body in the file \"\(name)\"") == true)
    // Without a place there are no files.
    #expect(try HTTPArchive(Data(text.utf8)).entries[0].obstacle?.contains("init(contentsOf:)") == true)
  }
}
