import Foundation
import StubKit
import StubKitArchive

extension HTTPArchive.Entry {
  /// Moves the `Expires` of each cookie by the age of the recording, so that a cookie that lived when it was recorded
  /// lives when it is replayed. The age counts at each answer, because a server can replay for days.
  ///
  /// `nil` if the response sets no cookie.
  var renewingCookies: (@Sendable (StubResponse) -> StubResponse)? {
    guard let response, response.headers["Set-Cookie"] != nil else { return nil }
    return { [startedAt] response in
      let age = Date().timeIntervalSince(startedAt)
      let headers = response.headers.fields.reduce(into: StubHeaders()) { moved, field in
        let isCookie = field.name.isHeaderName("Set-Cookie")
        moved.append(field.name, isCookie ? field.value.withExpirations(movedBy: age) : field.value)
      }
      return response.modified { $0.headers = headers }
    }
  }
}

extension String {
  /// A `Set-Cookie`, or several that a tool has joined with commas, with later dates in `Expires`. What is no date of
  /// HTTP stays.
  fileprivate func withExpirations(movedBy age: TimeInterval) -> String {
    replacing(#/(;[ \t]*expires[ \t]*=)([^;]*)/#.ignoresCase()) { field in
      // Most dates have a comma after the weekday. What follows the next one is another cookie.
      let texts = field.2.pieces(at: ",")
      for count in 1...2 where count <= texts.count {
        guard let date = Date(httpDate: texts.prefix(count).joined(separator: ",")) else { continue }
        let rest = [(date + age).httpDate] + texts.dropFirst(count).map(String.init)
        return "\(field.1)\(rest.joined(separator: ","))"
      }
      return String(field.0)
    }
  }
}
