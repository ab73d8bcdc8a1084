import Foundation
import StubKit

/// The content of a Mocktail file: the requests that it answers, and its response.
///
/// Line 1 is a regular expression for the method, line 2 is a regular expression for the URL, and line 3 is the
/// status. The following lines contain a content type without a name, header fields, or both. The body begins after
/// the first blank line. It is in base64 if the content type ends in `;base64`.
struct Mocktail {
  let condition: RequestMatcher
  let response: StubResponse

  /// - Parameter path: The path of the file, for errors.
  init(_ data: Data, path: String) throws(MocktailError) {
    var head = MessageLines(data)
    var lines: [String] = []
    while let line = head.next(), !line.isEmpty { lines.append(line) }
    // Without a blank line, there is no body.
    if lines.count == head.number, !head.rest.isEmpty { lines.append(head.last()) }
    func fail(_ line: Int, _ problem: String) -> MocktailError {
      MocktailError(path: path, line: line, problem: problem)
    }
    guard lines.count >= 4 else {
      throw fail(lines.count + 1, "is missing. \(Self.missing[lines.count])")
    }
    condition = try Self.condition(method: lines[0], url: lines[1], fail)
    guard let status = Int(lines[2].trimmingCharacters(in: .whitespaces)), StubResponse.problem(ofStatus: status) == nil
    else {
      throw fail(
        3, "says \(lines[2].debugDescription), which is not the status of a response. Write one from 200 to 999.")
    }
    var headers = StubHeaders()
    for (offset, line) in lines.dropFirst(3).enumerated() {
      if let field = StubHeaders.Field(line: line) {
        headers.replace(field.name, field.value)
      } else if offset == 0, !line.contains(":") {
        headers.replace("Content-Type", line)
      } else {
        throw fail(
          4 + offset,
          "says \(line.debugDescription), which is not a header field. Write \"Name: value\", and a blank line before the body."
        )
      }
    }
    var body = head.rest
    let suffix = ";base64"
    if let type = headers["Content-Type"], type.lowercased().hasSuffix(suffix) {
      headers.replace("Content-Type", String(type.dropLast(suffix.count)))
      guard let decoded = Data(base64Encoded: body, options: .ignoreUnknownCharacters) else {
        throw fail(
          head.number + 1,
          "begins a body that is not base64, although line 4 says so. Encode it, or remove \";base64\".")
      }
      body = decoded
    }
    response = StubResponse.data(body, status: status).modified { $0.headers = headers }
  }

  private static let missing = [
    "Write a regular expression for the method, such as GET|POST.",
    "Write a regular expression for the URL, such as .*/users.",
    "Write a status, such as 200.",
    "Write a content type, such as application/json, or a header field.",
  ]

  private static func condition(
    method: String, url: String, _ fail: (Int, String) -> MocktailError
  ) throws(MocktailError) -> RequestMatcher {
    func expression(_ line: Int, _ text: String) throws(MocktailError) -> NSRegularExpression {
      do { return try NSRegularExpression(pattern: text, options: .caseInsensitive) } catch {
        throw fail(
          line,
          "says \(text.debugDescription), which is not a regular expression. Write a backslash before a literal "
            + #"( [ { * + ? . $ ^ | \."#)
      }
    }
    let methods = try expression(1, method)
    _ = try expression(2, url)
    let urls = urlMatches(url, options: .caseInsensitive)
    if method == ".*" { return urls }
    let names = method.pieces(at: "|")
    // Names are compared like methods, so that the report of a request can say what differs.
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isLetter) }) else {
      return urls
        && RequestMatcher("method matches \(method.debugDescription)") { request in
          let name = request.httpMethod ?? "GET"
          return methods.firstMatch(in: name, range: NSRange(name.startIndex..., in: name)) != nil
        }
    }
    let alternatives = names.map { isMethod(StubMethod($0.uppercased())) }
    return alternatives.dropFirst().reduce(alternatives[0]) { $0 || $1 } && urls
  }
}
