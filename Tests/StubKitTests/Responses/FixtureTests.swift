import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A fixture", .inTurn)
struct FixtureTests {
  @Test("is found in a bundle, by path and by URL")
  func found() throws {
    let responses: [StubResponse] = [
      .fixture("Fixtures/users.json", in: .module),
      .fixture("/Fixtures//users.json", in: .module, status: 200, headers: [:]),
      .file(Bundle.module.resourceURL!.appendingPathComponent("Fixtures/users.json")),
      .file(Bundle.module.resourceURL!.path + "/Fixtures/users.json"),
    ]
    for (number, response) in responses.enumerated() {
      let users = try StubJSON(parsing: response.body.load())
      #expect(users[0]?["name"] == "Ann", "\(number)")
      #expect(response.headers["Content-Type"] == "application/json", "\(number)")
      // The file is opened for a request only.
      #expect(response.body.isClosed, "\(number)")
      #expect(response.problem == nil, "\(number)")
    }
  }

  @Test("takes status and headers")
  func statusAndHeaders() {
    let response = StubResponse.file("a.json", status: 201, headers: ["content-type": "x/y", "A": "b"])
    #expect(response.status == 201)
    #expect(response.headers.joined == ["content-type": "x/y", "A": "b"])
    #expect(StubResponse.fixture("a.json", in: .main, status: 203, headers: ["A": "b"]).headers["a"] == "b")
  }

  @Test("is looked for in the current directory")
  func relativePath() throws {
    let name = "stubkit-\(UUID().uuidString).txt"
    let response = StubResponse.file(name)
    let file = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent(name)
    #expect(throws: StubResponseError.Reason.self) { try response.body.load() }
    try Data("late".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try response.body.load() == Data("late".utf8))
  }

  @Test("that is missing from a folder says where it was looked for, and names similar files")
  func missing() throws {
    try withFolder(["users.json": "[]", "Nested/user.json": "{}", "other.txt": ""]) { folder in
      let file = folder.appendingPathComponent("user.json")
      let expected = StubResponseError.Reason.fixtureMissing(
        file.path, lookedIn: [folder.path], similar: ["Nested/user.json", "users.json"], isResource: false)
      #expect(throws: expected) { try StubResponse.file(file).body.load() }
      #expect(throws: expected) { try StubResponse.file(file.path).body.load() }
      #expect(expected.description.contains(#"Did you mean "Nested/user.json" or "users.json"?"#))
      #expect(expected.description.contains("StubKit looked in \(folder.path)."))
    }
  }

  @Test("that is missing from a bundle says in which folders it was looked for, and names similar ones")
  func missingInBundle() throws {
    let error = #expect(throws: StubResponseError.Reason.self) {
      try StubResponse.fixture("Fixtures/user.json", in: .module).body.load()
    }
    let text = try #require(error).description
    #expect(text.contains(Bundle.module.bundleURL.appendingPathComponent("Fixtures").path))
    #expect(text.contains(#"Did you mean "Fixtures/users.json"?"#))
  }

  @Test("that is named without its folder in a bundle says to write the folder")
  func folderMissing() throws {
    let error = #expect(throws: StubResponseError.Reason.self) {
      try StubResponse.fixture("users.json", in: .module).body.load()
    }
    let text = try #require(error).description
    #expect(text.contains(#"Did you mean "Fixtures/users.json"?"#))
    #expect(text.contains("Write the folder"))
  }

  @Test("that is a directory says so")
  func directory() throws {
    let folder = try TestFolder()
    #expect(throws: StubResponseError.Reason.fixture(folder.url.path, .isDirectory)) {
      try StubResponse.file(folder.url).body.load()
    }
  }

  @Test("that is a URL of no file says so")
  func noFileURL() {
    #expect(throws: StubResponseError.Reason.fixtureNotAFileURL("https://example.com/a.json")) {
      try StubResponse.file(url("https://example.com/a.json")).body.load()
    }
  }

  @Test("that is no regular file, whose reading might never end, says so")
  func irregularFiles() throws {
    let folder = try TestFolder()
    let fifo = folder.url.appendingPathComponent("fifo").path
    #expect(mkfifo(fifo, 0o600) == 0)
    var paths = [fifo, "/dev/null", "/dev/zero"]
    #if os(Linux)
      // Elsewhere, only `bind` makes a socket.
      let socket = folder.url.appendingPathComponent("socket").path
      #expect(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
      paths.append(socket)
    #endif
    for path in paths {
      let expected = StubResponseError.Reason.fixture(path, .isNotRegular)
      #expect(throws: expected, "\(path)") { try StubResponse.file(path).body.load() }
    }
  }

  #if os(Linux)
    /// The system says that such a file has no bytes.
    @Test("is read to its end, whatever its length says")
    func systemFile() throws {
      let text = String(decoding: try StubResponse.file("/proc/self/status").body.load(), as: UTF8.self)
      #expect(text.contains("Pid:\t\(getpid())\n"))
    }
  #endif

  @Test("that can't be read says why", .enabled(if: getuid() != 0, "root reads every file"))
  func unreadable() throws {
    try withFolder(["secret.txt": "x"]) { folder in
      let path = folder.appendingPathComponent("secret.txt").path
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      let error = #expect(throws: StubResponseError.Reason.self) { try StubResponse.file(path).body.load() }
      let text = try #require(error).description
      #expect(text.contains("\"\(path)\", which can't be read: "))
    }
  }

  /// Runs the body with a new folder that has those files.
  private func withFolder(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    let owner = try TestFolder()
    let folder = owner.url
    for (name, content) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: file)
    }
    try withExtendedLifetime(owner) { try body(folder) }
  }

  @Test("that is missing is reported with at most three similar names")
  func nearest() throws {
    for (name, expected) in [
      ("users", ["users.json"]),
      ("usres.json", ["users.json"]), ("b1.txt", ["a1.txt", "a2.txt", "a3.txt"]), ("deep.json", ["Below/deep.json"]),
      ("entirely-other.bin", []), ("b1.tt", []), ("brn.json", ["berlin.json"]),
    ] {
      let files = [
        "berlin.json", "users.json", "user.txt", "a1.txt", "a2.txt", "a3.txt", "a4.txt", "Below/deep.json",
      ]
      try withFolder(Dictionary(uniqueKeysWithValues: files.map { ($0, "") })) { folder in
        // A name that is in two folders is there once.
        #expect(Fixture.names(similarTo: name, in: [folder, folder]) == expected, "\(name)")
      }
    }
  }

  @Test(
    "has the content type of its extension, if StubKit knows that",
    arguments: [
      ("JSON", "application/json"), ("txt", "text/plain; charset=utf-8"), ("htm", "text/html; charset=utf-8"),
      ("jpeg", "image/jpeg"), ("bin", "application/octet-stream"), ("tail", nil), ("", nil),
    ] as [(String, String?)])
  func contentTypes(fileExtension: String, type: String?) { #expect(ContentType.forExtension(fileExtension) == type) }

  @Test(
    "has an extension after the last dot of its name, which doesn't begin with that",
    arguments: [("a.tar.gz", "application/gzip"), ("dir.json/a", nil), (".json", nil), ("a", nil)]
      as [(String, String?)])
  func extensions(path: String, type: String?) {
    #expect(StubResponse.file(path).headers["Content-Type"] == type)
    #expect(StubResponse.file(URL(fileURLWithPath: path)).headers["Content-Type"] == type)
    #expect(StubResponse.fixture(path, in: .main).headers["Content-Type"] == type)
  }

  @Test("that is overwritten doesn't change a body that was received before", .startsProcess)
  func rewrittenFile() async {
    // In a process of its own, which is killed where the bytes are mapped.
    await #expect(processExitsWith: .success) {
      for length in [60_000, 200_001] {
        let file = try LargeFile(length: length)
        try await withStubs {
          stub(condition: .anything, response: .file(file.url))
          let (data, _) = try await URLSession.shared.data(from: url("http://a.example/"))
          try Data("new".utf8).write(to: file.url, options: [])
          precondition(data == file.bytes, "\(length)")
        }
      }
    }
  }
}

extension ResponseBody {
  /// Returns all bytes, as a request would receive them.
  func load() throws -> Data {
    do {
      let body = try opened(by: nil).get()
      return try body.piece(0..<body.count)
    } catch { throw error.reason }
  }
}
