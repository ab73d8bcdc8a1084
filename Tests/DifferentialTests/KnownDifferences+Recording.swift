extension KnownDifference {
  /// Those by which a run that is recorded is told from another one, which may be there and may not.
  static let ofRecordings = [fileIsWrittenTwice, startsOver]

  /// Those by which a replay is told from what was recorded, beside those of every stub.
  static let ofReplays: [KnownDifference] = [
    KnownDifference(
      "The error of a native time-out names no URL; that of a stub does.",
      lines: [
        "completion:", "state completed, URLError -1001", "throws URLError -1001", "told of the end: URLError -1001",
      ]
    ) { $0.exchange.takesLong && $0.exchange.name != "slow but never silent for long" }
  ]
}
