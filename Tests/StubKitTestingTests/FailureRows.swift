import Foundation
import StubKitTesting
import TestSupport
import Testing

/// The rows of the table of issues that are about what a failed test says of its requests and their responses.
extension IssueTableTests {
  private static let secure = "https://a.example"

  private static func send(_ path: String, _ method: String = "GET", headers: [String: String] = [:]) async {
    _ = try? await URLSession.shared.fetch(request(secure + path, method: method, headers: headers))
  }

  static let failures = [
    Row("Requests without a host beside one that has one") {
      stubAtLine(1, isPath("/films"))
      stubAtLine(2, isPath("/none"))
      await ask("\(secure)/films")
      for text in ["/films?page=2", "/films?page=3", "http:/none"] {
        _ = try await URLSession.shared.data(from: url(text))
      }
    },
    Row("Requests that all lack a host") {
      stubAtLine(1, isPath("/films"))
      for _ in 1...2 { _ = try await URLSession.shared.data(from: url("/films")) }
    },
    Row("Unused stubs of a test that throws what its client makes of a status") {
      stubAtLine(1, isPath("/me") && hasBearerToken("old"), .status(401))
      stubAtLine(2, isPath("/me") && hasBearerToken("new"))
      for line in 3...5 as ClosedRange<UInt> { stubAtLine(line, isHost("cdn.example") && isPath("/\(line)")) }
      await send("/me", headers: ["Authorization": "Bearer old"])
      throw URLError(.userAuthenticationRequired)
    },
    Row("Why responses are not 304 in a test that fails") {
      for (line, path) in ["/tag", "/quotes", "/match", "/other"].enumerated() {
        stubAtLine(UInt(line + 1), isPath(path), .ok.conditional(etag: "v1"))
        await send(path)
      }
      await send("/other", headers: ["If-None-Match": "\"v0\""])
      for _ in 1...2 { await send("/tag") }
      await send("/quotes", headers: ["If-None-Match": "v1"])
      await send("/match", headers: ["If-Match": "\"v1\""])
      throw CancellationError()
    },
    Row("No advice about 304 for a part, a HEAD and a POST in a test that fails") {
      stubAtLine(1, isHost("a.example"), .text("0123456789").conditional(etag: "v1"))
      for headers in [["Range": "bytes=2-"], ["Range": "bytes=2-", "If-Range": "\"v0\""]] {
        for _ in 1...2 { await send("/film", headers: headers) }
      }
      for method in ["HEAD", "HEAD", "POST", "POST"] { await send("/film", method) }
      throw CancellationError()
    },
    Row("Why a download begins again in a test that fails") {
      let film = StubResponse.data(Data("0123456789".utf8))
      let whole = film.header("ETag", "\"1\"").acceptingRanges()
      let pairs: [(String, StubResponse)] = [
        ("/ranges", whole), ("/none", film.conditional(etag: "1")), ("/both", whole.conditional(etag: "1")),
      ]
      for (line, (path, response)) in pairs.enumerated() {
        stub(
          condition: isPath(path), responses: [response.failing(afterBytes: 4), response],
          fileID: "App/Users.swift", filePath: "/app/Users.swift", line: UInt(line + 1), column: 5)
        await ask(path, path)
      }
      throw CancellationError()
    },
    Row("Requests of a test that fails, in their order") {
      for line in 1...2 as ClosedRange<UInt> { stubAtLine(line, isHost("a.example") && isPath("/\(line)")) }
      stubAtLine(3, isHost("a.example") && isPath("/me"), .status(401)).name = "me"
      stubAtLine(4, isHost("a.example") && isPath("/lost"), .text("ab").failing(afterBytes: 1))
      await ask("/2?page=2", "/1", "/me", "/lost")
      throw URLError(.userAuthenticationRequired)
    },
    Row("A slip in a stub, told once") {
      stub(.get, "https://a.example/v1/products/:id", response: .ok, at: StubLocation(place(1)))
      await ask("https://a.example/v1/products/1")
    },
    Row("Why a response with a date is not 304 in a test that fails") {
      stubAtLine(1, .anything, .ok.conditional(lastModified: Date(timeIntervalSince1970: 0)))
      for field in ["Accept", "If-Modified-Since", "Accept"] { await send("/", headers: [field: "text/plain"]) }
      throw CancellationError()
    },
  ]
}
