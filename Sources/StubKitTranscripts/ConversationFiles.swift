import Foundation
import StubKit
import StubKitArchive
import StubKitTesting
import Testing

/// Makes `NAME.har` and `NAME.http` of a test's requests and responses, for StubKitTesting, which finds this class by
/// its name.
final class ConversationFiles: ConversationWriter {
  static func files(_ requests: [RecordedRequest], of names: [String]) -> [ConversationFile] {
    let isCase = Test.Case.current?.isParameterized == true
    // Two cases can have one name here. The test framework keeps both files.
    let arguments = isCase ? Test.Case.current.map { $0.argumentTexts.map { $0 ?? "case" } } : nil
    let name = CaseNames.fileName(names, arguments?.isEmpty == true ? ["case"] : arguments)
    let conversation = Conversation(requests)
    return [
      ConversationFile("\(name).har") { conversation.texts.har },
      ConversationFile("\(name).http") { conversation.texts.http },
    ]
  }
}

/// The requests and the responses of a test, as they are written.
private final class Conversation: Sendable {
  /// The largest number of bytes of both files.
  static let limit = 1_000_000
  /// The largest number of bytes of a body in the files.
  static let bodyLimit = 65_536

  private let requests: [RecordedRequest]
  private let made = Protected<(har: Data, http: Data)?>(nil)

  init(_ requests: [RecordedRequest]) { self.requests = requests }

  /// Both files. They are made once, when the first one is read.
  var texts: (har: Data, http: Data) {
    made.withLock { made in
      if let made { return made }
      let texts = Self.texts(of: requests)
      made = texts
      return texts
    }
  }

  /// Returns both files of the newest requests that fit.
  private static func texts(of requests: [RecordedRequest]) -> (har: Data, http: Data) {
    // What is far beyond the limit isn't written at all: each body is at least once in the files.
    var size = 0
    var kept = requests.suffix(
      requests.reversed().prefix { request in
        size += min(request.body?.count ?? 0, bodyLimit) + min(request.response?.body?.count ?? 0, bodyLimit) + 200
        return size <= limit
      }.count)
    while true {
      let left = requests.count - kept.count
      let note = left == 0 ? nil : "\(left) earlier requests are left out, because a test attaches at most 1 MB."
      let har = HTTPArchive(entries: kept.map { HTTPArchive.Entry(cutting: $0) }).redactedAndReported(.standard).archive
        .data(
          comment: note)
      let http = Data(((note.map { ["# \($0)"] } ?? []) + [text(of: Array(kept)), ""]).lines.utf8)
      if har.count + http.count <= limit || kept.isEmpty { return (har, http) }
      kept = kept.suffix(kept.count / 2)
    }
  }

  /// The transcript. Large bodies are in the archive, as far as they are kept. As there, all secrets are hidden,
  /// because attachments travel.
  private static func text(of requests: [RecordedRequest]) -> String {
    var actual = requests.map { TranscribedRequest($0, without: []) }
    let secrets = Secrets(of: requests, in: &actual, hidesAll: true)
    for (index, request) in requests.enumerated() {
      guard let body = request.body, body.count > bodyLimit else { continue }
      actual[index].body = .bytes(TranscribedBytes(source: "(\(body.count) bytes, not shown)"))
    }
    return TranscriptDraft(actual, hiding: secrets, on: Machine()).text
  }
}

extension HTTPArchive.Entry {
  /// Creates an entry with the beginnings of large bodies, which says so.
  fileprivate init(cutting recorded: RecordedRequest) {
    self.init(recorded)
    var cuts: [String] = []
    func beginning(of body: Data?, _ owner: String) -> Data? {
      guard let body, body.count > Conversation.bodyLimit else { return nil }
      let beginning = body.beginning(Conversation.bodyLimit)
      cuts.append("\(beginning.count) of \(body.count) bytes of the \(owner)")
      return beginning
    }
    if let body = beginning(of: request.httpBody, "request") { request.httpBody = body }
    if let body = beginning(of: response?.body, "response") { response?.body = body }
    if !cuts.isEmpty { statedObstacle = "was cut to \(cuts.joined(separator: " and to "))" }
  }
}

extension Data {
  /// Returns the first bytes, without a part of a character of a text in UTF-8.
  fileprivate func beginning(_ limit: Int) -> Data {
    var end = index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
    let least = Swift.max(startIndex, end - 3)
    while end > least, end < endIndex, self[end] & 0xC0 == 0x80 { end -= 1 }
    return Data(self[..<end])
  }
}
