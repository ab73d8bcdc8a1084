import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

/// What real clients send anew in each run, recorded from a server with the redaction that is standard, and replayed by
/// the next run.
@Suite("The moving parts of real clients", .inTurn)
struct MovingPartsTests {
  struct Flow: Sendable {
    let name: String
    /// The parts that have to be ignored. Without them, the second run doesn't replay.
    var ignoring: [IgnoredPart] = []
    /// What the report of the first request that fails offers, if that is not all of the parts.
    var offered: [IgnoredPart]?
    var matching = ReplayMatching.default
    /// The requests of a run, with the names in braces of what no other run has.
    let requests: [String]

    /// The requests of a run, with values that look as they do.
    func asked(at base: String, run: Int) -> [URLRequest] {
      var random = SplitMix64(seed: UInt64(run))
      func hex(_ count: Int) -> String { String((0..<count).map { _ in random.pick(Array("0123456789abcdef")) }) }
      func token(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("/", with: "_")
          .replacing("+", with: "-")
      }
      return requests.map { text in
        let seconds = 1_790_000_000 + run * 86_413 + random.below(1_000)
        let uuid = [8, 4, 4, 4, 12].map(hex).joined(separator: "-")
        let claims = #"{"iss":"app","aud":"a.example","iat":\#(seconds),"jti":"\#(uuid)"}"#
        let filled = text.replacing("{uuid}", with: uuid).replacing("{hex}", with: hex(32)).replacing(
          "{short}", with: hex(12)
        )
        .replacing("{seconds}", with: "\(seconds)").replacing("{milliseconds}", with: "\(seconds * 1_000 + 7)")
        .replacing("{date}", with: Date(timeIntervalSince1970: TimeInterval(seconds)).archived)
        .replacing("{jwt}", with: "\(token(#"{"alg":"RS256","typ":"JWT"}"#)).\(token(claims)).\(hex(43))")
        return StubKitRecorderTests.asked(filled, at: base)
      }
    }
  }

  private static let event =
    #"json /track?verbose=1 < [{"event": "E", "properties": {"time": {milliseconds}, "$insert_id": "{hex}"}}]"#
  private static let call = #"json /rpc < {"jsonrpc": "2.0", "method": "M", "params": [], "id": {seconds}}"#
  private static let message =
    #"PUT json /rooms/1/send/m.room.message/m{milliseconds}.1 < {"msgtype": "m.text", "body": "B"}"#
  private static let grant = "form /token < grant_type=client_credentials&scope=S&client_assertion={jwt}"

  /// One flow for each kind of remedy. Each part by itself is a value of IgnoredPartTests.
  static let flows: [Flow] = [
    Flow(
      name: "an idempotency key among compared headers", ignoring: [.header("idempotency-key")],
      matching: [.method, .url, .body, .headers(["Idempotency-Key", "Stripe-Version"])],
      requests: ["form /v1/charges @Idempotency-Key={uuid} @Stripe-Version=2026-01-01 < amount=2000"]),
    Flow(
      name: "OAuth 1 in the query", ignoring: [.query("oauth_nonce"), .query("oauth_timestamp")],
      requests: ["/request?oauth_consumer_key=k&oauth_nonce={hex}&oauth_timestamp={seconds}&oauth_signature={short}"]),
    Flow(
      name: "an array of events (Mixpanel)",
      ignoring: [.json(at: "[*].properties.time"), .json(at: "[*].properties.$insert_id")],
      offered: [.json(at: #"[0].properties["$insert_id"]"#), .json(at: "[0].properties.time")],
      requests: [event, event.replacing("\"E\"", with: "\"F\"")]),
    Flow(
      name: "JSON-RPC with a counter of its own", ignoring: [.json(at: "id")],
      requests: [call, call.replacing("\"M\"", with: "\"N\""), call]),
    Flow(name: "a client's assertion (RFC 7523)", requests: [grant, grant.replacing("scope=S", with: "scope=T")]),
    Flow(
      name: "a multipart body with a nonce", ignoring: [.formField("nonce")],
      requests: ["a", "b"].map { "parts:{uuid} /upload < nonce={short}&file=\($0)" }),
    Flow(
      name: "one body, whatever is in it", requests: [#"json /beacon < {"at": "{date}", "id": "{uuid}"}"#]),
    Flow(
      name: "a transaction's identifier in the path (Matrix)", matching: [.method, .host, .port, .body],
      requests: [message, message.replacing("\"B\"", with: "\"C\"")]),
  ]

  @Test("are ignored by the next run")
  func replays() async throws {
    for flow in Self.flows { try await replays(flow) }
  }

  private func replays(_ flow: Flow) async throws {
    let folder = try RecordingFolder()
    let count = Locked(0)
    // Each response differs, so that their order shows.
    let server = try LoopbackServer { _, _, send in
      count.withLock { $0 += 1 }
      send(reply("200 OK\r\nContent-Type: application/json", #"{"answer": \#(count.withLock { $0 })}"#))
    }
    let base = "http://127.0.0.1:\(server.port)"
    var plain = folder.recording("flow", .once)
    plain.matching = flow.matching
    var ignoring = plain
    ignoring.ignoring = flow.ignoring
    func texts(_ recording: Recording, run: Int) async throws -> [String] {
      try await folder.with {
        try await withRecording(recording) {
          var texts: [String] = []
          for request in flow.asked(at: base, run: run) {
            texts.append(try await URLSession.shared.fetch(request).text)
          }
          return texts
        }
      }
    }
    let recorded = try await texts(plain, run: 1)
    server.stop()
    #expect(try await texts(ignoring, run: 2) == recorded && Set(recorded).count == recorded.count, "\(flow.name)")
    // A run with other parts replays as the same run does.
    #expect(try await texts(ignoring, run: 1) == recorded, "\(flow.name)")
    do {
      _ = try await texts(plain, run: 3)
      #expect(flow.ignoring.isEmpty, "\(flow.name)")
    } catch {
      let offered = flow.offered ?? flow.ignoring
      let report = (error as? UnmatchedRequestError)?.description ?? "\(error)"
      let line = report.split(separator: "\n").first { $0.contains("Recording(…, ignoring: ") }
      for part in offered { #expect(line?.contains(part.description) == true, "\(part): \(report)") }
      #expect(line?.components(separatedBy: ", .").count == offered.count, "\(flow.name): \(report)")
    }
  }
}
