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
  struct Flow: CustomTestStringConvertible {
    let testDescription: String
    /// The parts that have to be ignored. Without them, the second run doesn't replay.
    var ignoring: [IgnoredPart] = []
    /// What the report of the first request that fails offers, if that is not all of the parts.
    var offered: [IgnoredPart]?
    var matching = ReplayMatching.default
    /// The requests of a run, with numbers that no other run has.
    let requests: @Sendable (_ base: String, _ moving: Moving) -> [URLRequest]
  }

  /// Values that each run has anew.
  struct Moving: Sendable {
    let run: Int
    private let counter = Locked(0)

    init(run: Int) { self.run = run }

    private func next() -> Int {
      counter.withLock {
        $0 += 1
        return $0
      }
    }

    /// Seconds since 1970.
    var seconds: Int { 1_790_000_000 + run * 86_413 + next() }
    var milliseconds: Int { seconds * 1_000 + 7 }
    var date: String { ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(seconds))) }
    /// Digits and letters that look random.
    func hex(_ count: Int) -> String {
      var random = SplitMix64(seed: UInt64(run * 1_000 + next()))
      return String((0..<count).map { _ in random.pick(Array("0123456789abcdef")) })
    }
    var uuid: String {
      let hex = hex(32)
      let parts = [8, 4, 4, 4, 12]
      var rest = Substring(hex)
      return parts.map { count in
        defer { rest = rest.dropFirst(count) }
        return String(rest.prefix(count))
      }.joined(separator: "-")
    }
    var number: Int { run * 100_003 + next() }
  }

  private static let form = "application/x-www-form-urlencoded"

  private static func get(_ url: String, _ headers: [String: String] = [:]) -> URLRequest {
    request(url, headers: headers)
  }

  private static func json(_ url: String, _ body: String, _ headers: [String: String] = [:]) -> URLRequest {
    request(
      url, method: "POST", headers: headers.merging(["Content-Type": "application/json"]) { mine, _ in mine },
      body: body)
  }

  private static func form(_ url: String, _ body: String, _ headers: [String: String] = [:]) -> URLRequest {
    json(url, body, headers.merging(["Content-Type": form]) { mine, _ in mine })
  }

  private static func upload(_ url: String, _ boundary: String, _ fields: [(String, String)]) -> URLRequest {
    let parts = fields.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
    return json(
      url, parts.joined() + "--\(boundary)--\r\n", ["Content-Type": "multipart/form-data; boundary=\(boundary)"])
  }

  /// One flow for each kind of remedy. Each part by itself is a value of IgnoredPartTests.
  static let flows: [Flow] = [
    Flow(
      testDescription: "an idempotency key among compared headers", ignoring: [.header("idempotency-key")],
      matching: [.method, .url, .body, .headers(["Idempotency-Key", "Stripe-Version"])]
    ) { base, moving in
      [
        form(
          base + "/v1/charges", "amount=2000", ["Idempotency-Key": moving.uuid, "Stripe-Version": "2026-01-01"])
      ]
    },
    Flow(
      testDescription: "OAuth 1 in the query", ignoring: [.query("oauth_nonce"), .query("oauth_timestamp")]
    ) { base, moving in
      [
        get(
          "\(base)/request?oauth_consumer_key=k&oauth_nonce=\(moving.hex(32))&oauth_timestamp=\(moving.seconds)&oauth_signature=\(moving.hex(28))"
        )
      ]
    },
    Flow(
      testDescription: "an array of events (Mixpanel)",
      ignoring: [.json(at: "[*].properties.time"), .json(at: "[*].properties.$insert_id")],
      offered: [.json(at: #"[0].properties["$insert_id"]"#), .json(at: "[0].properties.time")]
    ) { base, moving in
      ["a", "b"].map { event in
        json(
          base + "/track?verbose=1",
          #"[{"event": "\#(event)", "properties": {"time": \#(moving.milliseconds), "$insert_id": "\#(moving.hex(32))"}}]"#
        )
      }
    },
    Flow(
      testDescription: "JSON-RPC with a counter of its own", ignoring: [.json(at: "id")]
    ) { base, moving in
      ["eth_blockNumber", "eth_chainId", "eth_blockNumber"].map {
        json(base + "/rpc", #"{"jsonrpc": "2.0", "method": "\#($0)", "params": [], "id": \#(moving.number)}"#)
      }
    },
    Flow(testDescription: "a client's assertion (RFC 7523)") { base, moving in
      func token(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("/", with: "_")
          .replacing("+", with: "-")
      }
      return ["read", "write"].map { scope in
        let claims = token(#"{"iss":"app","aud":"a.example","iat":\#(moving.seconds),"jti":"\#(moving.uuid)"}"#)
        return form(
          base + "/token",
          "grant_type=client_credentials&scope=\(scope)&client_assertion=\(token(#"{"alg":"RS256","typ":"JWT"}"#)).\(claims).\(moving.hex(43))"
        )
      }
    },
    Flow(testDescription: "a multipart body with a nonce", ignoring: [.formField("nonce")]) { base, moving in
      ["a", "b"].map {
        upload(base + "/upload", "Boundary-\(moving.uuid)", [("nonce", moving.hex(12)), ("file", $0)])
      }
    },
    Flow(testDescription: "one body, whatever is in it") { base, moving in
      [json(base + "/beacon", #"{"at": "\#(moving.date)", "id": "\#(moving.uuid)"}"#)]
    },
    Flow(
      testDescription: "a transaction's identifier in the path (Matrix)", matching: [.method, .host, .port, .body]
    ) { base, moving in
      ["hello", "bye"].map {
        request(
          "\(base)/rooms/1/send/m.room.message/m\(moving.milliseconds).\(moving.run)", method: "PUT",
          headers: ["Content-Type": "application/json"], body: #"{"msgtype": "m.text", "body": "\#($0)"}"#)
      }
    },
  ]

  @Test("are ignored by the next run", arguments: flows)
  func replays(flow: Flow) async throws {
    let folder = try RecordingFolder()
    let count = Locked(0)
    // Each response differs, so that their order shows.
    let server = try LoopbackServer { _, _, send in
      let number = count.withLock { count in
        count += 1
        return count
      }
      send(reply("200 OK\r\nContent-Type: application/json", #"{"answer": \#(number)}"#))
    }
    let base = "http://127.0.0.1:\(server.port)"
    var recording = folder.recording("flow", .once)
    recording.matching = flow.matching
    let plain = recording
    recording.ignoring = flow.ignoring
    let ignoring = recording

    let recorded = try await folder.with { try await withRecording(plain) { try await send(flow, base, run: 1) } }
    server.stop()
    let again = try await folder.with { try await withRecording(ignoring) { try await send(flow, base, run: 2) } }
    #expect(again == recorded)
    #expect(Set(recorded).count == recorded.count)
    // A run with other parts replays as the same run does.
    let same = try await folder.with { try await withRecording(ignoring) { try await send(flow, base, run: 1) } }
    #expect(same == recorded)

    let error = await folder.with { () -> (any Error)? in
      do {
        _ = try await withRecording(plain) { try await send(flow, base, run: 3) }
        return nil
      } catch { return error }
    }
    guard !flow.ignoring.isEmpty else { return #expect(error == nil) }
    let offered = flow.offered ?? flow.ignoring
    let report = (error as? UnmatchedRequestError)?.description ?? "\(error as Any)"
    let line = report.split(separator: "\n").first { $0.contains("Recording(…, ignoring: ") }
    for part in offered { #expect(line?.contains(part.description) == true, "\(part): \(report)") }
    #expect(line?.components(separatedBy: ", .").count == offered.count, "\(report)")
  }

  private func send(_ flow: Flow, _ base: String, run: Int) async throws -> [String] {
    var texts: [String] = []
    for request in flow.requests(base, Moving(run: run)) {
      texts.append(try await URLSession.shared.fetch(request).text)
    }
    return texts
  }
}
