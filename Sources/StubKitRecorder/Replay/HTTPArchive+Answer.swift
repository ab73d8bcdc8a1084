import Foundation
import StubKit
import StubKitArchive

extension HTTPArchive {
  /// Returns the response to a request for an entry.
  ///
  /// - Parameter position: The position of the entry, from 0.
  func answer(ofEntryAt position: Int, _ timing: ReplayTiming) -> StubResponse {
    var entry = entries[position]
    entry.giveEventsTimes()
    let isTimed = timing == .recorded
    if let obstacle = entry.obstacle {
      return .failure(ReplayError(fileName: fileName, entry: position + 1, reason: obstacle.asSentence))
    }
    guard let response = entry.response else {
      let failure = StubResponse.failure(entry.error ?? URLError(.unknown))
      return isTimed ? failure.timed(as: entry) : failure
    }
    var headers = response.headers
    // Whichever coding the recorded message had, it has been undone.
    if headers.contains("Transfer-Encoding") { headers.replace("Transfer-Encoding", "chunked") }
    var answer = StubResponse(status: response.status, headers: headers, body: .data(response.body))
    let count = response.content.count
    if !entry.pieces.isEmpty, count > 0 {
      var ends: [Int] = []
      for piece in entry.pieces where piece.end > ends.last ?? 0 && piece.end < count { ends.append(piece.end) }
      answer.cut = .at(ends + [count])
    }
    answer = answer.configured {
      $0.isHeadComplete = true
      $0.redirectTarget = entry.redirectedTo
      $0.changes = entry.renewingCookies.map { Protected(["Set-Cookie": $0]) }
    }
    if entry.hasCachedContent { answer.validate(for: entry.request) }
    // The length of an edited body. For one that broke off or was compressed, the field counts the bytes on the wire.
    if entry.error == nil, answer.headers.contains("Content-Length"), !answer.headers.contains("Content-Encoding"),
      !answer.dropsBody(for: entry.request.httpMethod)
    {
      answer.headers.replace("Content-Length", "\(count)")
    }
    if let error = entry.error { answer = answer.failing(afterBytes: count, with: error) }
    return isTimed ? answer.timed(as: entry) : answer
  }
}

extension HTTPArchive.Entry {
  /// Cuts an event stream between its events if the recording doesn't have its pieces, because a client never gets half
  /// of an event where the server has sent a whole one. The events arrive evenly in the time that the body took.
  fileprivate mutating func giveEventsTimes() {
    guard pieces.isEmpty, let response, response.headers["Content-Type"]?.isOfEventStream == true else { return }
    let ends = response.content.data.endsOfEvents
    let head = min(duration, timeToResponse ?? duration)
    pieces = zip(1..., ends).map { .init(end: $1, time: head + (duration - head) * $0 / ends.count) }
  }
}

extension String {
  /// Whether a Content-Type is that of an event stream.
  var isOfEventStream: Bool { lowercased().hasPrefix("text/event-stream") }
}

extension Data {
  /// The positions after the empty lines that end events (HTML, server-sent events), and the end of the data.
  var endsOfEvents: [Int] {
    var (ends, lineEnds) = ([Int](), 0)
    withUnsafeBytes { bytes in
      for (position, byte) in bytes.enumerated() {
        switch byte {
        case 0x0A where position > 0 && bytes[position - 1] == 0x0D: break
        case 0x0A, 0x0D: lineEnds += 1
        default:
          // Further empty lines belong to the same event.
          if lineEnds > 1 { ends.append(position) }
          lineEnds = 0
        }
      }
    }
    if count > ends.last ?? 0 { ends.append(count) }
    return ends
  }
}

extension StubResponse {
  /// Sends the content of a 304 to clients without a validator, and the 304 to those with that of the recorded request.
  fileprivate mutating func validate(for request: URLRequest) {
    for (field, validator) in [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")] {
      guard !headers.contains(field), let value = request.value(forHTTPHeaderField: validator) else { continue }
      headers.replace(field, value)
    }
    status = 200
    self = conditional()
  }

  /// Returns the same response with the times of the recording.
  fileprivate func timed(as entry: HTTPArchive.Entry) -> StubResponse {
    let end = entry.duration.nonNegative
    // If the time of the head isn't known, everything arrives at the end.
    let head = min(end, entry.timeToResponse?.nonNegative ?? end)
    var response = modified { $0.delay = head }
    if case .at(let ends) = response.cut {
      // The ends ascend, so that a piece that is over for one of them is over for all later ones.
      var (last, piece) = (Duration.zero, 0)
      let times = ends.map { end in
        while piece < entry.pieces.count, entry.pieces[piece].end < end { piece += 1 }
        if piece < entry.pieces.count { last = max(last, entry.pieces[piece].time.clamped - head) }
        return last
      }
      response.pace = .recorded(times, end: max(last, end - head))
    } else if end > head {
      response.pace = .over(end - head)
    }
    return response
  }
}
