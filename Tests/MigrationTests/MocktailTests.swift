import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitOHHTTPStubs

@Suite("A Mocktail file", .inTurn)
struct MocktailTests {
  @Test("has a content type, header fields, or both")
  func response() throws {
    let plain = ["Content-Type": "text/plain"]
    for (rest, headers, body) in [
      ("text/plain\n\nhi\n", plain, "hi\n"), ("text/plain\n\n\nhi", plain, "\nhi"), ("text/plain\n", plain, ""),
      ("Content-Type: text/plain\nX-A: 1\n\nhi", ["Content-Type": "text/plain", "X-A": "1"], "hi"),
      ("text/plain\nX-A: 1\n\nhi", ["Content-Type": "text/plain", "X-A": "1"], "hi"), ("text/plain", plain, ""),
      ("text/plain;base64\n\naGVs\nbG8=\n", plain, "hello"), ("text/plain\r\n\r\nhi\r\n", plain, "hi\r\n"),
    ] {
      let end = rest.contains("\r") ? "\r\n" : "\n"
      let text = ["GET", ".*/users", "200", rest].joined(separator: end)
      let response = try Mocktail(Data(text.utf8), path: "a.tail").response
      #expect(response.status == 200 && response.headers.joined == headers, "\(text)")
      #expect(try response.body.load() == Data(body.utf8), "\(text)")
    }
  }

  @Test("matches by regular expressions, without case")
  func condition() throws {
    for (method, pattern, asked, address, matches) in [
      ("GET|POST", ".*/users", "POST", "http://a.example/users?page=2", true),
      ("get", "/USERS", "GET", "http://a.example/users", true),
      ("GET|POST", ".*/users", "PUT", "http://a.example/users", false),
      ("GET", ".*/users$", "GET", "http://a.example/users?page=2", false),
      (".*", "/users", "PURGE", "http://a.example/users", true),
      ("P.T", "/users", "PUT", "http://a.example/users", true),
      ("P.T", "/users", "GET", "http://a.example/users", false),
    ] {
      let mocktail = try Mocktail(Data("\(method)\n\(pattern)\n200\ntext/plain\n\n".utf8), path: "a.tail")
      #expect(
        mocktail.condition.matches(request(address, method: asked)) == matches,
        "\(method) \(pattern): \(asked) \(address)")
    }
  }

  @Test("with a mistake is an error that names the file, the line and what is expected")
  func mistakes() throws {
    for (text, line, cure) in [
      ("", 1, "regular expression for the method"), ("GET\n.*\n", 3, "Write a status"),
      ("GET\n.*\n200\n\nbody", 4, "content type"),
      ("G(ET\n.*\n200\ntext/plain\n\n", 1, "not a regular expression"),
      ("GET\n[\n200\ntext/plain\n\n", 2, "not a regular expression"),
      ("GET\n.*\nOK\ntext/plain\n\n", 3, "\"OK\", which is not the status of a response"),
      ("GET\n.*\n99\ntext/plain\n\n", 3, "from 200 to 999"),
      ("GET\n.*\n103\ntext/plain\n\n", 3, "from 200 to 999"),
      ("GET\n.*\n200\ntext/plain\nnonsense\n\n", 5, "\"nonsense\", which is not a header field"),
      ("GET\n.*\n200\nX A: 1\n\n", 4, "not a header field"),
      ("GET\n.*\n200\nimage/png;base64\n\nabc", 6, "not base64"),
    ] {
      let error = try #require(throws: MocktailError.self, "\(text)") {
        try Mocktail(Data(text.utf8), path: "/tests/a.tail")
      }
      #expect(error.line == line, "\(text)")
      #expect(error.description.contains("\"/tests/a.tail\", line \(line), "), "\(text)")
      #expect(error.description.contains(cure), "\(text)")
      #expect(error.localizedDescription == error.description, "\(text)")
    }
  }

  @Test("makes a stub that is named for it")
  func stubbed() async throws {
    let folder = try TestFolder()
    let file = folder.file("logo.tail")
    try Data("GET\nlogo.png\n200\nimage/png;base64\n\naGVsbG8=\n".utf8).write(to: file)
    try await withStubs {
      let logo = try stubMocktail(filePath: file.path)
      #expect(logo.name == "logo.tail")
      for _ in 1...3 {
        let (data, response) = try await URLSession.shared.data(from: url("http://a.example/logo.png"))
        #expect(data == Data("hello".utf8))
        #expect(response.mimeType == "image/png")
      }
      #expect(logo.callCount == 3)
      #expect("\(logo)".contains("MocktailTests.swift"))
    }
  }

  @Test("in a folder is registered together with all others, in the order of their names")
  func folder() async throws {
    let folder = try TestFolder()
    try folder.write("GET\n/users\n202\ntext/plain\n\nb", to: "b.tail")
    try folder.write("GET\n/users\n201\ntext/plain\n\na", to: "a.tail")
    try folder.write("not a Mocktail", to: "c.txt")
    try await withStubs {
      #expect(try stubMocktails(in: folder.url).map(\.name) == ["a.tail", "b.tail"])
      // The stub that was added last answers.
      let users = try await URLSession.shared.fetch("http://a.example/users")
      #expect(users == Fetched(status: 202, text: "b"))
    }
  }

  @Test("in a folder isn't registered if another one is wrong, of which an error names the line")
  func wrongFolder() throws {
    let (folder, registry) = (try TestFolder(), StubRegistry())
    try folder.write("GET\n/users\n201\ntext/plain\n\na", to: "a.tail")
    try folder.write("GET\n/users\nOK\ntext/plain\n\n", to: "d.tail")
    let error = #expect(throws: MocktailError.self) { try stubMocktails(in: folder.url.path, registry: registry) }
    #expect(error?.path.hasSuffix("/d.tail") == true)
    #expect(error?.line == 3)
    #expect(registry.stubs.isEmpty)
  }

  @Test("that is missing is an error that says so")
  func places() throws {
    let folder = try TestFolder()
    let registry = StubRegistry()
    func expect(_ problem: String, _ body: () throws -> Void) {
      let error = #expect(throws: MocktailError.self, "\(problem)", performing: body)
      #expect(error?.description.contains(problem) == true, "\(problem)")
    }
    expect("doesn't exist") { try stubMocktail(filePath: folder.url.path + "/a.tail", in: registry) }
    expect("stubMocktails(in:)") { try stubMocktail(filePath: folder.url.path, in: registry) }
    expect("is not a regular file") { try stubMocktail(filePath: "/dev/null", in: registry) }
    expect("without .tail files") { try stubMocktails(in: folder.url, registry: registry) }
    expect("not a readable folder") { try stubMocktails(in: folder.url.path + "/none", registry: registry) }
  }
}
