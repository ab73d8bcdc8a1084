import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("An HTTP Archive in a file", .inTurn)
struct HTTPArchiveFilesTests {
  private let folder: TestFolder
  private let file: URL

  init() throws {
    folder = try TestFolder()
    file = folder.file("users.har")
  }

  private static func entry(_ body: Data, type: String = "application/json") -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: URLRequest(url: url("http://a.example/")), response: .init(headers: ["Content-Type": type], body: body),
      startedAt: Date(timeIntervalSince1970: 0))
  }

  @Test("is read as it was written, and nothing is beside it")
  func whole() throws {
    let archive = HTTPArchive(
      Self.entry(Data(repeating: 0x61, count: 300_000)), Self.entry(Data(repeating: 0xFF, count: 300_000)))
    try archive.write(to: file)
    let read = try HTTPArchive(contentsOf: file)
    #expect(read == archive)
    #expect(read.fileName == "users.har")
    #expect(folder.names == ["users.har"])
  }

  @Test("is written over without a change to what was read before, or to another tool's file beside it")
  func writtenOver() throws {
    let archive = HTTPArchive(Self.entry(Data(repeating: 0x61, count: 300_000)))
    try archive.write(to: file)
    let read = try HTTPArchive(contentsOf: file)
    try folder.write("[]", to: "users.0123456789abcdef.json")
    try HTTPArchive(Self.entry(Data("1".utf8))).write(to: file)
    #expect(read == archive)
    #expect(folder.names == ["users.0123456789abcdef.json", "users.har"])
  }

  @Test(
    "can't be written where a link to nowhere, a pipe, a folder or a device is, and the error says so",
    arguments: ["a link", "a pipe", "a folder", "a device"])
  func badTargets(kind: String) throws {
    let target = kind == "a device" ? URL(fileURLWithPath: "/dev/null") : folder.file("users.har")
    switch kind {
    case "a link":
      let nowhere = folder.file("nowhere")
      try FileManager.default.createSymbolicLink(at: target, withDestinationURL: nowhere)
    case "a pipe": #expect(mkfifo(target.path, 0o600) == 0)
    case "a folder": try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    default: break
    }
    let names = folder.names
    let error = #expect(throws: HTTPArchiveError.self) {
      try HTTPArchive(Self.entry(Data("1".utf8))).write(to: target)
    }
    #expect(error?.description.hasPrefix("\(target.path): The archive can't be written there: it is ") == true)
    #expect(folder.names == names)
  }

  @Test("is written through a symbolic link, into a folder that is made for it")
  func placement() throws {
    let target = folder.file("deep/down/users.har")
    try HTTPArchive(Self.entry(Data("1".utf8))).write(to: target)
    let symbolic = folder.file("link.har")
    try FileManager.default.createSymbolicLink(at: symbolic, withDestinationURL: target)
    let archive = HTTPArchive(Self.entry(Data("2".utf8)))
    try archive.write(to: symbolic)
    #expect(try HTTPArchive(contentsOf: target) == archive)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: symbolic.path) == target.path)
  }

  /// Names that lead to a file outside of the folder, to none, or to what is no file.
  private static let hostileNames = [
    "../secret.txt", "/etc/hostname", "a/../../secret.txt", "", ".", "./", "..", "../", "a/..", "./../secret.txt",
    "rec/../../secret.txt", "....//secret.txt", ".\\u002e/secret.txt", "..\\/secret.txt", "..\\\\secret.txt",
    "/../secret.txt", "//secret.txt", "///etc/hostname", "~/secret.txt", "~root/secret.txt", "file:../secret.txt",
    "file:///etc/hostname", "http://a.example/secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "body.json\\u0000",
    "\\u0000", "../secret.txt\\u0000.json", "body.json/", "body.json/../../secret.txt", "missing.json", "deep",
    "out.txt", "out/secret.txt",
    "deep/up/secret.txt", "circle", "nowhere", "pipe", "zero", "\\u2025/secret.txt", "..\\u0301/secret.txt",
    "/\\u0301/../../secret.txt",
    "/dev/zero", "/etc/passwd",
    "\(String(repeating: "a/", count: 3_000))secret.txt",
  ]

  /// A folder with an archive, whose one entry names a file for the body of its request or of its response, beside all
  /// that such a name can lead to: a file with a secret outside of the folder, links, a pipe and a device.
  private struct Trap {
    let folder: TestFolder
    let member: String
    var archive: URL { place("a.har") }

    func place(_ name: String) -> URL { folder.file("rec").appendingPathComponent(name) }

    init(_ folder: TestFolder, member: String) throws {
      (self.folder, self.member) = (folder, member)
      try FileManager.default.createDirectory(at: place("deep"), withIntermediateDirectories: true)
      try Data("s3cret-outside".utf8).write(to: folder.file("secret.txt"))
      try Data(#"{"password": "s3cret-inside"}"#.utf8).write(to: place("body.json"))
      for (name, target) in [
        ("inside", "body.json"), ("out.txt", "../secret.txt"), ("out", ".."), ("deep/up", "../.."),
        ("circle", "circle"), ("nowhere", "no/where"), ("zero", "/dev/zero"),
      ] { try FileManager.default.createSymbolicLink(atPath: place(name).path, withDestinationPath: target) }
      try #require(mkfifo(place("pipe").path, 0o600) == 0)
    }

    /// Writes the archive. Returns its text.
    func write(naming name: String) throws -> Data {
      let body = #""mimeType": "application/json", "_file": "\#(name)""#
      let (sent, content) = member == "content" ? ("", body) : (#", "postData": {\#(body)}"#, #""text": """#)
      let text = #"""
        {"log": {"version": "1.2", "creator": {"name": "other", "version": "1.0"}, "entries": [{
          "request": {"method": "POST", "url": "http://a.example/"\#(sent)},
          "response": {"status": 200, "headers": [], "content": {"size": 0, \#(content)}}}]}}
        """#
      try Data(text.utf8).write(to: archive)
      return Data(text.utf8)
    }

    /// The body that the entry has.
    func body(of entry: HTTPArchive.Entry) -> Data? {
      member == "content" ? entry.response?.body : entry.request.httpBody
    }
  }

  @Test("never reads a file outside of its folder, whatever its entries name", arguments: ["content", "postData"])
  func namesOutside(member: String) throws {
    let trap = try Trap(folder, member: member)
    for name in Self.hostileNames {
      _ = try trap.write(naming: name)
      let entry = try #require(try HTTPArchive(contentsOf: trap.archive).entries.first)
      #expect((trap.body(of: entry) ?? Data()).isEmpty, "\(name)")
      #expect(entry.obstacle?.contains("has a body in the file ") == true, "\(name)")
    }
  }

  @Test(
    "reads a file in its folder, by its name or through a link", arguments: ["content", "postData"],
    ["body.json", "./body.json", "inside"])
  func namesInside(member: String, name: String) throws {
    let trap = try Trap(folder, member: member)
    _ = try trap.write(naming: name)
    let entry = try #require(try HTTPArchive(contentsOf: trap.archive).entries.first)
    #expect(trap.body(of: entry) == Data(#"{"password": "s3cret-inside"}"#.utf8))
    #expect(entry.obstacle == nil)
  }

  @Test("without a place reads no file, and its entry says how it would", arguments: ["content", "postData"])
  func withoutPlace(member: String) throws {
    let trap = try Trap(folder, member: member)
    for name in Self.hostileNames + ["body.json", "./body.json", "inside"] {
      let archive = try HTTPArchive(trap.write(naming: name))
      #expect(archive.entries.first?.obstacle?.contains("init(contentsOf:)") == true, "\(name)")
    }
  }

  @Test(
    "is written and redacted without a secret and without a change to any file that it names",
    arguments: ["content", "postData"])
  func namedFilesStay(member: String) throws {
    let trap = try Trap(folder, member: member)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for name in Self.hostileNames + ["body.json", "./body.json", "inside"] {
      _ = try trap.write(naming: name)
      try HTTPArchive(contentsOf: trap.archive).write(to: trap.place("written.har"))
      var document = try ArchiveDocument(contentsOf: trap.archive)
      try document.redact(.standard, for: trap.archive)
      try document.data.writeAsArchive(to: trap.archive)
      #expect(try String(contentsOf: trap.archive, encoding: .utf8).contains("s3cret") == false, "\(name)")
      for name in ["a.har", "written.har"] { try FileManager.default.removeItem(at: trap.place(name)) }
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == kept)
    #expect(try Data(contentsOf: folder.file("secret.txt")) == Data("s3cret-outside".utf8))
    #expect(try Data(contentsOf: trap.place("body.json")) == Data(#"{"password": "s3cret-inside"}"#.utf8))
  }

  @Test("keeps the bytes of a body whose file is cut off afterwards, and refuses a body of more than 64 MB")
  func changingFiles() throws {
    let text = #"""
      {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "http://a.example/"},
        "response": {"status": 200, "content": {"size": 6, "_file": "body.bin"}}}]}}
      """#
    try Data(text.utf8).write(to: file)
    let body = folder.file("body.bin")
    let bytes = Data(repeating: 0x61, count: 1 << 20)
    try bytes.write(to: body)
    let archive = try HTTPArchive(contentsOf: file)
    #expect(truncate(body.path, 0) == 0)
    #expect(archive.entries[0].response?.body == bytes)
    #expect(truncate(body.path, off_t(ArchivedBody.longest + 1)) == 0)
    #expect(try HTTPArchive(contentsOf: file).entries[0].obstacle?.contains("has more than 64 MB") == true)
  }
}
