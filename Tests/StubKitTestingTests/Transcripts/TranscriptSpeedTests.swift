import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

/// The limits are those of a debug build.
@Suite("The time of a comparison grows with the length of its texts", .inTurn)
struct TranscriptSpeedTests {
  private func text(_ lines: [String]) -> String {
    "POST https://a.example/log\nContent-Type: text/plain\n\n\(lines.joined(separator: "\n"))"
  }

  /// The time of the processor, because the machine does other work, too.
  private func time(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try body()
    return now() - start
  }

  @Test(
    "for ten thousand lines with a time each", arguments: ["{{time}}", "{{time%}}", "at {{time}} {{x%}} says {{_}}."])
  func lines(pattern: String) throws {
    func lines(_ pattern: String, _ count: Int) -> [String] {
      (0..<count).map { pattern.replacingOccurrences(of: "%", with: "\($0)") }
    }
    let sent = pattern.replacingOccurrences(of: "{{time}}", with: "2026-12-01T07:38:31Z")
      .replacingOccurrences(of: "{{time%}}", with: "2026-12-01T07:38:31Z").replacingOccurrences(
        of: "{{x%}}", with: "x%"
      )
      .replacingOccurrences(of: "{{_}}", with: "hello")
    let (transcript, request) = (
      text(lines(pattern, 10_000)), made("POST", "/log", asText, lines(sent, 10_000).joined(separator: "\n"))
    )
    let right = try time { try #require(try report(transcript, [request]) == []) }
    #expect(right < .seconds(1), "\(right)")
    var others = lines(sent, 10_000)
    others[76] += "x"
    let other = made("POST", "/log", asText, others.joined(separator: "\n"))
    let wrong = try time { try #require(try report(transcript, [other]).contains { $0.contains("line 77") }) }
    #expect(wrong < .seconds(2), "\(wrong)")
  }

  @Test(
    "for a megabyte that doesn't fit",
    arguments: ["{{_}} aaaa {{_}} aab {{_}}", "{{_}}aaaaaaaaaaaaaaaaaaaaab{{_}}ab{{_}}", "{{number1}}aab{{hex1}}"])
  func megabyte(pattern: String) throws {
    let request = made("POST", "/log", asText, String(repeating: "a", count: 900_000))
    let time = try time { try #require(try report(text([pattern]), [request]) != []) }
    #expect(time < .seconds(1), "\(time)")
  }

  private static func uuid(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "\(String(repeating: "0", count: 8 - digits.count))\(digits)-7b2d-4c58-9e61-0d4b8a5f7c21"
  }

  /// Requests with a number, as a transcript has them, and as they are sent.
  static let requests:
    [(
      name: String, order: RequestOrder, expected: @Sendable (Int) -> String,
      sent: @Sendable (Int) -> TranscribedRequest
    )] = [
      (
        "an identifier and a number in the body", .any,
        { "PUT https://a.example/a\nContent-Type: application/json\n\n{\"id\": \"{{uuid\($0)}}\", \"n\": \($0)}" },
        { made("PUT", "/a", asJSON, "{\"id\":\"\(uuid($0))\",\"n\":\($0)}") }
      ),
      (
        "only an identifier in the body", .any,
        { "PUT https://a.example/a\nContent-Type: application/json\n\n{\"id\": \"{{uuid\($0)}}\"}" },
        { made("PUT", "/a", asJSON, "{\"id\":\"\(uuid($0))\"}") }
      ),
      (
        "an identifier in the URL", .perURL, { "GET https://a.example/a/{{uuid\($0)}}\nX: \($0)" },
        { made("GET", "/a/\(uuid($0))", [("X", "\($0)")]) }
      ),
      (
        "another URL each", .perURL, { "GET https://a.example/\($0)\nX: {{_}}" },
        { made("GET", "/\($0)", [("X", "\($0)")]) }
      ),
      (
        "a placeholder at another place each", .any,
        { "PUT https://a.example/a\nContent-Type: application/json\n\n{\"k\($0 % 300)\": \"{{_}}\", \"n\": \($0)}" },
        { made("PUT", "/a", asJSON, "{\"k\($0 % 300)\": \"x\", \"n\": \($0)}") }
      ),
    ]

  @Test("for five thousand right requests in reverse order, and finds the one that is wrong", arguments: requests)
  func reverse(
    name: String, order: RequestOrder, expected: @Sendable (Int) -> String, sent: @Sendable (Int) -> TranscribedRequest
  ) throws {
    let count = TestSize.of(5_000, inPart: 1_000)
    let transcript = (1...count).map(expected).joined(separator: "\n\n###\n")
    var requests = (1...count).reversed().map(sent)
    let right = try time { try #require(try report(transcript, requests, order) == []) }
    #expect(right < .seconds(10), "\(right)")
    requests[7].fields.append(.init("X-More", TranscribedText("1")))
    let lines = try report(transcript, requests, order)
    #expect(lines.first == "The requests differ from x in 1 of \(count):" && lines.contains("+ X-More: 1"), "\(lines)")
  }
}
