import Foundation

/// The error of a request for an entry of an archive that can't be replayed, because the archive does not have its response.
///
/// ```swift
/// do {
///   _ = try await URLSession.shared.data(from: url)
/// } catch let error as ReplayError {
///   print(error)  // users.har, entry 3 has neither a response nor an error. …
/// }
/// ```
public struct ReplayError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The name of the archive's file. `nil` for an archive that comes from no file.
  public let fileName: String?
  /// The number of the entry, counted from 1.
  public let entry: Int
  /// Why the entry can't be replayed, and what to do.
  public let reason: String

  /// A sentence that names the archive and the entry and says what is wrong.
  public var description: String { "\(HTTPArchive.name(ofEntry: entry, in: fileName)) \(reason)" }

  /// The same sentence, so that `localizedDescription` carries it.
  public var errorDescription: String? { description }
}

extension HTTPArchive {
  /// An entry as reports name it: `users.har, entry 3`.
  static func name(ofEntry number: Int, in fileName: String?) -> String {
    "\(fileName ?? "the archive"), entry \(number)"
  }
}
