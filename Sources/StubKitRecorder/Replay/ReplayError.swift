import Foundation
import StubKit
import StubKitArchive

/// An error that says that an entry of an archive can't be replayed, because the archive doesn't contain its response.
///
/// ```swift
/// do {
///   _ = try await URLSession.shared.data(from: url)
/// } catch {
///   // users.har, entry 3 has neither a response nor an error. …
///   print(error.localizedDescription)
/// }
/// ```
public struct ReplayError: StubKitError, Hashable {
  /// The name of the archive's file, or `nil` for an archive that doesn't come from a file.
  public let fileName: String?
  /// The number of the entry, from 1.
  public let entry: Int
  /// Why the entry can't be replayed, and what to do.
  public let reason: String

  /// A sentence that names the archive and the entry and says what is wrong.
  public var description: String { "\(HTTPArchive.name(ofEntry: entry, in: fileName)) \(reason)" }
}

extension HTTPArchive {
  /// Returns the name of an entry in reports, such as `users.har, entry 3`.
  static func name(ofEntry number: Int, in fileName: String?) -> String {
    "\(fileName ?? "the archive"), entry \(number)"
  }
}
