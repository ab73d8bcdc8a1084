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
    #expect(read == archive && read.fileName == "users.har")
    #expect(folder.names == ["users.har"])
    // A file of another tool stays.
    try folder.write("[]", to: "users.0123456789abcdef.json")
    try HTTPArchive(Self.entry(Data("1".utf8))).write(to: file)
    #expect(folder.names == ["users.0123456789abcdef.json", "users.har"])
    // What was read doesn't change with the file.
    #expect(read == archive)
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

  @Test(
    "never reads or changes a file outside of its folder, whatever its entries name",
    arguments: ["content", "postData"])
  func hostileFiles(member: String) throws {
    let archives = folder.file("rec")
    let secret = folder.file("secret.txt")
    func place(_ name: String) -> URL { archives.appendingPathComponent(name) }
    try FileManager.default.createDirectory(at: place("deep"), withIntermediateDirectories: true)
    try Data("s3cret-outside".utf8).write(to: secret)
    try Data(#"{"password": "s3cret-inside"}"#.utf8).write(to: place("body.json"))
    for (name, target) in [
      ("inside", "body.json"), ("out.txt", "../secret.txt"), ("out", ".."), ("deep/up", "../.."), ("circle", "circle"),
      ("nowhere", "no/where"), ("zero", "/dev/zero"),
    ] { try FileManager.default.createSymbolicLink(atPath: place(name).path, withDestinationPath: target) }
    #expect(mkfifo(place("pipe").path, 0o600) == 0)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for name in Self.hostileNames + ["body.json", "./body.json", "inside"] {
      let isInside = name.hasSuffix("body.json") || name == "inside"
      let body = #""mimeType": "application/json", "_file": "\#(name)""#
      let (sent, content) = member == "content" ? ("", body) : (#", "postData": {\#(body)}"#, #""text": """#)
      let text = #"""
        {"log": {"version": "1.2", "creator": {"name": "other", "version": "1.0"}, "entries": [{
          "request": {"method": "POST", "url": "http://a.example/"\#(sent)},
          "response": {"status": 200, "headers": [], "content": {"size": 0, \#(content)}}}]}}
        """#
      let file = place("a.har")
      try Data(text.utf8).write(to: file)
      let entry = try #require(try HTTPArchive(contentsOf: file).entries.first)
      let read = member == "content" ? entry.response?.body : entry.request.httpBody
      #expect((read ?? Data()).isEmpty != isInside, "\(name)")
      #expect(entry.obstacle?.contains("has a body in the file ") ?? false != isInside, "\(name)")
      // Without a place there are no files.
      let elsewhere = try HTTPArchive(Data(text.utf8)).entries.first?.obstacle
      #expect(elsewhere?.contains("init(contentsOf:)") == true, "\(name)")
      try HTTPArchive(contentsOf: file).write(to: place("written.har"))
      var document = try ArchiveDocument(contentsOf: file)
      try document.redact(.standard, for: file)
      try document.data.writeAsArchive(to: file)
      #expect(try String(contentsOf: file, encoding: .utf8).contains("s3cret") == false, "\(name)")
      for name in ["a.har", "written.har"] { try FileManager.default.removeItem(at: place(name)) }
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == kept)
    #expect(try Data(contentsOf: secret) == Data("s3cret-outside".utf8))
    #expect(try Data(contentsOf: place("body.json")) == Data(#"{"password": "s3cret-inside"}"#.utf8))
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
