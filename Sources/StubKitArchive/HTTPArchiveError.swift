import Foundation
import StubKitFormats

/// An error that says where an HTTP Archive has a problem, what is wrong, and what to do.
///
/// ```swift
/// do {
///   let archive = try HTTPArchive(contentsOf: url)
/// } catch let error as HTTPArchiveError {
///   // users.har, entry 3, line 120: The request has no URL.
///   // Export the archive again, or remove the entry.
///   print(error)
/// }
/// ```
public struct HTTPArchiveError: CustomNSError, LocalizedError, CustomStringConvertible, Sendable, Hashable {
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
    self.problem = problem
    self.remedy = remedy
  }

  /// The place, the problem and the remedy.
  public var description: String { "\(place): \(problem) \(remedy)" }

  /// The description, so that `localizedDescription` contains it.
  public var errorDescription: String? { description }

  /// Finds the error in an error that arrived from somewhere else: in an `NSError` that stands for it, in an
  /// underlying error, or in a value of an error that is a Swift type. Returns `nil` if there is no such error.
  ///
  /// - Parameter error: The error that arrived.
  public init?(from error: any Error) {
    guard let found = OriginalError.find(Self.self, in: error) else { return nil }
    self = found
  }

  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "StubKit.HTTPArchiveError" }

  /// The code of the error as an `NSError`, which is 1.
  public var errorCode: Int { 1 }

  /// The user info of the error as an `NSError`, with the description under `NSLocalizedDescriptionKey`.
  public var errorUserInfo: [String: Any] { OriginalError.userInfo(of: self) }

  private var place: String {
    var parts = [file ?? "The archive"]
    if let entry { parts.append("entry \(entry)") }
    if let line { parts.append("line \(line)") }
    return parts.joined(separator: ", ")
  }
}
