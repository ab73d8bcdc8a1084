import Foundation
import StubKit

extension Error {
  /// What the error says, with a full stop at its end: in its own words, or in those of the system for its cause.
  package var sentence: String {
    var cause = self as NSError
    while let next = cause.userInfo[NSUnderlyingErrorKey] as? NSError { cause = next }
    let text =
      (self as? any CustomStringConvertible & LocalizedError)?.description
      ?? (cause.domain == NSPOSIXErrorDomain
        ? Int32(cause.code).systemError : cause.localizedDescription)
    return text.asSentence
  }
}
