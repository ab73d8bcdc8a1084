import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// Archives of which parts were changed at random, so that nothing about them is as somebody meant it.
@Suite("A mutated archive", .inTurn)
struct MutatedArchiveTests {
  private static let bodies: [(type: String, text: String)] =
    SecretPlace.all.map { ($0.type, $0.text) }
    + (try! PlantedSecret.rows("Redaction/bodies")).map { row in
      (row[0], row[1].replacing(#/«([^»→]*)(?:→[^»]*)?»/#) { String($0.1) })
    }
  private static let marks =
    [
      "{", "}", "[", "]", "(", ")", "<", ">", "\"", "'", "`", "\\", "&", "=", ":", ";", ",", "%", "%7B", "+", "/", "?",
      "#", "\n", "\r\n", "\u{1B}", "--b1", "data:", "&amp;", "password=", "token: ", "\"secret\":", "eyJ", "x9-zk2q7",
      "http://", "REDACTED", "REDACTED-2", "Bearer ", "\u{A0}", "🙂", "0x", "//", "<!--", "-->",
    ].map { Array($0.utf8) } + [[0], [0xFF], [0xC2], [0xED, 0xA0, 0x80]]

  private static func mutated(_ text: some Collection<UInt8>, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = Array(text)
    func place() -> Int { bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count + 1)) }
    for _ in 0...random.next() % 3 {
      let (start, other) = (place(), place())
      let range = start..<min(bytes.count, start + Int(random.next() % 24))
      switch random.next() % 4 {
      case 0: bytes.removeSubrange(range)
      case 1: bytes.insert(contentsOf: Array(bytes[range]), at: other)
      case 2: bytes.replaceSubrange(start..<min(bytes.count, start + 1), with: random.pick(marks))
      default: bytes.insert(contentsOf: random.pick(marks), at: start)
      }
    }
    return bytes
  }

  /// An archive of two entries whose URLs, fields and bodies were changed.
  private static func archive(_ random: inout SplitMix64) -> HTTPArchive {
    HTTPArchive(
      entries: (0..<2).map { _ in
        let (sent, answered) = (random.pick(bodies), random.pick(bodies))
        var entry = RedactionTests.entry("/", answer: "", answered.type)
        func field(_ text: String) -> String {
          String(decoding: mutated(text.utf8, &random).filter { 0x20..<0x7F ~= $0 }, as: UTF8.self)
        }
        let url = field("http://ann:k3Kd8sJq2L@a.example/reset/Wm4Kq8Zt2Rv6Xb1Nc5Ld?token=x9-zk2q7&n=1#a")
        if let url = URL(string: url), url.host != nil, url.scheme == "http" { entry.request.url = url }
        entry.request.httpMethod = "POST"
        entry.request.setValue(sent.type, forHTTPHeaderField: "Content-Type")
        entry.request.setValue(field("sid=k3Kd8sJq2L; a=b"), forHTTPHeaderField: "Cookie")
        entry.request.httpBody = Data(mutated(sent.text.utf8, &random))
        entry.response?.headers["Set-Cookie"] = field("sid=Wm4Kq8Zt2Rv6Xb1Nc5Ld; Path=/")
        entry.response?.body = Data(mutated(answered.text.utf8, &random))
        return entry
      })
  }

  /// What is wrong with the redacted text of an archive, or `nil`.
  private static func fault(of text: Data, _ redactions: [Redaction]) -> String? {
    do {
      var document = try ArchiveDocument(text, name: "mutated.har")
      _ = try document.redact(redactions, for: nil)
      let once = document.data
      guard (try? HTTPArchive(once)) != nil else { return "is invalid: \(once.text)" }
      var again = try ArchiveDocument(once, name: "mutated.har")
      let report = try again.redact(redactions, for: nil).report
      return again.data == once ? nil : "changes again, \(report.lines): \(once.text)"
    } catch {
      return "throws \(error)"
    }
  }

  @Test("is valid after its redaction, and a second redaction changes nothing")
  func redacted() async throws {
    let faults = try await onOwnThread {
      (0..<TestSize.of(3_000, inPart: 150)).compactMap { seed -> String? in
        var random = SplitMix64(seed: UInt64(seed))
        let fault = Self.fault(of: Self.archive(&random).data, seed % 3 == 0 ? .named : .standard)
        return fault.map { "\(seed) \($0)" }
      }
    }
    #expect(faults == [])
  }

  @Test("whose file was changed is refused, or is valid after its redaction, and stays as it is in a second one")
  func files() async throws {
    let (faults, readCount) = try await onOwnThread {
      var (faults, readCount) = ([String](), 0)
      for seed in 0..<TestSize.of(3_000, inPart: 150) {
        var random = SplitMix64(seed: UInt64(1_000 + seed))
        let text = Data(Self.mutated(Self.archive(&random).data, &random))
        if (try? ArchiveDocument(text, name: "mutated.har")) == nil { continue }
        readCount += 1
        if let fault = Self.fault(of: text, .standard) { faults.append("\(seed) \(fault)") }
      }
      return (faults, readCount)
    }
    #expect(faults == [])
    #expect(readCount > 10)
  }
}
