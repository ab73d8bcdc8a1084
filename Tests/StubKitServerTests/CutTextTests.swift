import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder
@testable import StubKitServer

/// A plain run takes a part of the places. `STUBKIT_TESTS=whole` takes all.
@Suite("A text that is cut off at any byte")
struct CutTextTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The archives of the repository.
  private static let archives: [URL] = {
    let folders = ["StubKitRecorderTests/Fixtures", "StubKitCommandsTests/Archives", "Fuzzing/Seeds"]
    return folders.map(tests.appendingPathComponent).flatMap { folder -> [URL] in
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
      let archives = paths.sorted().filter { $0.hasSuffix(".har") || $0.hasSuffix("har/archive") }
      return archives.map { folder.appendingPathComponent($0) }
    }
  }()

  /// Returns the lengths at which to cut a text: all, or as many as a plain run has time for.
  private static func cuts(_ bytes: Data, _ most: Int) -> StrideThrough<Int> {
    let most = TestSize.of(bytes.count, inPart: most)
    return stride(from: 0, through: bytes.count, by: max(1, bytes.count / max(1, most)))
  }

  private static let head = #"{"log": {"version": "1.2", "creator": {"name": "other", "version": "1"}, "entries": ["#

  @Test("is an error of each archive, and of each of its entries")
  func archive() async throws {
    for file in Self.archives {
      let whole = try Data(contentsOf: file)
      let parts = try HARFile(whole, name: nil)
      let entries = parts.parts.filter { $0.entry > 0 }.map { parts.bytes(of: $0) }
      let texts =
        [(whole, 12)]
        + entries.prefix(TestSize.of(entries.count, inPart: 4)).map { entry in
          (Data(Self.head.utf8) + entry + Data("]}}".utf8), 60)
        }
      for (text, most) in texts {
        let end = (text.lastIndex { $0 > 0x20 } ?? 0) - text.startIndex
        let wrong = try await onOwnThread {
          Self.cuts(text, most).filter { count in
            guard count <= end else { return false }
            do { _ = try HTTPArchive(text.prefix(count)) } catch {
              let lines = text.prefix(count).count { $0 == 0x0A } + 1
              return (error as? HTTPArchiveError).map { !(1...lines ~= $0.line ?? 1) } ?? true
            }
            return true
          }
        }
        #expect(wrong.isEmpty, "\(file.lastPathComponent), cut off after so many bytes")
      }
    }
  }

  @Test("ends no parser")
  func texts() async throws {
    // In these, each of the parsers goes to its last branches.
    let difficult: [String] = try fixture("difficult-texts")
    try await onOwnThread {
      for text in difficult.map({ Data($0.utf8) }) {
        for count in Self.cuts(text, 150) { Self.parse(Data(text.prefix(count))) }
      }
    }
  }

  /// Gives bytes to each parser. What it makes of them is for its own tests.
  private static func parse(_ bytes: Data) {
    let text = String(decoding: bytes, as: UTF8.self)
    for bytes in [bytes, Data("\"".utf8) + bytes, Data("[".utf8) + bytes] {
      _ = try? JSONValue(parsing: bytes)
      _ = try? HTTPArchive(bytes)
    }
    let boundary =
      MultipartBody.boundary(ofContentType: text) ?? MultipartBody.boundary(ofContentType: "multipart/" + text)
    for boundary in ["b", boundary ?? "-"] { _ = MultipartBody(parsing: bytes, boundary: boundary).parts }
    _ = (HeaderParameters(text), NamedValue.cookies(text), NamedValue.query(text), NamedValue.form(text))
    _ = (Date(httpDate: text), Date(archived: text))
    _ = (GraphQLOperation.names(inDocument: text), try? JSONPath(parsing: text), Placeholders.byLook.isWhole(text))
    for isEncoded in [true, false] { _ = try? TemplateCriterion(text, isEncoded: isEncoded) }
    var requests = RequestParser()
    requests.append(bytes)
    while let event = try? requests.next() { _ = event }
    // As a value of each kind in an archive that is redacted, written, read and replayed.
    let fields = ["Content-Type": text, "Cookie": text, "Authorization": text]
    let request = request(url("http://a.example/"), headers: fields, body: bytes)
    var facts = RequestFacts(request)
    _ = (facts.basicCredentials, facts.bearerToken)
    let headers = HTTPArchive.Headers(["Set-Cookie", "Content-Type", "Location"].map { (name: $0, value: text) })
    let archive = HTTPArchive(entries: [.init(request: request, response: .init(headers: headers, body: bytes))])
    _ = try? HTTPArchive(archive.redacted(.standard).data)
    _ = archive.answer(ofEntryAt: 0, .recorded).changed
  }
}
