import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitOHHTTPStubs

@Suite("A response as curl prints it", .inTurn)
struct MessageResponsesTests {
  private static let hello = "HTTP/1.1 404 Not Found\r\nX: y\r\n\r\n"

  @Test(
    "is a status line, header fields and a body, with either kind of line breaks",
    arguments: [
      ("HTTP/1.1 201 Created\r\nX-A: 1\r\n\r\nhello", 201, ["X-A": "1"], "hello"),
      ("HTTP/1.1 201 Created\nX-A: 1\n\nhello\r\n\r\nyou", 201, ["X-A": "1"], "hello\r\n\r\nyou"),
      ("HTTP/2 404 \r\nx-a:1\r\n\r\n", 404, ["x-a": "1"], ""), ("HTTP/1.0 299\r\n\r\nbody", 299, [:], "body"),
      ("HTTP/1.1 200 OK\r\nX-A: one\r\n  two\r\n\r\n", 200, ["X-A": "one two"], ""),
      ("HTTP/1.1 200 OK\r\nX-A: a:b\r\nX-B:\r\n\r\n", 200, ["X-A": "a:b", "X-B": ""], ""),
    ] as [(Lines, Int, [String: String], Lines)])
  func parts(lines: Lines, status: Int, headers: [String: String], body: Lines) throws {
    let message = try ResponseMessage(Data(lines.text.utf8))
    #expect(message.status == status)
    #expect(message.headers.joined == headers)
    #expect(message.body.text == body.text)
  }

  @Test(
    "without a whole head is a body of a 200",
    arguments: [
      "", "{}", "HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found\r\nX-A: 1\r\n", "HTTP/1.1 OK\r\n\r\nbody",
      "\r\nHTTP/1.1 404 No\r\n\r\n",
    ] as [Lines])
  func headless(lines: Lines) throws {
    let message = try ResponseMessage(Data(lines.text.utf8))
    #expect(message.status == 200)
    #expect(message.headers.joined == [:])
    #expect(message.body.text == lines.text)
  }

  @Test(
    "has the last of several heads, as curl prints them for redirects and the like",
    arguments: [
      "100 Continue\r\n", "302 Found\r\nLocation: /b\r\n", "401 No\r\nContent-Length: 0\r\n", "407 No\r\n",
      "200 Connection established\r\nProxy-Agent: p\r\n", "100 Continue\r\n\r\nHTTP/1.1 301 Moved\r\n",
    ] as [Lines])
  func lastHead(earlier: Lines) throws {
    let message = try ResponseMessage(Data("HTTP/1.1 \(earlier.text)\r\nHTTP/1.1 203 Fine\r\nX-A: 1\r\n\r\nhi".utf8))
    #expect(message.status == 203)
    #expect(message.headers.joined == ["X-A": "1"])
    #expect(message.body.text == "hi")
  }

  @Test("keeps a body that begins like a head")
  func bodiesLikeHeads() throws {
    for head in [
      "200 OK\r\nContent-Type: message/http\r\n", "200 OK\r\nContent-Type: text/plain\r\n",
      "200 OK\r\nTransfer-Encoding: chunked\r\n", "201 Made\r\n", "404 No\r\n", "500 No\r\nX-A: 1\r\n",
      "100 Continue\r\n\r\nHTTP/1.1 206 Part\r\n", "301 Moved\r\n\r\nHTTP/1.1 203 Fine\r\n",
    ] {
      let message = try ResponseMessage(Data("HTTP/1.1 \(head)\r\n\(Self.hello)".utf8))
      // Not the status of the head within the body.
      #expect(message.status != 404 || head.hasPrefix("404"), "\(head)")
      #expect(message.body == Data(Self.hello.utf8), "\(head)")
    }
  }

  @Test("keeps repeated fields")
  func repeatedFields() throws {
    let message = try ResponseMessage(Data("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nhello".utf8))
    #expect(message.headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
  }

  @Test("has the length of its body, and no coding, whatever its fields say")
  func framing() throws {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
    let message = try ResponseMessage(Data((head + "hello").utf8))
    #expect(message.headers["Content-Length"] == "5")
    #expect(!message.headers.contains("Transfer-Encoding"))
  }

  @Test("without a body has the length that it says, as an answer to HEAD")
  func lengthWithoutBody() throws {
    let message = try ResponseMessage(Data("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n".utf8))
    #expect(message.headers["Content-Length"] == "3")
  }

  @Test("has fields in Latin-1, and any bytes as its body")
  func bytes() throws {
    let body = Data((0...255).map { UInt8($0) })
    let message = try ResponseMessage(Data("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xE9] + Data("\r\n\r\n".utf8) + body)
    #expect(message.headers["X-A"] == "é")
    #expect(message.body == body)
  }

  @Test("in a file with a wrong line is an error that says which, for the response and for its request")
  func invalidLine() async throws {
    let folder = try TestFolder()
    let file = folder.file("login.http")
    try Data("HTTP/1.1 200 OK\r\nX-A: 1\r\nX B: 2\r\n\r\n".utf8).write(to: file)
    let expected = StubResponseError.Reason.invalidMessage(file.path, line: 3, "X B: 2")
    #expect(expected.description.contains("login.http\", in which line 3, \"X B: 2\", is not a header field."))
    #expect(StubResponse.message(filePath: file.path).problem == expected)
    await withStubs {
      stub(condition: isPath("/login"), response: .message(filePath: file.path))
      let error = await URLSession.shared.failure(of: "http://a.example/login") as? StubResponseError
      #expect(error?.reason == expected)
    }
  }

  @Test("in data with a wrong line is an error that says which")
  func invalidData() {
    let response = StubResponse.message(Data("HTTP/1.1 200 OK\n: 2\n\n".utf8))
    #expect(response.problem == .invalidMessage(nil, line: 2, ": 2"))
  }

  @Test("in a file that is missing fails as any fixture does")
  func missingFile() throws {
    let folder = try TestFolder()
    let path = folder.file("none").path
    #expect(
      StubResponse.message(filePath: path).problem
        == .fixtureMissing(path, lookedIn: [folder.url.path], similar: [], isResource: false))
  }

  @Test("is found in a bundle and reaches the client")
  func inBundle() async throws {
    try await withStubs {
      stub(condition: isPath("/login"), response: fixture(message: "login.http", in: .module, subdirectory: "Fixtures"))
      let (data, response) = try await URLSession.shared.data(from: url("http://a.example/login"))
      let head = try #require(response as? HTTPURLResponse)
      // As login.http has them.
      #expect(head.statusCode == 201)
      #expect(head.value(forHTTPHeaderField: "Cache-Control") == "no-store")
      #expect(try StubJSON(parsing: data) == ["user": "ann"])
    }
  }
}
