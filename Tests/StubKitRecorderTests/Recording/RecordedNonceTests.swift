import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

/// A query item that differs in each run, by chance as a word or as random characters.
@Suite("A recording of requests with a nonce", .inTurn)
struct RecordedNonceTests {
  /// What nonces are made of: what looks random, and what never does.
  private static let alphabets = [
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz", "0123456789",
    "0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  ].map(Array.init)

  /// Nonces of 16 characters, of each alphabet in turn.
  private static func nonces(_ count: Int, seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { number in String((0..<16).map { _ in random.pick(alphabets[number % alphabets.count]) }) }
  }

  @Test("has none of them, and answers the same requests with other ones, whatever they look like")
  func replayed() async throws {
    let folder = try RecordingFolder()
    let (recorded, live) = (Self.nonces(200, seed: 41), Self.nonces(200, seed: 42))
    let answers = try await folder.with {
      try withRecording(folder.recording("nonces", .all)) {
        for (number, nonce) in recorded.enumerated() {
          answerFromNetwork("http://a.example/login?nonce=\(nonce)&n=\(number)", "answer \(number)")
        }
      }
      return try await withRecording(folder.recording("nonces", .replay)) {
        var answers: [String] = []
        for (number, nonce) in live.enumerated() {
          answers.append(try await URLSession.shared.fetch("http://a.example/login?nonce=\(nonce)&n=\(number)").text)
        }
        return answers
      }
    }
    #expect(answers == recorded.indices.map { "answer \($0)" })
    let text = try String(contentsOf: folder.file("nonces"), encoding: .utf8)
    #expect(recorded.filter(text.contains) == [])
  }
}
