import Foundation
import StubKit

/// A request in a transcript, or one that was made, which has no placeholders.
struct TranscribedRequest: Hashable, Sendable {
  /// A header, an item of a query, or a field of a form.
  struct Field: Hashable, Sendable {
    /// `nil` for an item without `=`, which is only a value.
    var name: ExactString?
    var value: TranscribedText

    init(_ name: String?, _ value: TranscribedText) { (self.name, self.value) = (name.map { ExactString($0) }, value) }
  }

  enum Body: Hashable, Sendable {
    case none
    case json(TranscribedJSON)
    case form([Field])
    case multipart([Part])
    /// The lines of a text.
    case text([TranscribedText])
    case bytes(TranscribedBytes)

    var isEmpty: Bool { self == .none }
  }

  struct Part: Hashable, Sendable {
    var fields: [Field] = []
    var body = Body.none

    /// The name in its Content-Disposition.
    var name: String? {
      fields.value(of: "content-disposition").flatMap { HeaderParameters($0.source()).text("name") }
    }
  }

  var method = "GET"
  /// The pieces of the URL between its slashes, without the query.
  var url: [TranscribedText] = []
  /// The items of the query, or `nil` if there is no query.
  var items: [Field]?
  /// The headers, sorted by their names.
  var fields: [Field] = []
  /// The time after which the client gives up, in seconds, if it isn't the usual one.
  var timeout: String?
  /// The time of the test's manual clock, such as `3s`, or `nil` if it has none.
  var time: String?
  /// Whether URLSession made the request to follow a redirect. The platforms differ in what they send again then.
  var isRedirected = false
  var body = Body.none
  /// When the request was made, in seconds since 1970. No part of what is compared.
  var madeAt = NotCompared<Double>(value: 0)

  func header(_ name: String) -> TranscribedText? { fields.value(of: name) }

  /// The type of the body, in lower case.
  var type: String { (header("content-type")?.source() ?? "").lowercased() }

  /// The method and the URL.
  var target: String { TranscriptWriter.target(of: self) }
}

/// A value that makes no difference.
struct NotCompared<Value: Sendable>: Hashable, Sendable {
  var value: Value
  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A body that isn't text: its length, and digests by which the first byte that differs can be told.
struct TranscribedBytes: Hashable, Sendable {
  /// How a transcript shows the bytes, such as `(4 bytes, 5f3a9b0c7d21e8f4 01020304)`.
  let source: String
  /// The bytes, if they were sent.
  var sent = NotCompared<Data?>(value: nil)

  init(source: String) { self.source = source }

  init(_ data: Data) {
    let digests = data.withUnsafeBytes { bytes in
      Self.blocks(bytes.count).map { UnsafeRawBufferPointer(rebasing: bytes[$0]).digest.suffix(4) }.joined()
    }
    source = "(\(data.count) bytes, \(data.withUnsafeBytes(\.digest)) \(digests))"
    sent.value = data
  }

  private static func blocks(_ count: Int) -> [Range<Int>] {
    let length = max(1, (count + 15) / 16)
    return stride(from: 0, to: count, by: length).map { $0..<min(count, $0 + length) }
  }

  /// The length, as the source has it.
  private var parts: (count: Int, digests: [Substring])? {
    let words = source.dropFirst().dropLast().split(separator: " ")
    guard words.count == 4, words[1] == "bytes,", let count = Int(words[0]) else { return nil }
    let digits = Array(words[3])
    return (
      count, stride(from: 0, to: digits.count, by: 4).map { Substring(String(digits[$0..<min(digits.count, $0 + 4)])) }
    )
  }

  /// The bytes in words, without their digests.
  var summary: String { parts.map { "\($0.count) bytes" } ?? source }

  /// Returns the first block in which sent bytes differ from these, in words.
  func firstDifference(in data: Data) -> String? {
    guard let (count, digests) = parts else { return nil }
    for (range, digest) in zip(Self.blocks(count), digests) {
      let isSame =
        range.upperBound <= data.count
        && data.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).digest.suffix(4) } == digest
      if isSame { continue }
      if range.lowerBound >= data.count { return "it ends after byte \(data.count)" }
      return range.count == 1
        ? "the first that differs is byte \(range.upperBound)"
        : "the first that differs is among bytes \(range.lowerBound + 1) to \(range.upperBound)"
    }
    return data.count > count ? "it goes on after byte \(count)" : nil
  }
}

extension [TranscribedRequest.Field] {
  /// - Parameter name: In lower case.
  func value(of name: String) -> TranscribedText? { first { $0.name?.string.lowercased() == name }?.value }

  /// The fields sorted by name. Fields of one name keep their order.
  var sortedByName: Self {
    enumerated().map { (ExactString($1.name?.string.lowercased() ?? ""), $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}
