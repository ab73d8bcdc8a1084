import Foundation

/// A problem with a file, as a sentence.
package struct FileProblem: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }

  /// Returns what the file system says when a file is read, as the end of a sentence, or `nil` if it can be read.
  package static func reading(_ file: URL) -> String? {
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var byte: UInt8 = 0
    return descriptor < 0 || pread(descriptor, &byte, 1, 0) < 0 ? String(cString: strerror(errno)) + "." : nil
  }

  /// Returns what an error says about itself.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as any Error & CustomStringConvertible & LocalizedError: error.description
    case let problem as FileProblem: problem.description
    default: reason(error)
    }
  }

  /// Returns what an error says, as the end of a sentence.
  package static func reason(_ error: any Error) -> String {
    var error = error as NSError
    while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
    let text =
      error.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
    return text.hasSuffix(".") ? text : text + "."
  }
}
