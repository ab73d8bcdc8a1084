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
