import Foundation
import StubKit

/// An error that says where an HTTP Archive has a problem, what is wrong, and what to do.
///
/// ```swift
/// do {
///   let archive = try HTTPArchive(contentsOf: url)
/// } catch let error as HTTPArchiveError {
///   // users.har, entry 3, line 120: "request.url" is missing.
///   // Export the archive again, or remove the entry.
///   print(error)
/// }
/// ```
public struct HTTPArchiveError: StubKitError, Hashable {
  /// The name of the file, or `nil` for an archive that doesn't come from a file.
  public let file: String?
  /// The number of the entry, from 1, or `nil` if the problem isn't in an entry.
  public let entry: Int?
  /// The line, from 1, or `nil` if it isn't known.
  public let line: Int?
  /// What is wrong, as a sentence.
  public let problem: String
  /// What to do, as a sentence.
  public let remedy: String

  init(file: String?, entry: Int? = nil, line: Int? = nil, problem: String, remedy: String) {
    self.file = file
    self.entry = entry
    self.line = line
    (self.problem, self.remedy) = (problem, remedy)
  }

  /// The place, the problem and the remedy.
  public var description: String {
    let place = [file ?? "The archive", entry.map { "entry \($0)" }, line.map { "line \($0)" }].compactMap(\.self)
    return "\(place.listed): \(problem) \(remedy)"
  }
}
