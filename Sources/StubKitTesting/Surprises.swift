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
    guard outcome == .answered(status: response.status), let body = response.body, 1...100_000 ~= body.count else {
      return nil
    }
    let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
    let isEncoded = response.headers["Content-Encoding"] != nil
    if isEncoded, body.starts(with: [0x1F, 0x8B]) {
      return "The stub \(stub) answered with a body in gzip, which URLSession delivers as it is if it comes from a "
        + "stub. Write the decoded body, without the header Content-Encoding."
    }
    if type == "text/plain", body.isJSON() {
      return "The stub \(stub) answered with JSON as text/plain, which some clients refuse. Write .json(text: text), "
        + "or the header Content-Type."
    }
    if type == "application/json", !isEncoded, response.status != 206, !body.isJSON(.fragmentsAllowed) {
      return "The stub \(stub) answered as application/json with a body that is not JSON. Mend the body."
    }
    return nil
  }
}

extension Data {
  /// Returns whether this is an object or an array in JSON, or with an option another value.
  fileprivate func isJSON(_ options: JSONSerialization.ReadingOptions = []) -> Bool {
    (try? JSONSerialization.jsonObject(with: self, options: options)) != nil
  }
}
