extension KnownDifference {
  /// Those by which a run that is recorded is told from another one, which may be there and may not.
  static let ofRecordings: [KnownDifference] = [
    KnownDifference(
      "The native loader writes each piece of such a download twice, and the recorded one writes it once.",
      lines: ["returns file"]
    ) { $0.kind == .download && $0.style == .asyncCallWithDelegate && $0.deliversBody },
    KnownDifference(
      "With a credential the native loader starts over with the task's first request, from before the redirect; the "
        + "recorded one makes the request again that was challenged, as with stubs."
    ) { $0.exchange.name == "redirect to a 401" && !$0.replies.challenges.isEmpty },
  ]

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
