/// Something by which a stub is told from a server after all, and why that is.
///
/// A difference is known by its cells and by its lines. The list is exact: lines that no entry explains fail the tests,
/// and so does an entry that explains nothing in one of its cells.
struct KnownDifference: Sendable {
  let reason: String
  let isIn: @Sendable (Cell) -> Bool
  /// The beginnings of the lines that differ, without the white space before them; nil for any line.
  let lines: [String]?

  init(_ reason: String, lines: [String]? = nil, isIn: @escaping @Sendable (Cell) -> Bool) {
    self.reason = reason
    self.isIn = isIn
    self.lines = lines
  }

  /// Whether it is the reason for a line of a difference.
  func explains(_ line: String) -> Bool {
    guard let lines else { return true }
    let text = line.dropFirst().drop { $0 == " " }
    return lines.contains { text.hasPrefix($0) }
  }

  static let fileIsWrittenTwice = KnownDifference(
    "The native loader writes each piece of such a download twice; with StubKit the file is right.",
    lines: ["returns file"]
  ) { $0.kind == .download && $0.style == .asyncCallWithDelegate && $0.deliversBody }

  static let startsOver = KnownDifference(
    "With a credential the native loader starts over with the task's first request, from before the redirect; with "
      + "StubKit the request that was challenged is made again."
  ) { $0.exchange.name == "redirect to a 401" && !$0.replies.challenges.isEmpty }

  static let all: [KnownDifference] = [
    fileIsWrittenTwice, startsOver,
    KnownDifference(
      "The native loader sends a stream in chunks, before it knows what is in it; stubHeaders has the length of what was read.",
      lines: ["with content-length:"]
    ) { $0.isSent && $0.kind == .streamedUpload },
    KnownDifference(
      "The native loader takes every path in a Location to begin at the root; a stub resolves it by RFC 3986."
    ) { $0.exchange.name == "redirect relative to a folder" },
    KnownDifference(
      "The native loader asks its server for the path of a Location without a host, whatever its scheme; a stub fails the "
        + "request, since no server is to be asked."
    ) { ["redirect to a mail address", "redirect to data"].contains($0.exchange.name) },
    KnownDifference(
      "The native loader keeps the body of a redirect that leads nowhere from everyone, and its head from delegates."
    ) {
      ["redirect without a location", "redirect to an empty location", "redirect to no URL"].contains($0.exchange.name)
    },
    KnownDifference(
      "The native loader keeps fields apart whose names differ in case. They are one field (RFC 9110, section 5.1), whose values "
        + "a stub joins.",
      lines: ["200 http", "response 200 http", "told of the response: 200 http"]
    ) { $0.exchange.name == "header field names that differ in case" },
    KnownDifference(
      "The native loader sends a HEAD without its body; a stub sees it.",
      lines: ["HEAD /", "with content-length:", "told of body data sent:", "sent "]
    ) { $0.hasBodyOfHEAD },
    KnownDifference(
      "The native loader sends a HEAD without its body, so the delegate of such a download learns nothing of its task."
    ) {
      $0.hasBodyOfHEAD && $0.kind == .download && $0.style == .asyncCallWithDelegate
    },
    KnownDifference(
      "The native loader calls a connection that is lost in the middle of a body an unknown error, -1; a stub calls it what "
        + "Apple's does, lost, -1005.",
      lines: ["completion:", "state completed, URLError -1", "throws URLError -1", "told of the end: URLError -1"]
    ) { ["shorter than its length", "nothing of its length"].contains($0.exchange.name) },
  ]
}

extension Comparison {
  /// What is different and in no list of known differences, and what a list has that is not different any more.
  var problems: [String] {
    let stubbing = native.difference(to: stubbed)
    var problems =
      KnownDifference.all.unknown(in: stubbing, of: cell, "(- a server, + a stub)")
      + KnownDifference.all.outdated(in: stubbing, of: cell)
    guard let recorded else { return problems }
    problems += KnownDifference.ofRecordings.unknown(
      in: native.difference(to: recorded.transcript), of: cell, "(- a server, + a server, recorded)")
    guard let replayed else { return problems }
    let replaying = recorded.client.difference(to: replayed)
    return problems
      + (KnownDifference.all + KnownDifference.ofReplays).unknown(in: replaying, of: cell, "(- recorded, + replayed)")
      + KnownDifference.ofReplays.outdated(in: replaying, of: cell)
  }
}

extension [KnownDifference] {
  /// A difference between two runs of a cell, unless these explain all of it.
  fileprivate func unknown(in difference: [String], of cell: Cell, _ legend: String) -> [String] {
    let known = filter { $0.isIn(cell) }
    let isKnown = difference.differing.allSatisfy { line in known.contains { $0.explains(line) } }
    return isKnown ? [] : ["\(cell)\n\(legend)\n\(difference.joined(separator: "\n"))"]
  }

  /// Those that explain nothing in one of their cells.
  fileprivate func outdated(in difference: [String], of cell: Cell) -> [String] {
    filter { known in known.isIn(cell) && !difference.differing.contains(where: known.explains) }
      .map { "\(cell)\nis no longer different, as the list has it: \($0.reason)" }
  }
}

extension [String] {
  /// The lines that only one of two runs has.
  var differing: [String] { filter { $0.hasPrefix("-") || $0.hasPrefix("+") } }
}

extension Cell {
  fileprivate var hasBodyOfHEAD: Bool { exchange.sendsBodyAlways && method == "HEAD" && !exchange.requestBody.isEmpty }

  /// Whether a body comes whole in the end.
  var deliversBody: Bool {
    guard method != "HEAD", !hasBodyOfGET, disturbance != .cancelDuringBody,
      let last = exchange.routes.last?.answer
    else {
      return false
    }
    guard last.hasBody(for: method), case .complete = last.ending,
      last.declaredLength.map({ $0 >= 1 && $0 <= last.wholeBody.count }) ?? true
    else { return false }
    return !last.body.isEmpty
  }
}
