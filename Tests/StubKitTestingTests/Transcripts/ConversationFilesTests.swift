import Foundation
import StubKitArchive
import TestSupport
import Testing

@testable import StubKitTesting
@testable import StubKitTranscripts

/// The files of a test's conversation, by their extensions.
private struct Files {
  var names: [String] = []
  var har = Data()
  var http = ""

  init(_ files: [ConversationFile]) {
    names = files.map(\.name)
    for file in files {
      if file.name.hasSuffix(".har") { har = file.data() } else { http = file.data().text }
    }
  }

  var archive: HTTPArchive { get throws { try HTTPArchive(har) } }
}

/// Runs a body with stubs of `a.example`, and returns the files of its requests.
private func files(
  _ policy: AttachmentPolicy = .always, hasFailed: Bool = false, of names: [String] = ["UserTests", "loads"],
  answer: StubResponse = .json(["id": 1]), _ body: @escaping @Sendable () async throws -> Void
) async throws -> Files {
  try await withStubs {
    stub(condition: isHost("a.example"), response: answer)
    try await body()
    return Files(policy.files(of: names, .current, hasFailed: hasFailed))
  }
}

@Suite("The conversation of a test", .inTurn)
struct ConversationFilesTests {
  @Test(
    "is attached as the policy says for a test that failed or passed",
    arguments: [
      (AttachmentPolicy.onFailure, true, true), (.onFailure, false, false), (.always, false, true),
      (.always, true, true),
      (.never, true, false), (.never, false, false),
    ])
  func policies(policy: AttachmentPolicy, hasFailed: Bool, isAttached: Bool) async throws {
    let files = try await files(policy, hasFailed: hasFailed) { try await send("http://a.example/1") }
    #expect(files.names.map { $0.components(separatedBy: ".").last } == (isAttached ? ["har", "http"] : []))
  }

  @Test("has no files without requests")
  func empty() async throws {
    #expect(try await files {}.names == [])
  }

  @Test("is named after its test")
  func names() async throws {
    let files = try await files { try await send("http://a.example/1") }
    #expect(files.names == ["UserTests.loads.har", "UserTests.loads.http"])
  }

  @Test("is named after a case of its test", arguments: ["first", "second"])
  func cases(_ name: String) async throws {
    let files = try await files { try await send("http://a.example/1") }
    #expect(files.names == ["UserTests.loads.\(name).har", "UserTests.loads.\(name).http"])
  }

  @Test("is an archive and a transcript of its requests, in their order")
  func contents() async throws {
    let files = try await files {
      try await send("http://a.example/1?page=2")
      try await send("http://a.example/users", method: "POST", body: "name=Ann")
    }
    let entries = try files.archive.entries
    #expect(entries.map { $0.request.url?.path } == ["/1", "/users"])
    #expect(entries.map { $0.response?.body.text } == [#"{"id":1}"#, #"{"id":1}"#])
    #expect(entries.last?.request.httpBody?.text == "name=Ann")
    #expect(
      files.http == """
        GET http://a.example/1?page=2

        ###
        POST http://a.example/users
        Content-Type: application/x-www-form-urlencoded

        name=Ann

        """)
  }

  @Test("has placeholders for secrets in both files, because attachments travel")
  func secrets() async throws {
    let files = try await files(answer: .json(["access_token": "tok-9f86d081884c7d65"])) {
      _ = try await URLSession.shared.data(
        for: request(
          "http://a.example/1?api_key=key-5feceb66ffc86f38", headers: ["Authorization": "Bearer 6b86b273ff34"]))
    }
    let all = files.har.text + files.http
    let secrets = ["tok-9f86d081884c7d65", "key-5feceb66ffc86f38", "6b86b273ff34"]
    #expect(secrets.filter(all.contains) == [])
    #expect(try files.archive.entries.count == 1)
    #expect(files.http == "GET http://a.example/1?api_key={{secret1}}\nAuthorization: Bearer {{secret2}}\n")
  }

  @Test(
    "has the beginnings of large bodies, and says so",
    arguments: [
      (String(repeating: "a", count: 65_536), 65_536, nil),
      (String(repeating: "a", count: 65_537), 65_536, "65537"),
      // A character of two bytes begins at the last byte.
      ("a" + String(repeating: "ü", count: 40_000), 65_535, "80001"),
      // And one of four bytes.
      ("abc" + String(repeating: "😀", count: 20_000), 65_535, "80003"),
    ] as [(String, Int, String?)])
  func largeBodies(body: String, keptLength: Int, length: String?) async throws {
    let files = try await files(answer: .text(body)) {
      try await send("http://a.example/1", method: "POST", body: body)
    }
    let entry = try #require(try files.archive.entries.first)
    #expect(entry.request.httpBody?.count == keptLength)
    #expect(entry.response?.body.count == keptLength)
    #expect(entry.response.map { body.hasPrefix($0.body.text) } == true)
    let note = length.map {
      "was cut to \(keptLength) of \($0) bytes of the request and to \(keptLength) of \($0) bytes of the response"
    }
    #expect(entry.obstacle == note)
    #expect(files.http.contains("(\(length ?? "") bytes, not shown)") == (length != nil))
  }

  @Test("has the newest requests that fit into a megabyte, and says how many are missing")
  func limit() async throws {
    let files = try await files(answer: .text(String(repeating: "b", count: 30_000))) {
      for number in 1...50 {
        try await send("http://a.example/\(number)", method: "POST", body: String(repeating: "a", count: 30_000))
      }
    }
    #expect(files.har.count + files.http.utf8.count <= 1_000_000)
    let paths = try files.archive.entries.map { $0.request.url?.lastPathComponent }
    #expect(paths.count >= 5)
    #expect(paths == (51 - paths.count...50).map { "\($0)" })
    let note = "\(50 - paths.count) earlier requests are left out, because a test attaches at most 1 MB."
    #expect(files.har.text.contains(note))
    #expect(files.http.hasPrefix("# \(note)\n"))
  }

  @Test("is written into a folder where the framework has no attachments")
  func folder() throws {
    let folder = try TestFolder()
    let path = folder.file("new").path
    ConversationFile.$folder.withValue(path) { ConversationFile("a.http") { Data("GET /".utf8) }.writeIntoFolder() }
    #expect(try String(contentsOfFile: "\(path)/a.http", encoding: .utf8) == "GET /")
  }

  @Test("is reported once if its folder can't be written")
  func unwritableFolder() throws {
    let folder = try TestFolder()
    try folder.write("", to: "file")
    let path = folder.file("file/below").path
    let told = Locked<[String]>([])
    ConversationFile.$folder.withValue(path) {
      ConversationFile.$tell.withValue({ text in told.withLock { $0.append(text) } }) {
        for name in ["a.http", "b.http"] { ConversationFile(name) { Data() }.writeIntoFolder() }
      }
    }
    let texts = told.withLock(\.self)
    #expect(texts.count == 1)
    #expect(
      texts.first?.hasPrefix("The requests of failed tests can't be written into STUBKIT_ATTACHMENTS=\(path): ") == true
    )
  }
}
