import Foundation
import StubKit
import StubKitFormats

/// Replaces the origins of servers by their addresses in a text that arrives in pieces.
struct LinkRewriter {
  private let links: [(origin: [UInt8], address: [UInt8])]
  /// The end of what has arrived, if more of it can make an origin.
  private var rest: [UInt8] = []

  /// Returns `nil` for a response that isn't a whole text.
  init?(_ links: [(origin: [UInt8], address: [UInt8])], status: Int, _ headers: ResponseHeaders) {
    let type = headers["Content-Type"]?.lowercased().prefix { $0 != ";" }.trimmingOptionalWhitespace ?? ""
    let isText = type.hasPrefix("text/") || ["json", "xml", "javascript", "ndjson"].contains { type.hasSuffix($0) }
    let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
    guard !links.isEmpty, isText, coding == "identity", status != 206 else { return nil }
    self.links = links
  }

  /// Returns what can be sent of a text that goes on.
  mutating func rewrite(_ piece: Data) -> Data { rewrite(piece, isLast: false) }

  /// Returns the rest of the text.
  mutating func finish() -> Data { rewrite(Data(), isLast: true) }

  private mutating func rewrite(_ piece: Data, isLast: Bool) -> Data {
    let text: [UInt8] = rest + piece
    var (result, position) = (Data(), 0)
    while let start = text[position...].firstIndex(of: UInt8(ascii: "h")) {
      result += text[position..<start]
      position = start
      let tail = text[start...]
      let link = links.first { tail.starts(with: $0.origin) && !Self.isHost(tail.dropFirst($0.origin.count).first) }
      if !isLast, links.contains(where: { tail.count <= $0.origin.count && $0.origin.starts(with: tail) }) {
        rest = Array(tail)
        return result
      }
      result += link?.address ?? [text[start]]
      position += link?.origin.count ?? 1
    }
    rest = []
    return result + text[position...]
  }

  /// Whether a host or a port goes on with a byte.
  private static func isHost(_ byte: UInt8?) -> Bool {
    switch byte ?? 0 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
