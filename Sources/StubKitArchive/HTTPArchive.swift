import Foundation
import StubKitFormats

/// Requests and their responses, which are the contents of an HTTP Archive (HAR 1.2), the format that browsers
/// export.
///
/// ```swift
/// let archive = StubRegistry.current.journal.archive
/// let slow = archive.entries.filter { $0.duration > .seconds(1) }
/// ```
///
/// An archive is a value. It doesn't change if the file that it was read from changes.
public struct HTTPArchive: Sendable, Equatable {
  /// The entries, in the order in which the requests began. Messages number them from 1.
  public var entries: [Entry]

  /// What isn't as HAR 1.2 requires in the file that the archive was read from, and was taken at its obvious meaning, such as a
  /// status that is a string. Empty for other archives. It doesn't count when archives are compared.
  ///
  /// ```swift
  /// for problem in archive.problems { print(problem) }
  /// // users.har, entry 3: "response.status" is a string. …
  /// ```
  public internal(set) var problems: [HTTPArchiveError] = []

  /// The name of the file that the archive was read from, for messages, or `nil`.
  package var fileName: String?

  /// Creates an archive with these entries.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Returns whether the entries of two archives are equal.
  public static func == (left: HTTPArchive, right: HTTPArchive) -> Bool { left.entries == right.entries }
}
