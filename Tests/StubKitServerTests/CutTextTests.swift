import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitFormats
@testable import StubKitRecorder
@testable import StubKitServer

/// A plain run takes a part of the places, and all that follow a character with a meaning. `STUBKIT_TESTS=whole` takes all.
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

  /// Returns the lengths at which to cut a text: all, or those that a plain run has time for.
  private static func cuts(_ bytes: Data, _ most: Int) -> [Int] {
    let most = TestSize.of(bytes.count, inPart: most)
    guard bytes.count > most else { return Array(0...bytes.count) }
    let marks = Set(#"\"%=;:,{[<&-+ "#.utf8)
    let places = bytes.indices.filter { marks.contains(bytes[$0]) }.map { $0 - bytes.startIndex + 1 }
    // A place behind a backslash is where an index goes too far most easily.
    let escapes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\\") }.map { $0 - bytes.startIndex + 1 }
    func some(_ places: [Int]) -> [Int] {
      places.isEmpty ? [] : stride(from: 0, to: places.count, by: max(1, places.count * 3 / most)).map { places[$0] }
    }
    return Set(some(escapes) + some(places) + some(Array(0...bytes.count))).sorted()
  }

  private static let head = #"{"log": {"version": "1.2", "creator": {"name": "other", "version": "1"}, "entries": ["#

  @Test("is an error of each archive, and of each of its entries")
  func archive() throws {
    for file in Self.archives {
      let whole = try Data(contentsOf: file)
      let parts = try HARFile(whole, name: nil)
      let entries = parts.parts.filter { $0.entry > 0 }.map { parts.bytes(of: $0) }
      #expect(!entries.isEmpty, "\(file)")
      let texts =
        [(whole, 24)]
        + entries.prefix(TestSize.of(entries.count, inPart: 4)).map { entry in
          (Data(Self.head.utf8) + entry + Data("]}}".utf8), 120)
        }
      for (text, most) in texts {
        let end = (text.lastIndex { $0 > 0x20 } ?? 0) - text.startIndex
        for count in Self.cuts(text, most) where count <= end {
          do {
            _ = try HTTPArchive(text.prefix(count))
            Issue.record("\(file.lastPathComponent) is read although it ends after \(count) bytes")
          } catch {
            let lines = text.prefix(count).count { $0 == 0x0A } + 1
            #expect(error is HTTPArchiveError && 1...lines ~= (error as? HTTPArchiveError)?.line ?? 1, "\(file)")
          }
        }
      }
    }
  }

  /// The strings of all archives, each once, and as they are in the file, with their escapes.
  private static let texts: [Data] = {
    var texts: Set<Data> = []
    for file in archives {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      bytes.withUnsafeBytes { buffer in
        var scanner = JSONScanner(buffer.bindMemory(to: UInt8.self))
        while let token = try? scanner.next() {
          if case .end = token { break }
          guard case .string(let text) = token else { continue }
          texts.formUnion([text.data, bytes[text.range]])
        }
      }
    }
    return texts.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count }
  }()

  /// Texts in which each of the parsers goes to its last branches.
  private static let difficult: [Data] = {
    let file = Bundle.module.url(forResource: "Fixtures/difficult-texts", withExtension: "json")
    let texts = file.flatMap { try? JSONDecoder().decode([String].self, from: Data(contentsOf: $0)) } ?? []
    return texts.map { Data($0.utf8) }
  }()

  @Test("ends no parser")
  func texts() {
    for areDifficult in [true, false] {
      let all = areDifficult ? Self.difficult : Self.texts
      let texts = areDifficult ? all : stride(from: 0, to: all.count, by: TestSize.of(1, inPart: 9)).map { all[$0] }
      #expect(texts.count > 10, "\(areDifficult)")
      for text in texts {
        for count in Self.cuts(text, areDifficult ? 400 : 12) { Self.parse(Data(text.prefix(count)), areDifficult) }
      }
    }
  }

  /// Gives bytes to each parser. What it makes of them is for its own tests.
  private static func parse(_ bytes: Data, _ isWhole: Bool) {
    let text = String(decoding: bytes, as: UTF8.self)
    for bytes in [bytes, Data("\"".utf8) + bytes, Data("[".utf8) + bytes] {
      _ = try? JSONValue(parsing: bytes)
      _ = try? HTTPArchive(bytes)
    }
    let boundary =
      MultipartBody.boundary(ofContentType: text) ?? MultipartBody.boundary(ofContentType: "multipart/" + text)
    for boundary in ["b", boundary ?? "-"] { _ = MultipartBody(parsing: bytes, boundary: boundary).parts }
    _ = (HeaderParameters(text), NamedValue.cookies(text), NamedValue.query(text), NamedValue.form(text))
    _ = (BasicAuth(header: text), ResponseHeaders.Field(line: text), Date(httpDate: text), Date(archived: text))
    _ = try? ResponseMessage(bytes)
    _ = (GraphQLOperation.names(inDocument: text), try? JSONPath(parsing: text), Redacted.isWhole(text))
    for isEncoded in [true, false] {
      var template = PathTemplateParser(text, isEncoded: isEncoded)
      _ = try? template.parse()
    }
    var requests = RequestParser()
    requests.append(bytes)
    while let event = try? requests.next() { _ = event }
    guard isWhole else { return }
    // As a value of each kind in an archive that is redacted, written, read and replayed.
    var request = URLRequest(url: URL(string: "http://a.example/")!)
    request.httpBody = bytes
    request.setValue(text, forHTTPHeaderField: "Content-Type")
    request.setValue(text, forHTTPHeaderField: "Cookie")
    let headers = HTTPArchive.Headers(["Set-Cookie", "Content-Type", "Location"].map { (name: $0, value: text) })
    let archive = HTTPArchive(entries: [.init(request: request, response: .init(headers: headers, body: bytes))])
    _ = try? HTTPArchive(archive.redacted(.standard).data)
    _ = archive.answer(ofEntryAt: 0, .recorded).changed
  }
}
