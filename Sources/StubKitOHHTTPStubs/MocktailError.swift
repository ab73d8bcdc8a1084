import Foundation
import StubKit

/// An error that says why a Mocktail file doesn't yield a stub.
///
/// Its description is a sentence that names the file and the line, says what is wrong, and tells you what to write.
///
/// ```swift
/// do {
///   try stubMocktails(in: folder)
/// } catch let error as MocktailError {
///   // The Mocktail file "…/login.tail", line 3, says "OK", which is not the
///   // status of a response. Write one from 200 to 999.
///   print(error)
/// }
/// ```
public struct MocktailError: StubKitError, Hashable {
  /// The path of the file or of the folder.
  public let path: String
  /// The line with the mistake, from 1. `nil` if the file or the folder as a whole is wrong.
  public let line: Int?
  let problem: String

  /// The sentence.
  public var description: String {
    let place = line.map { "The Mocktail file \(path.debugDescription), line \($0)," }
    return "\(place ?? "The Mocktail path \(path.debugDescription)") \(problem)"
  }
}
