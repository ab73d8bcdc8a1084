import Foundation
import StubKit
import StubKitArchive

extension RequestJournal {
  /// The requests and their responses, as an archive.
  ///
  /// ```swift
  /// let archive = StubRegistry.current.journal.archive
  /// try archive.write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// The registry's clock measures the durations. A failed request has its error. A request that was cancelled, is in
  /// progress or went to the network has no response, or only the part that was sent, and can't be replayed. For bodies
  /// that the journal doesn't keep, the archive contains only the lengths. See
  /// ``/StubKit/RequestJournal/keepsLargeBodies``. An entry whose request has a body that was not read says so, and
  /// can't be replayed.
  public var archive: HTTPArchive { HTTPArchive(entries: entries.map { HTTPArchive.Entry($0) }) }

  /// Returns the requests as an HTTP Archive, version 1.2. The developer tools of browsers show it as a waterfall.
  ///
  /// ```swift
  /// try StubRegistry.current.journal.har().write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// This is the ``/StubKitArchive/HTTPArchive/data`` of ``archive``. The registry's clock measures the times. For a
  /// request that failed, was cancelled, is in progress or went to the network, the response's `_error` contains the
  /// outcome, and its status is 0 unless the head of a response had arrived. For bodies that the journal doesn't keep,
  /// it contains only the sizes.
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
    if recorded.body == nil { missingBodyLength = recorded.largeBodyLength }
    if let sent = recorded.response {
      let content = sent.body.map { ArchivedBody($0) } ?? ArchivedBody(missing: sent.bodyLength)
      let headers = HTTPArchive.Headers(sent.fields.fields.map { ($0.name, $0.value) })
      response = HTTPArchive.Response(status: sent.status, headers: headers, content: content)
    }
    stubName = recorded.stub?.description
    let outcome = recorded.outcome
    if let failure = outcome.error {
      error = failure as? URLError
      if error == nil {
        statedObstacle = "failed with an error that is not a URLError: \(failure.localizedDescription)"
      }
    } else if let status = outcome.status {
      response = response ?? HTTPArchive.Response(status: status)
    } else {
      statedObstacle = "was \(outcome)"
    }
    if let missing = recorded.missingBody, missingBodyLength == nil, obstacle == nil {
      statedObstacle = "has a request whose body is not known: \(missing.reason)"
    }
  }
}
