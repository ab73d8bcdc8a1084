import Foundation
import StubKitFormats

/// A boundary on the first line, a body after it.
struct MultipartFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    let lines = input.lines(2)
    for part in MultipartBody(parsing: lines[1], boundary: lines[0].text).parts.suffix(1_000) {
      _ = part.hasContentType("text/plain; charset=utf-8")
    }
    // Each line as a part of its own.
    _ = MultipartBody(parsing: Data("--\n".utf8) + input, boundary: "").parts.count
  }

  func check(_ input: Data) {
    let lines = input.lines(2)
    let (boundary, body) = (lines[0].text, lines[1])
    let parts = MultipartBody(parsing: body, boundary: boundary).parts
    let slow = SlowMultipart(parsing: body, boundary: boundary).parts
    demand(parts.map(\.body) == slow.map(\.body), "the bodies of \(parts.count) parts, not \(slow.count)")
    demand(parts.map(\.name) == slow.map(\.name), "\(parts.map(\.name)), not \(slow.map(\.name))")
    demand(parts.map(\.contentType) == slow.map(\.contentType), "\(parts.map(\.contentType))")
    for part in parts { demand(part.hasContentType(nil) && part.hasContentType(part.contentType), part.contentType) }
    // A slice that does not begin at zero.
    let slice = (Data([1, 2, 3]) + body).dropFirst(3)
    demand(MultipartBody(parsing: slice, boundary: boundary).parts.map(\.body) == slow.map(\.body), "a slice")
    checkRoundTrip(body)
    if let found = MultipartBody.boundary(ofContentType: "multipart/form-data; boundary=\(boundary)") {
      demand(!found.isEmpty && !found.has("\n"), found)
    }
  }

  /// A part comes out as it went in.
  private func checkRoundTrip(_ content: Data) {
    let boundary = "the boundary"
    guard content.range(of: Data("--\(boundary)".utf8)) == nil else { return }
    let head = Data("Content-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
    var body = Data()
    for _ in 0..<2 { body += Data("--\(boundary)\r\n".utf8) + head + content + Data("\r\n".utf8) }
    body += Data("--\(boundary)--".utf8)
    let parts = MultipartBody(parsing: body, boundary: boundary).parts
    demand(parts.map(\.body) == [content, content] && parts.allSatisfy { $0.name == "a" }, "a round trip")
  }
}

/// RFC 2046 by searching for each delimiter, and through each part, as often as need be.
struct SlowMultipart {
  var parts: [(name: String?, contentType: String, body: Data)] = []

  init(parsing data: Data, boundary: String) {
    var lines: [Data] = []
    for byte in data {
      if lines.last?.last == 0x0A || lines.isEmpty { lines.append(Data()) }
      lines[lines.count - 1].append(byte)
    }
    var open: Data?
    for line in lines {
      guard let isLast = Self.isDelimiter(line, Array("--\(boundary)".utf8)) else {
        open?.append(line)
        continue
      }
      if let part = open { add(Self.withoutLineBreak(part)) }
      open = Data()
      if isLast { return }
    }
    if let open { add(open) }
  }

  private static func isDelimiter(_ line: Data, _ delimiter: [UInt8]) -> Bool? {
    guard Array(line.prefix(delimiter.count)) == delimiter else { return nil }
    let rest = Array(line)[delimiter.count...]
    if rest.count >= 2, Array(rest.prefix(2)) == [0x2D, 0x2D] { return true }
    return rest.contains { ![0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) } ? nil : false
  }

  private static func withoutLineBreak(_ part: Data) -> Data {
    let bytes = part.last == 0x0A ? part.dropLast() : part
    return bytes.last == 0x0D ? bytes.dropLast() : bytes
  }

  private mutating func add(_ data: Data) {
    let bytes = Array(data)
    var (head, body) = (bytes, [UInt8]())
    for start in bytes.indices where start == 0 || bytes[start - 1] == 10 {
      let line = bytes[start...].prefix { $0 != 10 } + bytes[start...].drop { $0 != 10 }.prefix(1)
      if line.allSatisfy({ $0 == 10 || $0 == 13 }) {
        (head, body) = (Array(bytes[..<start]), Array(bytes[start...].dropFirst(line.count)))
        break
      }
    }
    var fields: [[UInt8]] = []
    for line in head.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let isFolded = !fields.isEmpty && (line.first == 0x20 || line.first == 0x09)
      if isFolded { fields[fields.count - 1] += line } else { fields.append(Array(line)) }
    }
    var (name, contentType): (String?, String) = (nil, "text/plain")
    for field in fields {
      let parts = SlowText.pieces(String(decoding: field, as: UTF8.self), ":")
      guard parts.count > 1 else { continue }
      let value = SlowText.trimmed(parts.dropFirst().joined(separator: ":"))
      switch SlowText.trimmed(parts[0]).lowercased() {
      case "content-disposition": name = HeaderParameters(value)["name"]
      case "content-type": contentType = value
      default: break
      }
    }
    parts.append((name, contentType, Data(body)))
  }
}
