import Foundation
import StubKit

@testable import StubKitTranscripts

/// A transcript; and a request that is sent: a method and a URL, a header, and a type on a line each, and a body.
struct TranscriptFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    _ = try? TranscriptReader(input.text)
    for type in ["application/json", TranscribedRequest.form, "multipart/form-data; boundary=B"] {
      _ = TranscribedRequest.body(input, type: type)
    }
    let line = input.text.replacing("\n", with: " ")
    if let text = try? TranscribedText(reading: line) { _ = text.values(in: line, Machine()) }
    if let text = try? TranscribedText(reading: "{{_}}\(line.prefix(8))a{{number1}}b{{_}}") {
      _ = text.values(in: line, Machine())
    }
  }

  func check(_ input: Data) {
    if let read = try? TranscriptReader(input.text) { checkRoundTrip(read.requests) }
    let lines = input.lines(4).map(\.text)
    let (method, url) = lines[0][...].cut(at: " ") ?? ("GET", lines[0][...])
    let (name, value) = lines[1][...].cut(at: ":") ?? ("X", lines[1][...])
    let sent = SentParts(
      method: method.isEmpty ? "GET" : String(method), url: "http://a/\(url)",
      headers: [(String(name), String(value)), ("Content-Type", lines[2])], body: input.lines(4)[3])
    let request = TranscribedRequest(sent)
    checkRoundTrip([request, request])
    checkValues(lines[1], in: lines[3])
  }

  /// What is written is read as it was.
  private func checkRoundTrip(_ requests: [TranscribedRequest]) {
    let text = TranscriptWriter.text(of: requests)
    let read = try? TranscriptReader(text).requests
    demand(read == requests, "\(text.debugDescription) is read as \(String(describing: read))")
  }

  /// The values of placeholders, put in their places, are the text that was sent.
  private func checkValues(_ pattern: String, in sent: String) {
    guard let text = try? TranscribedText(reading: pattern), let values = text.values(in: sent, Machine()) else {
      return
    }
    var rest = values[...]
    let filled = text.pieces.map { piece in
      if case .literal(let text) = piece { return text.string }
      return rest.popFirst() ?? ""
    }
    demand(filled.joined().isIdentical(to: sent) && !values.contains(""), "\(values) in \(pattern)")
  }
}
