import Foundation
import StubKit

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
    // The bodies stand in the input, one after the other.
    demand(
      parts.reduce(0) { $0 + $1.body.count } <= body.count, "more than \(body.count) bytes in \(parts.count) parts")
    for part in parts { demand(part.hasContentType(nil) && part.hasContentType(part.contentType), part.contentType) }
    // A slice that does not begin at zero.
    let slice = (Data([1, 2, 3]) + body).dropFirst(3)
    let same = MultipartBody(parsing: slice, boundary: boundary).parts
    demand(same.map(\.body) == parts.map(\.body) && same.map(\.name) == parts.map(\.name), "a slice")
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
