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
    var nanoseconds: String { "\(milliseconds)000123" }
    var date: String { ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(seconds))) }
    /// `20260923T141312Z`.
    var basicDate: String { date.filter { $0 != "-" && $0 != ":" } }
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

  static let headers: [Flow] = [
    Flow(testDescription: "OAuth 1 in a header (RFC 5849)") { base, moving in
      (1...2).map { page in
        get(
          "\(base)/1.1/timeline.json?page=\(page)",
          [
            "Authorization":
              "OAuth oauth_consumer_key=\"k\", oauth_nonce=\"\(moving.hex(32))\", oauth_timestamp=\"\(moving.seconds)\", oauth_signature=\"\(moving.hex(28))%3D\""
          ])
      }
    },
    Flow(testDescription: "AWS Signature Version 4 in headers") { base, moving in
      let date = moving.basicDate
      return [
        json(
          base + "/", #"{"TableName": "films", "Key": {"id": {"S": "7"}}}"#,
          [
            "X-Amz-Date": date, "X-Amz-Target": "DynamoDB_20120810.GetItem", "Amz-Sdk-Invocation-Id": moving.uuid,
            "Authorization":
              "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/\(date.prefix(8))/eu-west-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=\(moving.hex(64))",
          ])
      ]
    },
    Flow(testDescription: "an idempotency key, with equal forms (Stripe)") { base, moving in
      (1...2).map { _ in
        form(base + "/v1/charges", "amount=2000&currency=eur", ["Idempotency-Key": moving.uuid])
      }
    },
    Flow(
      testDescription: "an idempotency key among compared headers", ignoring: [.header("idempotency-key")],
      matching: [.method, .url, .body, .headers(["Idempotency-Key", "Stripe-Version"])]
    ) { base, moving in
      [
        form(
          base + "/v1/charges", "amount=2000", ["Idempotency-Key": moving.uuid, "Stripe-Version": "2026-01-01"])
      ]
    },
    Flow(testDescription: "trace context (W3C) and request identifiers") { base, moving in
      (1...3).map { id in
        get(
          "\(base)/items/\(id)",
          [
            "traceparent": "00-\(moving.hex(32))-\(moving.hex(16))-01", "tracestate": "a=\(moving.hex(8))",
            "X-Request-ID": moving.uuid, "b3": "\(moving.hex(16))-\(moving.hex(16))-1",
          ])
      }
    },
    Flow(testDescription: "Date, conditional dates and a version in User-Agent") { base, moving in
      [
        get(
          base + "/feed",
          [
            "Date": "Mon, 0\(moving.run) Nov 2026 14:06:55 GMT", "User-Agent": "App/\(moving.run).2 (Linux)",
            "If-Modified-Since": "Sun, 0\(moving.run) Nov 2026 14:06:55 GMT",
          ])
      ]
    },
    Flow(testDescription: "digests of an upload") { base, moving in
      var request = request(
        base + "/objects/1", method: "PUT",
        headers: [
          "Content-Type": "text/plain", "Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww==",
          "Digest": "SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
        ], body: "hello world")
      request.setValue(moving.date, forHTTPHeaderField: "X-Upload-Time")
      return [request]
    },
  ]

  static let queries: [Flow] = [
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
      testDescription: "a presigned URL of S3", ignoring: [.query("X-Amz-Date")]
    ) { base, moving in
      let date = moving.basicDate
      return [
        get(
          "\(base)/bucket/a.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAEXAMPLE%2F\(date.prefix(8))%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=\(date)&X-Amz-Expires=900&X-Amz-Signature=\(moving.hex(64))"
        )
      ]
    },
    Flow(testDescription: "a cache buster (jQuery)", ignoring: [.query("_")]) { base, moving in
      ["a", "b"].map { get("\(base)/search?q=\($0)&_=\(moving.milliseconds)") }
    },
    Flow(
      testDescription: "a signed request with a timestamp (Binance)", ignoring: [.query("timestamp")]
    ) { base, moving in
      [
        get(
          "\(base)/api/v3/account?recvWindow=5000&timestamp=\(moving.milliseconds)&signature=\(moving.hex(64))",
          ["X-MBX-APIKEY": moving.hex(64)])
      ]
    },
    Flow(testDescription: "changes since now", ignoring: [.query("since")]) { base, moving in
      (1...3).map { _ in get("\(base)/changes?since=\(moving.date)") }
    },
    Flow(
      testDescription: "a hit of a measurement protocol", ignoring: [.query("z"), .query("cid"), .query("_p")]
    ) { base, moving in
      ["home", "buy"].map {
        get(
          "\(base)/collect?v=2&dp=\($0)&cid=\(moving.number).\(moving.seconds)&_p=\(moving.number)&z=\(moving.number)"
        )
      }
    },
    Flow(testDescription: "a call by callback (JSONP)", ignoring: [.query("callback")]) { base, moving in
      [get("\(base)/weather?city=Graz&callback=jQuery\(moving.number)_\(moving.milliseconds)")]
    },
    Flow(
      testDescription: "a code challenge and a state (RFC 7636)",
      ignoring: [.query("code_challenge"), .query("state")]
    ) { base, moving in
      [
        get(
          "\(base)/authorize?client_id=app&response_type=code&code_challenge_method=S256&code_challenge=\(moving.hex(43))&state=\(moving.hex(16))"
        )
      ]
    },
    Flow(testDescription: "a websocket's handshake over polling", ignoring: [.query("t")]) { base, moving in
      (1...2).map { _ in get("\(base)/socket.io/?EIO=4&transport=polling&t=P\(moving.hex(6))") }
    },
  ]

  static let bodies: [Flow] = [
    Flow(
      testDescription: "batched events (Segment)",
      ignoring: [.json(at: "sentAt"), .json(at: "batch[*].timestamp"), .json(at: "batch[*].messageId")]
    ) { base, moving in
      ["Opened", "Bought"].map { event in
        json(
          base + "/v1/batch",
          #"{"batch": [{"type": "identify", "userId": "u1", "timestamp": "\#(moving.date)", "messageId": "\#(moving.uuid)"}, {"type": "track", "event": "\#(event)", "timestamp": "\#(moving.date)", "messageId": "\#(moving.uuid)"}], "sentAt": "\#(moving.date)"}"#
        )
      }
    },
    Flow(
      testDescription: "one event at a time (Amplitude)",
      ignoring: [.json(at: "events[0].time"), .json(at: "events[0].insert_id"), .json(at: "events[0].session_key")]
    ) { base, moving in
      ["a", "b"].map { event in
        json(
          base + "/2/httpapi",
          #"{"events": [{"event_type": "\#(event)", "time": \#(moving.milliseconds), "insert_id": "\#(moving.uuid)", "session_key": \#(moving.milliseconds)}]}"#
        )
      }
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
    Flow(
      testDescription: "a batch of JSON-RPC", ignoring: [.json(at: "[*].id")], matching: [.method, .url, .body]
    ) { base, moving in
      [
        json(
          base + "/rpc",
          #"[{"jsonrpc": "2.0", "method": "a", "id": \#(moving.number)}, {"jsonrpc": "2.0", "method": "b", "id": \#(moving.number)}]"#
        )
      ]
    },
    Flow(
      testDescription: "a persisted query with a request's identifier", ignoring: [.json(at: "variables.requestId")]
    ) { base, moving in
      [1, 2].map { page in
        json(
          base + "/graphql",
          #"{"operationName": "Films", "variables": {"page": \#(page), "requestId": "\#(moving.uuid)"}, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}"#
        )
      }
    },
    Flow(
      testDescription: "mutations with a client's identifier (Relay)",
      ignoring: [.json(at: "variables.input.clientMutationId")]
    ) { base, moving in
      ["a", "b"].map { name in
        json(
          base + "/graphql",
          #"{"query": "mutation Add($input: AddInput!) { add(input: $input) { id } }", "variables": {"input": {"name": "\#(name)", "clientMutationId": "\#(moving.number)"}}}"#
        )
      }
    },
    Flow(
      testDescription: "messages with a nonce (Discord)", ignoring: [.json(at: "nonce")]
    ) { base, moving in
      ["hello", "bye"].map {
        json(base + "/channels/1/messages", #"{"content": "\#($0)", "nonce": "\#(moving.number)", "tts": false}"#)
      }
    },
    Flow(
      testDescription: "spans (OpenTelemetry)",
      ignoring: [
        .json(at: "resourceSpans[0].scopeSpans[0].spans[0].endTimeUnixNano"),
        .json(at: "resourceSpans[0].scopeSpans[0].spans[0].spanId"),
        .json(at: "resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano"),
        .json(at: "resourceSpans[0].scopeSpans[0].spans[0].traceId"),
      ]
    ) { base, moving in
      ["load", "save"].map { name in
        json(
          base + "/v1/traces",
          #"{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "\#(moving.hex(32))", "spanId": "\#(moving.hex(16))", "name": "\#(name)", "startTimeUnixNano": "\#(moving.nanoseconds)", "endTimeUnixNano": "\#(moving.nanoseconds)"}]}]}]}"#
        )
      }
    },
    Flow(
      testDescription: "a registration of an installation", ignoring: [.json(at: "fid")],
      matching: [.method, .url, .body]
    ) { base, moving in
      [json(base + "/v1/installations", #"{"fid": "c\#(moving.hex(21))", "appId": "1:2:ios:3", "sdkVersion": "i:1"}"#)]
    },
    Flow(testDescription: "one body, whatever is in it") { base, moving in
      [json(base + "/beacon", #"{"at": "\#(moving.date)", "id": "\#(moving.uuid)"}"#)]
    },
  ]

  static let forms: [Flow] = [
    Flow(testDescription: "a form with a nonce (WordPress)", ignoring: [.formField("_wpnonce")]) { base, moving in
      ["like", "hide"].map {
        form(base + "/wp-admin/admin-ajax.php", "action=\($0)&post=7&_wpnonce=\(moving.hex(10))")
      }
    },
    Flow(testDescription: "a form with a timestamp", ignoring: [.formField("ts")]) { base, moving in
      ["a", "b"].map { form(base + "/api/chat.postMessage", "channel=C1&text=\($0)&ts=\(moving.seconds).000200") }
    },
    Flow(testDescription: "a form signed with an API signature", ignoring: [.formField("api_time")]) { base, moving in
      ["a", "b"].map { form(base + "/2.0/", "method=\($0)&api_time=\(moving.seconds)&api_signature=\(moving.hex(32))") }
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
    Flow(testDescription: "a multipart body with a boundary of its own") { base, moving in
      ["a", "b"].map {
        upload(base + "/upload", "----WebKitFormBoundary\(moving.hex(16))", [("file", $0), ("k", "v")])
      }
    },
    Flow(testDescription: "a multipart body with a nonce", ignoring: [.formField("nonce")]) { base, moving in
      ["a", "b"].map {
        upload(base + "/upload", "Boundary-\(moving.uuid)", [("nonce", moving.hex(12)), ("file", $0)])
      }
    },
  ]

  /// What no part names: the remedy is to compare less.
  static let rest: [Flow] = [
    Flow(testDescription: "lines of JSON (a bulk request)", matching: [.method, .url]) { base, moving in
      (1...2).map { id in
        request(
          base + "/_bulk", method: "POST", headers: ["Content-Type": "application/x-ndjson"],
          body: "{\"index\":{\"_id\":\"\(id)\"}}\n{\"@timestamp\":\"\(moving.date)\"}\n")
      }
    },
    Flow(testDescription: "an envelope of SOAP with its time", matching: [.method, .url, .headers(["SOAPAction"])]) {
      base, moving in
      ["Get", "Put"].map { action in
        request(
          base + "/soap", method: "POST", headers: ["Content-Type": "text/xml", "SOAPAction": action],
          body:
            "<Envelope><MessageID>\(moving.uuid)</MessageID><Created>\(moving.date)</Created><\(action)/></Envelope>")
      }
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
    Flow(testDescription: "a page that the response names") { base, moving in
      // The server's cursor is in the recording, and a replayed client sends that one.
      [get(base + "/orders"), get(base + "/orders?after=2026-01-01T10%3A00%3A00Z_17")]
    },
  ]

  @Test("are ignored by the next run", arguments: headers + queries + bodies + forms + rest)
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
