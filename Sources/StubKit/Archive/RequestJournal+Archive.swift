import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RequestJournal {
  /// The requests and what went out for them, as a value.
  ///
  /// ```swift
  /// let archive = StubRegistry.current.journal.archive
  /// try archive.write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// Durations are those of the registry's clock. A request that failed has its error. One that was cancelled, is in progress
  /// or went to the network has no response, or the part of it that went out, and can't be replayed. Of bodies that the journal does
  /// not keep the archive has the lengths; see ``keepsLargeBodies``.
  public var archive: HTTPArchive { HTTPArchive(entries: entries.map { HTTPArchive.Entry($0) }) }

  /// The requests as an HTTP Archive, version 1.2, which browsers' developer tools import: a waterfall of all that was asked for.
  ///
  /// ```swift
  /// try StubRegistry.current.journal.har().write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// It is the ``HTTPArchive/data`` of ``archive``. Times are those of the registry's clock. For a request that failed, was cancelled,
  /// is in progress or went to the network, the response's `_error` says what became of it, and its status is 0 unless the head of a response had come.
  /// Bodies that the journal does not keep are there by their sizes.
  ///
  /// - Returns: JSON in UTF-8.
  public func har() -> Data { archive.data }
}

extension HTTPArchive.Entry {
  fileprivate init(_ recorded: RecordedRequest) {
    self.init(
      request: recorded.request, startedAt: recorded.startedAt, duration: recorded.duration ?? .zero,
      timeToResponse: recorded.timeToResponse)
    request.httpBody = recorded.body
    if recorded.body == nil { missingBodyLength = recorded.largeBody?.length }
    if let sent = recorded.response {
      let content = sent.body.map { ArchivedBody($0) } ?? ArchivedBody(missing: sent.bodyLength)
      response = HTTPArchive.Response(
        status: sent.status, headers: HTTPArchive.Headers(sent.fields.fields.map { ($0.name, $0.value) }),
        content: content)
    }
    stubName = recorded.stub?.description
    let outcome = recorded.outcome
    if let failure = outcome.error {
      error = failure as? URLError
      if error == nil { obstacle = "failed with an error that is no URLError: \(failure.localizedDescription)" }
    } else if let status = outcome.status {
      if response == nil { response = HTTPArchive.Response(status: status) }
    } else {
      obstacle = "was \(outcome)"
    }
  }
}
