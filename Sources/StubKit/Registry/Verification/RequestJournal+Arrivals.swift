extension RequestJournal {
  /// What has arrived, newest last, for the report of a wait that takes long: a line for each request, and what kept it
  /// from its nearest stub.
  var arrivals: [String] {
    let (entries, droppedCount) = history
    guard !entries.isEmpty else { return ["No requests arrived."] }
    let lines = entries.suffix(8).flatMap { entry -> [String] in
      let nearest = (entry.outcome.error as? UnmatchedRequestError)?.nearest.first
      return ["  \(entry.line)"] + (nearest?.mismatches.prefix(3).map { "     ✗ \($0)" } ?? [])
    }
    let omitted = max(0, entries.count - 8) + droppedCount
    return ["\(entries.count.requests) did arrive:"] + (omitted > 0 ? ["  … \(omitted) earlier ones"] : []) + lines
  }
}

extension RecordedRequest {
  /// The request and its outcome, in one line.
  var line: String {
    let outcome =
      if outcome.error is UnmatchedRequestError { "unmatched" } else {
        outcome.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      }
    return "\(request.summary): \(outcome)"
  }
}
