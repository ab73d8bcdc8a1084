import Foundation

/// Matches requests whose body consists of exactly these bytes. A missing body and an empty one are equal.
///
/// ```swift
/// stub(condition: hasBody(Data("ping".utf8)), response: .text("pong"))
/// ```
public func hasBody(_ body: Data) -> RequestMatcher { RequestMatcher(BodyCriterion(body: body)) }

/// Matches requests whose body contains a text in UTF-8, such as `bodyContains("needle")`. An empty text is a mistake.
///
/// ```swift
/// stub(
///   .post, "https://api.example.com/log",
///   where: bodyContains("error"),
///   response: .status(202))
/// ```
public func bodyContains(_ text: String) -> RequestMatcher {
  RequestMatcher(BodyTextCriterion(text: text), unless: text.fault(.bodyText))
}

/// Matches requests whose body is a form with these fields and no others, in any order.
///
/// ```swift
/// // Matches note=&remember&user=ann.
/// hasFormBody(["user": "ann", "remember": nil, "note": ""])
/// ```
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. Names and values are
/// percent-decoded, and a `+` is a space, as the WHATWG URL standard specifies for
/// `application/x-www-form-urlencoded`. If a form repeats a name, all of its fields must match. The `Content-Type`
/// doesn't matter. A body that is not UTF-8 is no form.
public func hasFormBody(_ fields: [String: String?]) -> RequestMatcher { .items(.form, fields, .all) }

/// Matches requests whose body is a form with these fields and no others, in any order. A repeated field must occur
/// as often as in the list.
///
/// ```swift
/// // Matches tag=b&tag=a.
/// hasFormBody(
///   URLQueryItem(name: "tag", value: "a"),
///   URLQueryItem(name: "tag", value: "b"))
/// ```
public func hasFormBody(_ fields: URLQueryItem...) -> RequestMatcher { hasFormBody(items: fields) }

/// Matches requests whose body is a form with the fields of an array and no others, in any order.
package func hasFormBody(items: [URLQueryItem]) -> RequestMatcher {
  RequestMatcher(ItemsCriterion(.form, items.map { NamedValue(name: $0.name, value: $0.value) }, .counted))
}

/// Matches requests whose body is a form that contains all of these fields, in any order and possibly among others.
///
/// ```swift
/// // Matches user=ann&session=7Qx&remember.
/// hasFormBody(containing: ["user": "ann", "remember": nil])
/// ```
///
/// Fields are as in ``hasFormBody(_:)-([String:String?])``. If a form repeats a name, one of its fields must match.
public func hasFormBody(containing fields: [String: String?]) -> RequestMatcher { .items(.form, fields, .some) }

/// Matches requests whose multipart body (RFC 7578) has a part with a name, such as
/// `hasMultipartPart(named: "avatar")`.
///
/// ```swift
/// hasMultipartPart(named: "title", value: "Sunset")
///   && hasMultipartPart(
///     named: "photo", filename: "sunset.jpg", contentType: "image/jpeg",
///     data: photo)
/// ```
///
/// One part must meet all of it. A body that no line `--boundary--` ends doesn't match, and neither does one whose
/// lines end with LF in place of CR and LF, because servers refuse them.
///
/// - Parameters:
///   - name: The name in the part's Content-Disposition. Case matters. The test fails if it is empty.
///   - filename: The name of the file in the part's Content-Disposition, decoded from `filename*` (RFC 8187) if that is
///     there. Case matters. Defaults to `nil`, which matches any, and none.
///   - contentType: The content type of the part, such as `"image/png"`. Case doesn't matter. The part's parameters
///     are compared only if you pass some. A part without a content type counts as `text/plain`. Defaults to `nil`,
///     which matches any type.
///   - value: The content of the part, as text in UTF-8. Defaults to `nil`, which matches any content.
///   - data: The content of the part, as bytes. Defaults to `nil`, which matches any content.
public func hasMultipartPart(
  named name: String, filename: String? = nil, contentType: String? = nil, value: String? = nil, data: Data? = nil
) -> RequestMatcher {
  RequestMatcher(
    MultipartCriterion(name, filename, contentType, value, data),
    unless: name.fault(.impossiblePartName) ?? contentType?.fault(.impossibleContentType))
}

final class BodyCriterion: Criterion {
  let body: Data

  init(body: Data) { self.body = body }

  var description: String { "hasBody(\(body.swiftSource))" }
  var subject: String { "body" }
  var expectation: String { body.excerpt }
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts) -> Bool { (facts.bodyData ?? Data()) == body }
  func actual(_ facts: inout RequestFacts) -> String? { facts.bodyData?.excerpt }

  /// Compares text as text, and other bytes by the position where they differ.
  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    guard let data = facts.bodyData, !data.isEmpty else { return result.add(Points.otherBody, mismatch(actual: nil)) }
    let share = TextDifference.share(Array(body.prefix(256)), Array(data.prefix(256)))
    let coding = facts.codingNote
    result.add(
      body.isEmpty ? Points.otherBody : Points.scaled(Points.body, share), mismatch(of: data, coding: coding))
  }

  private func mismatch(of data: Data, coding: String?) -> RequestMatcher.Mismatch {
    let excerpts = (body.excerpt, data.excerpt)
    if excerpts.0.hasPrefix("\""), excerpts.1.hasPrefix("\"") {
      return mismatch(expected: excerpts.0, actual: excerpts.1, note: coding)
    }
    let place = body.firstDifference(from: data)
    /// As many bytes are told apart by the first that differs.
    func excerpt(_ bytes: Data, _ excerpt: String) -> String {
      guard excerpts.0 == excerpts.1, let byte = bytes.dropFirst(place).first else { return excerpt }
      return "0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16)) in \(excerpt)"
    }
    return mismatch(
      expected: excerpt(body, excerpts.0), actual: excerpt(data, excerpts.1),
      note: coding ?? "they differ from byte \(place) on")
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) { body(.body(self.body)) }
}

final class BodyTextCriterion: Criterion {
  let text: String

  init(text: String) { self.text = text }

  var description: String { "bodyContains(\(text.debugDescription))" }
  var subject: String { "body" }
  var expectation: String { "text that contains \(text.debugDescription)" }
  var weight: ClosedRange<Int> { Points.body.upperBound...Points.otherBody }
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts) -> Bool {
    facts.bodyData?.range(of: Data(text.utf8)) != nil
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.bodyData?.excerpt }
}

final class MultipartCriterion: Criterion {
  let name: String
  let filename: String?
  let contentType: String?
  let value: String?
  let data: Data?

  init(_ name: String, _ filename: String?, _ contentType: String?, _ value: String?, _ data: Data?) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    self.value = value
    self.data = data
  }

  var description: String {
    let arguments = [("named", name), ("filename", filename), ("contentType", contentType), ("value", value)]
    let texts = arguments.compactMap { label, text in text.map { "\(label): \($0.debugDescription)" } }
    return "hasMultipartPart(\((texts + (data.map { ["data: \($0.swiftSource)"] } ?? [])).listed))"
  }
  var subject: String { "body part \(name.plain)" }
  var expectation: String { wanted ?? "any type" }
  var opposite: String { wanted.map { "anything but \($0)" } ?? "none" }
  var stages: Stages { .body }

  private var wanted: String? {
    line([filename.map { "file \($0.debugDescription)" }, contentType, value?.debugDescription, data?.excerpt])
  }

  private func line(_ texts: [String?]) -> String? {
    let texts = texts.compactMap { $0 }
    return texts.isEmpty ? nil : texts.listed
  }

  func test(_ facts: inout RequestFacts) -> Bool {
    guard let multipart = facts.multipart, multipart.problem == nil else { return false }
    return multipart.parts.contains { part in
      part.name?.isSame(as: name) == true && part.hasContentType(contentType)
        && filename.map { part.filename?.isSame(as: $0) == true } != false
        && value.map { part.body == Data($0.utf8) } != false && data.map { part.body == $0 } != false
    }
  }

  /// The parts of the name, each with what is compared.
  func actual(_ facts: inout RequestFacts) -> String? {
    let parts = (facts.multipart?.parts ?? []).filter { $0.name?.isSame(as: name) == true }
    let isTypeShown = contentType != nil || filename == nil && value == nil && data == nil
    return line(
      parts.flatMap { part in
        [
          filename == nil ? nil : part.filename.map { "file \($0.debugDescription)" } ?? "no file",
          isTypeShown ? part.contentType : nil, value == nil && data == nil ? nil : part.body.excerpt(besides: data),
        ]
      })
  }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    guard let multipart = facts.multipart else {
      let type = facts.header("Content-Type").map { "its Content-Type is \($0)" }
      return result.add(Points.otherBody, mismatch(actual: nil, note: type ?? "the request has no Content-Type"))
    }
    let actual = actual(&facts)
    let names = actual == nil ? Names(multipart.parts.compactMap(\.name)).note(nearestTo: name) : nil
    // Formats other than forms name a part by its Content-ID (RFC 2045, section 7), or by nothing.
    let unnamed = multipart.parts.filter { $0.name == nil }.prefix(3).map(\.contentType)
    let others = unnamed.isEmpty ? nil : "a part without a name: \(unnamed.listed)"
    let note = facts.codingNote ?? multipart.problem ?? names
    result.add(Points.missingItem, mismatch(actual: actual ?? others, note: note))
  }
}

extension Data {
  /// A short text as its literal, and any other text as its length.
  package var swiftSource: String {
    if count <= 200, let text = String(validUTF8: self) { return "Data(\(text.debugDescription).utf8)" }
    return "<\(count) bytes>"
  }

  /// A text as its literal. Anything else, and very long text, as its length.
  package var excerpt: String {
    if count <= 4_000, let text = String(validUTF8: self) { return text.debugDescription }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }

  /// The excerpt, and where the bytes begin to differ from others whose excerpt is the same.
  fileprivate func excerpt(besides other: Data?) -> String {
    guard let other, other != self, other.excerpt == excerpt else { return excerpt }
    return "\(excerpt), which differ from byte \(firstDifference(from: other)) on"
  }

  /// Returns how many bytes are those of another body, up to the first that isn't.
  ///
  /// A body can have megabytes, so blocks of it are compared by the system: a debug build takes a second for the bytes
  /// of a few.
  fileprivate func firstDifference(from other: Data) -> Int {
    var (left, right) = (self[...], other[...])
    var length = Swift.min(count, other.count)
    // What is equal in the first half leaves the second one.
    while length > 0 {
      let half = (length + 1) / 2
      if left.prefix(half) == right.prefix(half) {
        (left, right, length) = (left.dropFirst(half), right.dropFirst(half), length - half)
      } else if half == 1 {
        break
      } else {
        length = half
      }
    }
    return count - left.count
  }

  /// Why the bytes are not JSON, and where, or `nil` if they are.
  var reasonNotJSON: String? {
    let result = Result { try StubJSON(parsing: self) }
    guard case .failure(let error as JSONSyntaxError) = result else { return nil }
    return "not JSON: \(error.problem) (line \(error.line), column \(error.column))"
  }
}
