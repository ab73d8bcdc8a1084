extension KnownDifference {
  /// Those by which a run that is recorded is told from another one, which may be there and may not.
  static let ofRecordings: [KnownDifference] = [
    KnownDifference(
      "The native loader writes each piece of such a download twice: what is in the file depends on how it came.",
      lines: ["returns file"]
    ) { $0.kind == .download && $0.style == .asyncCallWithDelegate && $0.deliversBody }
  ]

  /// Those by which a replay is told from what was recorded, beside those of every stub.
  static let ofReplays: [KnownDifference] = [
    KnownDifference(
      "The error of a native time-out names no URL; that of a stub does.",
      lines: [
        "completion:", "state completed, URLError -1001", "throws URLError -1001", "told of the end: URLError -1001",
      ]
    ) { $0.exchange.takesLong && $0.exchange.name != "slow but never silent for long" },
    KnownDifference(
      "The native loader shows nobody the head of such a response when it breaks off, so that a recording has the error only; "
        + "the length it speaks of is in the task's count.",
      lines: ["received 0 of"]
    ) { $0.breaksOff && $0.losesHead && ($0.kind != .download || $0.style != .sessionDelegate) },
    KnownDifference(
      "The same of a download, of whose pieces a delegate hears before.",
      lines: ["told of data written:", "received"]
    ) { $0.breaksOff && $0.kind == .download && $0.style == .sessionDelegate },
    KnownDifference(
      "The same of the delegate of a single call, which hears of nothing else, so that nobody knows the task.",
      lines: [
        "client:", "told of data written:", "task:", "state completed", "response no response", "sent 0 of 0",
        "received",
        "progress at its end", "original GET", "current GET",
      ]
    ) {
      $0.breaksOff && $0.kind == .download && $0.style == .asyncCallWithDelegate
        && $0.exchange.name != "dropped before the body"
        && $0.exchange.name != "nothing of its length"
    },
    KnownDifference(
      "The native loader asks for a body's stream before it has a connection; a stub does not ask for what it does not look at.",
      lines: ["asked for a body stream"]
    ) { $0.exchange.isRefused && $0.kind == .streamedUpload },
  ]
}

extension Comparison {
  /// The difference while StubKit records, unless all of it is known.
  var unknownDifferenceOfRecording: String? {
    KnownDifference.ofRecordings.unknown(in: differenceOfRecording, of: cell, "(- a server, + a server, recorded)")
  }

  /// The difference of the replay, unless all of it is known of stubs, or of replays.
  var unknownDifferenceOfReplay: String? {
    (KnownDifference.all + KnownDifference.ofReplays).unknown(
      in: differenceOfReplay, of: cell, "(- recorded, + replayed)")
  }

  /// Known differences of replays that are none.
  var outdatedReasonsOfReplay: [String] {
    replayed == nil ? [] : KnownDifference.ofReplays.outdated(in: differenceOfReplay, of: cell)
  }
}

extension Cell {
  /// Whether a response's body ends before it should.
  fileprivate var breaksOff: Bool {
    [
      "dropped before the body", "dropped in the body", "dropped in a chunked body", "reset in the body",
      "shorter than its length", "nothing of its length", "silent in the body",
    ].contains(exchange.name)
  }

  /// Whether nobody hears of a response's head before the end.
  fileprivate var losesHead: Bool {
    switch style {
    case .completionHandler, .completionHandlerBesideDelegate: kind != .data
    case .sessionDelegate: kind == .download
    case .asyncCall, .asyncCallWithDelegate: false
    }
  }
}
