import Foundation

extension Error {
  /// What the error says, or the name of a code of URLSession whose sentence would be a number.
  package var cause: String {
    let error = self as NSError
    let hasSentence = error.userInfo[NSLocalizedDescriptionKey] != nil || error.domain != NSURLErrorDomain
    return (hasSentence ? nil : urlErrorNames[error.code]) ?? localizedDescription
  }
}

/// The codes that clients meet most often.
private let urlErrorNames = [
  -999: "cancelled", -1001: "timedOut", -1002: "unsupportedURL", -1003: "cannotFindHost", -1004: "cannotConnectToHost",
  -1005: "networkConnectionLost", -1009: "notConnectedToInternet", -1011: "badServerResponse", -1020: "dataNotAllowed",
  -1022: "appTransportSecurityRequiresSecureConnection", -1202: "serverCertificateUntrusted",
].mapValues { "URLError.\($0)" }

extension URLError {
  /// Creates an error that says a sentence.
  init(_ code: Code, _ sentence: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence]) }
}
