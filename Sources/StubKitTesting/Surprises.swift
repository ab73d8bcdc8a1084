import Foundation
import StubKit

extension RequestJournal {
  /// Sentences about responses that a client hardly expects, at most three. A test can want each of them, so they count
  /// only if it fails.
  var surprises: ArraySlice<String> {
    var sentences: [String] = []
    for sentence in entries.suffix(100).compactMap(\.surprise) where !sentences.contains(sentence) {
      sentences.append(sentence)
    }
    return sentences.suffix(3)
  }
}

extension RecordedRequest {
  fileprivate var surprise: String? {
    guard let stub, let response else { return nil }
    if response.status == 204, response.droppedBodyLength > 0 {
      return "The stub \(stub) answered with the status 204, which has no body (RFC 9110, section 15.3.5), and its "
        + "\(response.droppedBodyLength) bytes were not sent. Write another status, or .empty()."
    }
    guard let body = response.body, !body.isEmpty else { return nil }
    if response.headers["Content-Encoding"] != nil, body.starts(with: [0x1F, 0x8B]) {
      return
        "The stub \(stub) answered with a body in gzip, which URLSession delivered as it is, because a stub's body is "
        + "never decoded. Write the decoded body, without the header Content-Encoding."
    }
    if response.headers["Content-Type"]?.hasPrefix("text/plain") == true, body.isJSON {
      return
        "The stub \(stub) answered with JSON as text/plain, which some clients refuse. Write .json(text: text), or "
        + "the header Content-Type."
    }
    return nil
  }
}

extension Data {
  /// A Boolean value that indicates whether this is an object or an array in JSON.
  fileprivate var isJSON: Bool { (try? JSONSerialization.jsonObject(with: self)) != nil }
}
