import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// Each tool has recorded much the same requests. Beside its archive, such as Fixtures/Archives/chrome.har, chrome.txt
/// says what each entry means: what was sent and answered, why it can't be replayed, when it began, and its duration.
@Suite("An archive of another tool", .inTurn)
struct ForeignArchiveTests {
  static let tools = ["chrome", "firefox", "safari", "charles", "mitmproxy", "playwright/playwright"]

  static func fixture(_ name: String, _ type: String = "har") throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures/Archives/\(name)", withExtension: type), "\(name)")
  }

  static func archive(_ name: String) throws -> HTTPArchive { try HTTPArchive(contentsOf: fixture(name)) }

  /// An entry as those files have it.
  private static func lines(_ entry: HTTPArchive.Entry) -> String {
    func line(_ name: String, _ value: String?) -> String { value.map { "\n  \(name): \($0.debugDescription)" } ?? "" }
    func text(_ body: Data) -> String { String(data: body, encoding: .utf8) ?? "base64 \(body.base64EncodedString())" }
    // Foundation on Linux capitalizes the names.
    let sent = (entry.request.allHTTPHeaderFields ?? [:]).map { "\($0.key.lowercased()): \($0.value)" }.sorted()
    let status = entry.response.map { "\($0.status)" } ?? "no response"
    return "\(entry.request.httpMethod ?? "") \(entry.request.url?.absoluteString ?? ""): \(status)"
      + sent.map { line("sent", $0) }.joined() + line("sent body", entry.request.httpBody.map(text))
      + (entry.response?.headers.map { line("answered", "\($0.name): \($0.value)") } ?? []).joined()
      + line("body", entry.response.flatMap { $0.content.isMissing ? nil : text($0.body) })
      + line("obstacle", entry.obstacle) + line("error", entry.error.map { "\($0.code.rawValue)" })
      + "\n  \(entry.startedAt.archived), \(entry.timeToResponse.map { "\($0)" } ?? "?"), \(entry.duration)\n"
  }

  @Test("is read as what went over the wire, in any time zone", arguments: tools)
  func entries(tool: String) throws {
    let lines = try Self.archive(tool).entries.map(Self.lines).joined()
    let expected = try String(contentsOf: Self.fixture(tool, "txt"), encoding: .utf8)
    #expect(lines.components(separatedBy: "\n") == expected.components(separatedBy: "\n"))
  }

  @Test(
    "is read again as it is when StubKit has written it, with bodies that were in files of their own", arguments: tools)
  func writtenByStubKit(tool: String) throws {
    let archive = try Self.archive(tool)
    let read = try HTTPArchive(archive.data)
    #expect(read.entries.map(\.obstacle) == archive.entries.map(\.obstacle))
    // Playwright has bodies in files, which are within the archive that StubKit writes.
    #expect(tool.hasPrefix("playwright") || read == archive)
  }

  @Test("has the body of each response that can be replayed, and a length that is true of it", arguments: tools)
  func bodies(tool: String) throws {
    for entry in try Self.archive(tool).entries where entry.obstacle == nil {
      let response = try #require(entry.response, "\(entry.request)")
      #expect(!response.content.isMissing && response.headers["Content-Encoding"] == nil, "\(entry.request)")
      let length = entry.request.httpMethod == "HEAD" ? nil : response.headers["Content-Length"]
      #expect(length == nil || length == "\(response.body.count)", "\(entry.request)")
    }
  }
}
