import Foundation
import StubKitFormats

/// An archive as Swift code: a function that registers its entries as stubs, a test that requests them, and the
/// fixtures.
package struct SwiftSource {
  /// The name of the file, such as `UsersTests.swift`.
  package let fileName: String
  /// The contents of the file.
  package let text: String
  /// The bodies that are too long for a line, which belong into the folder `Fixtures` beside the file.
  package let fixtures: [(name: String, data: Data)]
  /// The reasons why entries have no stub, one sentence each.
  package let omissions: [String]

  /// - Parameter name: The name of the archive, such as `users`.
  package init(_ archive: HTTPArchive, name: String) {
    let base = name.camelCased
    var calls = WrittenStubs(archive)
    for (number, entry) in zip(1..., archive.entries) { calls.add(entry, number: number, of: name) }
    fileName = "\(base)Tests.swift"
    fixtures = calls.fixtures
    omissions = calls.omissions
    text = Self.file(base, name, calls)
  }

  private static func file(_ base: String, _ name: String, _ calls: WrittenStubs) -> String {
    let file = "\(name.withoutLineBreaks).har"
    // A comment can't be broken where the formatter accepts it.
    let shown = file.count > 80 ? "\(file.prefix(79))…" : file
    let helper = """


      /// Returns the path of a file in the folder Fixtures beside this file.
      private func fixtureFile(_ name: String) -> URL {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return folder.appendingPathComponent("Fixtures/\\(name)")
      }
      """
    return """
      // Made from \(shown) by `stubkit swift`. Edit it as you like.
      import Foundation
      import StubKit
      import StubKitTesting
      import Testing

      #if canImport(FoundationNetworking)
        import FoundationNetworking
      #endif

      /// Registers stubs that answer like \(shown).
      func stub\(base)() {
      \(calls.lines.joined(separator: "\n"))
      }\(calls.fixtures.isEmpty ? "" : helper)

      \(SourceLayout.chain(["@Suite(\(("The stubs of " + file).debugDescription), .stubbed)"], after: ""))
      struct \(base)Tests {
        init() { stub\(base)() }

      \(test(calls))
      }

      """
  }

  /// Returns a test of all responses to a plain GET.
  private static func test(_ calls: WrittenStubs) -> String {
    let asked = calls.sequences.filter(\.isPlainGet)
    guard !asked.isEmpty else {
      return """
          @Test("are registered")
          func registered() {
            #expect(StubRegistry.current.stubs.count == \(calls.sequences.count))
          }
        """
    }
    let rows = asked.map { SourceLayout.chain(["(\($0.url.debugDescription), \($0.status))"], after: "      ") }
    return """
        @Test(
          "answer a GET",
          arguments: [
      \(rows.joined(separator: ",\n"))\(rows.count > 1 ? "," : "")
          ])
        func get(url: String, status: Int) async throws {
          let (_, response) = try await URLSession.shared.data(from: URL(string: url)!)
          #expect((response as? HTTPURLResponse)?.statusCode == status)
        }
      """
  }
}

/// The calls of `stub` for an archive. Entries with one condition share a call.
private struct WrittenStubs {
  struct Sequence {
    let condition: [String]
    let url: String
    /// Whether a GET without a body receives the first response, and that response doesn't lead to another request.
    let isPlainGet: Bool
    let status: Int
    /// The parts of each response.
    var responses: [[String]]
  }

  private(set) var sequences: [Sequence] = []
  private var positions: [[String]: Int] = [:]
  private let requests: RequestsOfArchive
  private(set) var fixtures: [(name: String, data: Data)] = []
  private(set) var omissions: [String] = []

  init(_ archive: HTTPArchive) { requests = RequestsOfArchive(archive.entries.lazy.map(\.request)) }

  mutating func add(_ entry: HTTPArchive.Entry, number: Int, of name: String) {
    guard let url = entry.request.url?.absoluteString else { return }
    guard entry.obstacle == nil, entry.response != nil || entry.error != nil else {
      omissions.append("Entry \(number) \((entry.obstacle ?? "has neither a response nor an error").asSentence)")
      return
    }
    let condition = SourceOfCondition(entry.request, among: requests)
    let response = SourceOfResponse(entry, number: number, name: name)
    if let fixture = response.fixture { fixtures.append(fixture) }
    if let position = positions[condition.parts] {
      sequences[position].responses.append(response.parts)
      return
    }
    positions[condition.parts] = sequences.count
    let status = entry.response?.status ?? 0
    sequences.append(
      Sequence(
        condition: condition.parts, url: url,
        isPlainGet: condition.isPlainGet && entry.error == nil && !(300...399).contains(status) && status != 401
          && status != 407,
        status: status, responses: [response.parts]))
  }

  var lines: [String] {
    sequences.flatMap { sequence -> [String] in
      let condition = SourceLayout.conjunction(sequence.condition, after: "    condition: ") + ","
      guard sequence.responses.count > 1 else {
        return ["  stub(", condition, SourceLayout.chain(sequence.responses[0], after: "    response: ") + ")"]
      }
      return ["  stub(", condition, "    responses: ["]
        + sequence.responses.map { SourceLayout.chain($0, after: "      ") + "," } + ["    ])"]
    }
  }
}

extension String {
  fileprivate var asSentence: String { hasSuffix(".") ? self : self + "." }

  /// The text as it can stand in a comment and in a file name: with a hyphen for each control character and line break.
  var withoutLineBreaks: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.breaksLines ? "-" : $0 }))
  }

  /// `box-office` as `BoxOffice`.
  fileprivate var camelCased: String {
    let words = split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return joined.first?.isLetter == true ? joined : "Archive" + joined
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}
