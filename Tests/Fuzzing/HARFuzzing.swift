import Foundation
import StubKit
import StubKitArchive
import StubKitRecorder

/// An HTTP Archive; or, for other input, the parts of one on a line each: a URL, a header, a content type, and a body.
struct HARFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    if let archive = try? HTTPArchive(input) { use(archive) }
    for type in ["text/html", "application/json", ""] {
      use(Self.archive(url: "", header: "", type: type, body: input))
    }
    use(Self.archive(url: input.text, header: input.text, type: "", body: Data()))
  }

  func check(_ input: Data) {
    let lines = input.lines(4)
    if let archive = try? HTTPArchive(input) {
      check(archive)
    } else {
      check(Self.archive(url: lines[0].text, header: lines[1].text, type: lines[2].text, body: lines[3]))
    }
  }

  /// What the first response of a made archive contains, and the body of the second one.
  private static let secret = "s3cret-" + "0123abcXYZ"

  private func use(_ archive: HTTPArchive) {
    let redacted = archive.redactedAndReported(.standard).archive
    _ = (redacted.data, ArchiveTable(redacted).lines)
  }

  private static func archive(url: String, header: String, type: String, body: Data) -> HTTPArchive {
    let login = URL(string: "http://a/login")!
    var request = URLRequest(url: URL(string: "http://a/" + url) ?? login)
    request.httpMethod = "POST"
    let (name, value) = header[...].cut(at: ":") ?? ("X-Text", header[...])
    if name.utf8.allSatisfy(\.isAlphanumeric), !name.isEmpty, value.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) {
      request.setValue(String(value.withoutOuterSpace), forHTTPHeaderField: String(name))
    }
    if type.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    request.httpBody = body
    return HTTPArchive(entries: [
      HTTPArchive.Entry(
        request: URLRequest(url: login),
        response: .init(
          headers: ["Content-Type": "application/json"], body: Data(#"{"token": "\#(secret)", "pin": 4711}"#.utf8)),
        startedAt: Date(timeIntervalSince1970: 0)),
      HTTPArchive.Entry(
        request: request,
        response: .init(headers: ["Content-Type": type, "Location": url], body: body + Data(secret.utf8)),
        startedAt: Date(timeIntervalSince1970: 0)),
    ])
  }

  private func check(_ archive: HTTPArchive) {
    checkRoundTrip(archive)
    let (redacted, report) = archive.redactedAndReported(.standard)
    demand(report.count == 0 || redacted != archive, "\(report.count) values were replaced, and nothing changed")
    checkRoundTrip(redacted)
    let data = redacted.data
    demand(data.range(of: Data(Self.secret.utf8)) == nil, "the secret stays: \(String(decoding: data, as: UTF8.self))")
    checkRoundTrip(redacted.redactedAndReported(.standard).archive)
    _ = (ArchiveTable(redacted).lines, ArchiveTable(redacted).summary)
    checkReplay(redacted)
  }

  /// What is written is read as it was.
  private func checkRoundTrip(_ archive: HTTPArchive) {
    let data = archive.data
    guard let read = try? HTTPArchive(data) else {
      return demand(false, "This can't be read: \(String(decoding: data, as: UTF8.self))")
    }
    demand(read.data == data, "written again, it differs: \(String(decoding: data, as: UTF8.self))")
  }

  /// Every recorded request has an answer.
  private func checkReplay(_ archive: HTTPArchive) {
    let registry = StubRegistry()
    let stubs = replay(archive, matching: [.method, .url, .body], in: registry)
    demand(stubs.count == archive.entries.count, "\(stubs.count) stubs")
    for entry in archive.entries where entry.request.url?.host != nil && entry.missingBodyLength == nil {
      demand(
        registry.answerer(of: entry.request) != nil,
        "no stub for \(entry.request)\n\(registry.explain(entry.request))")
    }
  }
}
