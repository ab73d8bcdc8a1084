#if !canImport(Darwin)
  import CDispatch
  import Foundation

  /// The error of a stubbed download if this platform's URLSession offers no way to hand over its file.
  package struct DownloadUnavailableError: StubKitError, Hashable {
    /// What is not possible, and what to do instead.
    public var description: String {
      "This version of Foundation gives StubKit no way to pass a file to a download task (see HTTPStubs.capabilities). "
        + "Stub a data task instead, or report the Foundation version."
    }
  }
#endif
