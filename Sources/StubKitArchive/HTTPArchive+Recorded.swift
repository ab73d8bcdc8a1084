import Foundation
import StubKit

extension HTTPArchive.Entry {
  /// Creates the entry of a request in a journal.
  package init(_ recorded: RecordedRequest) {
    self.init(
      request: recorded.request, startedAt: recorded.startedAt, duration: recorded.duration ?? .zero,
      timeToResponse: recorded.timeToResponse)
    request.httpBody = recorded.body
    if recorded.body == nil { missingBodyLength = recorded.largeBodyLength }
    if let sent = recorded.response {
      let content = sent.body.map { ArchivedBody($0) } ?? ArchivedBody(missing: sent.bodyLength)
      response = HTTPArchive.Response(status: sent.status, headers: sent.headerFields, content: content)
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
