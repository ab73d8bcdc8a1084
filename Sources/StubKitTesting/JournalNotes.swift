import Foundation
import StubKit

// What the journal of a failed test says that can help.

extension RequestJournal {
  /// Notes about responses that a client hardly expects. A test can want each of them, so they count only if it fails.
  var surprises: [Finding] { notes(\.surprise) }

  /// Notes about clients that gave up while they waited for their stubs. A client can keep such an error to itself.
  var timeouts: [Finding] { notes { entry in entry.timeout.map { "\(entry.request.shortSummary): \($0)" } } }

  /// Why stubs answered with the whole body again, although they are `conditional` or accept ranges. A test can want
  /// that, so it counts only if it fails.
  var repeatedResponses: [Finding] {
    var asked: [[String]: RecordedRequest] = [:]
    return notes { entry in
      let key = ["\(entry.stub?.id ?? 0)", entry.method, entry.url.absoluteString]
      guard let earlier = asked.updateValue(entry, forKey: key), let stub = entry.stub,
        let reason = entry.reasonRepeated(after: earlier)
      else { return nil }
      return "The stub \(stub) answered \(entry.request.shortSummary) again with 200, and not with \(reason)"
    }
  }

  /// A note about a request that the cache of a session could have answered.
  var cachedResponses: [Finding] {
    SessionCaches.note(about: self).map { [Finding($0, isNote: true)] } ?? []
  }

  /// Returns what a closure says of the last hundred requests, at their stubs: at most three sentences, each once.
  private func notes(_ sentence: (RecordedRequest) -> String?) -> [Finding] {
    var notes: [Finding] = []
    for entry in entries.suffix(100) {
      guard let sentence = sentence(entry), notes.count < 3, !notes.contains(where: { $0.description == sentence })
      else {
        continue
      }
      notes.append(Finding(sentence, at: entry.stub?.location, isNote: true))
    }
    return notes
  }
}

extension RecordedRequest {
  /// What kept the client waiting until it gave up, or `nil`. A stub that fails with a timeout keeps nobody waiting.
  fileprivate var timeout: String? {
    if let text = outcome.error?.localizedDescription, text.hasPrefix(URLError.timeoutPrefix) { return text }
    // A client that ends only its side of the connection can still get its answer.
    guard let timeToHangUp, let stub, outcome == .inProgress || outcome == .cancelled else { return nil }
    return "The client hung up after \(timeToHangUp), before the stub \(stub) had answered."
  }

  fileprivate var surprise: String? {
    guard let stub, let response else { return nil }
    if response.status == 204, response.droppedBodyLength > 0 {
      return "The stub \(stub) answered with the status 204, which has no body (RFC 9110, section 15.3.5), and its "
        + "\(response.droppedBodyLength) bytes were not sent. Write another status, or .status(204)."
    }
    guard outcome == .answered(status: response.status), let body = response.body, 1...100_000 ~= body.count else {
      return nil
    }
    let type = response.headerFields["Content-Type"]?.prefix { $0 != ";" }
    let isEncoded = response.headerFields["Content-Encoding"] != nil
    if isEncoded, body.starts(with: [0x1F, 0x8B]) {
      return "The stub \(stub) answered with a body in gzip, which URLSession delivers as it is if it comes from a "
        + "stub. Write the decoded body, without the header Content-Encoding."
    }
    if type == "text/plain", body.isJSON() {
      return "The stub \(stub) answered with JSON as text/plain, which some clients refuse. Write .json(text: text), "
        + "or the header Content-Type."
    }
    if type == "application/json", !isEncoded, response.status != 206, !body.isJSON(.fragmentsAllowed) {
      return "The stub \(stub) answered as application/json with a body that is not JSON. Fix the body."
    }
    let charset = response.headerFields["Content-Type"].flatMap { HeaderParameters($0)["charset"] }
    if let charset, charset.lowercased() == "utf-8", !isEncoded, response.status != 206,
      String(validUTF8: body) == nil
    {
      return "The stub \(stub) answered as charset=utf-8 with a body whose bytes aren't UTF-8. Write the body in "
        + "UTF-8, or the header Content-Type with its own charset."
    }
    return nil
  }

  /// Returns why the stub sent the whole response again, or `nil` if it did not, or if nothing tells.
  fileprivate func reasonRepeated(after earlier: RecordedRequest) -> String? {
    // Only a GET uses a copy that its client has. A client that sends a range wants a part, and the rest is its
    // If-Range.
    guard method == "GET", header("Range") == nil, header("If-Range") == nil, let response, response.status == 200,
      let before = earlier.response
    else { return nil }
    if earlier.outcome.error != nil {
      // After a broken transfer, a client can go on where it broke off, if the stub can.
      guard response.headerFields["Accept-Ranges"] == "bytes", before.bodyLength > 0 else { return nil }
      let range = "Range: bytes=\(before.bodyLength)-"
      return "206: it has no Range. The response before it broke off after \(before.bodyLength) bytes. Send \(range)"
        + (response.headerFields["ETag"].map { ", and If-Range: \($0)." } ?? ".")
    }
    guard response.isConditional, let reason = reasonNotValidated(by: response) else { return nil }
    return "304: \(reason)"
  }

  private func reasonNotValidated(by response: Response) -> String? {
    switch (header("If-None-Match"), header("If-Match"), response.headerFields["ETag"]) {
    case (let field?, _, _):
      field.contains("\"") || field == "*"
        ? nil
        : "its If-None-Match is \(field), without the quotation marks of an entity tag (RFC 9110, section 8.8.3). Send the "
          + "ETag as it came."
    case (_, let field?, _):
      "its If-Match: \(field) is for a request that changes something. Send the ETag in If-None-Match."
    case _ where header("If-Modified-Since") != nil: nil
    case (_, _, let tag?): "it has no If-None-Match. Send the ETag \(tag) in it."
    default: "it has no If-Modified-Since. Send the date of Last-Modified in it."
    }
  }
}

extension Data {
  /// Returns whether this is an object or an array in JSON, or with an option another value.
  fileprivate func isJSON(_ options: JSONSerialization.ReadingOptions = []) -> Bool {
    (try? JSONSerialization.jsonObject(with: self, options: options)) != nil
  }
}

extension StubRegistry {
  /// The requests without a scheme or a host that stubs answered, the first for each stub. In a test whose other
  /// requests have none either, the client is a double, whose base URL nobody reads.
  var requestsWithoutHost: [Finding] {
    let requests = journal.entries.compactMap { entry in
      entry.stub.map { (stub: $0, request: entry.request, facts: RequestFacts(entry.request)) }
    }
    guard let other = requests.first(where: { $0.facts.host != nil })?.request.shortSummary else { return [] }
    var known: Set<UInt64> = []
    return requests.compactMap { stub, request, facts in
      guard facts.scheme == nil || facts.host == nil && ["http", "https"].contains(facts.scheme),
        known.insert(stub.id).inserted
      else { return nil }
      return Finding(
        "\(request.shortSummary) has no \(facts.scheme == nil ? "scheme" : "host"), and the stub \(stub) answered it. URLSession "
          + "alone fails such a request with URLError.unsupportedURL (-1002). Others of the test have one, as \(other). Make "
          + "the URL from the base URL, as in URL(string: text, relativeTo: baseURL).", at: stub.location)
    }
  }
}
