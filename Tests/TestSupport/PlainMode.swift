import StubKit

/// Whether StubKit uses public API only in this run, because the environment says so or Foundation is another one.
package enum PlainMode {
  package static let isOn = HTTPStubs.capabilities.contains("refused  URLSession internals")

  /// Whether a download has failed because there is no way to hand over its file.
  package static func refusesDownload(_ error: any Error) -> Bool {
    isOn && (error as? any StubKitError).map { "\(type(of: $0))" == "DownloadUnavailableError" } == true
  }
}
