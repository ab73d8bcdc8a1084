import Foundation
import StubKit
import StubKitArchive

extension RequestJournal {
  /// The requests and their responses, as an archive.
  ///
  /// ```swift
  /// let archive = HTTPStubs.journal.archive
  /// try archive.write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// The registry's clock measures the durations. A failed request has its error. A request that was cancelled, is in
  /// progress or went to the network has no response, or only the part that was sent, and can't be replayed. For bodies
  /// that the journal doesn't keep, the archive contains only the lengths. See
  /// `RequestJournal.keepsLargeBodies`. An entry whose request has a body that was not read says so, and
  /// can't be replayed.
  public var archive: HTTPArchive { HTTPArchive(entries: entries.map { HTTPArchive.Entry($0) }) }
}
