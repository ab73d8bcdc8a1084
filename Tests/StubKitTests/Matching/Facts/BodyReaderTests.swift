import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A body that is read", .inTurn)
struct BodyReaderTests {
  private let request = URLRequest(url: URL(string: "http://a.example/")!)

  @Test("is what is left of a stream that was opened before")
  func openStream() async throws {
    let stream = InputStream(data: Data("abc".utf8))
    stream.open()
    var first: UInt8 = 0
    #expect(stream.read(&first, maxLength: 1) == 1)
    // Handed over: not used here any more.
    nonisolated(unsafe) let handedOver = stream
    #expect(try await BodyReader.read(handedOver) == Data("bc".utf8))
  }

  @Test("is empty where a stream can't be opened, as URLSession sends it")
  func noStream() async throws {
    let stream = try #require(InputStream(fileAtPath: "/nowhere/at/all"))
    nonisolated(unsafe) let handedOver = stream
    #expect(try await BodyReader.read(handedOver) == Data())
  }

  #if compiler(>=6.2)
    @Test("stays what it was, though the file is written anew")
    func rewrittenFile() async {
      // In a process of its own, which is killed where the bytes are mapped.
      await #expect(processExitsWith: .success) {
        let file = try TestFile(Data(repeating: 7, count: 3_000_000))
        let body = try await BodyReader.read(file.url, for: URLRequest(url: url("http://a.example/")))
        try Data("new".utf8).write(to: file.url, options: [])
        precondition(body == Data(repeating: 7, count: 3_000_000))
      }
    }
  #endif

  @Test(
    "fails with a description for a file that is none",
    arguments: [
      ("/nowhere/at/all", URLError.Code.fileDoesNotExist, "no such file"), ("/tmp", .fileIsDirectory, "a directory"),
    ])
  func noFile(path: String, code: URLError.Code, reason: String) async throws {
    let file = URL(fileURLWithPath: path)
    let problem = try #require(BodyReader.problem(of: file, for: request))
    #expect(problem.code == code)
    #expect(problem.userInfo[NSURLErrorFailingURLErrorKey] as? URL == request.url)
    #expect(problem.localizedDescription.contains(path) && problem.localizedDescription.contains(reason))
    let error = await #expect(throws: URLError.self) { try await BodyReader.read(file, for: request) }
    #expect(error?.code == code)
  }
}
