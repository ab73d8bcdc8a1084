#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A 401 that is delivered as it is.
  ///
  /// When a load finishes with a 401 that names a protection space, URLSession on Linux runs a challenge of its own.
  /// Without a delegate, it never completes, and with a credential, it restarts the load on the real network. It
  /// learns the protection space from the response's `url`, so that is `nil` for just that moment, on just that
  /// thread. This uses only public API, so there is nothing to check and nothing to fall back to.
  final class UnansweredChallengeResponse: HTTPURLResponse, @unchecked Sendable {
    // @unchecked holds as it does for the superclass: the value never changes after it is made.
    private static let hidden = "StubKit.UnansweredChallengeResponse.hidden"

    override var url: URL? { Thread.current.threadDictionary[Self.hidden] == nil ? super.url : nil }

    static func hidingProtectionSpace(_ finish: () -> Void) {
      Thread.current.threadDictionary[hidden] = true
      defer { Thread.current.threadDictionary[hidden] = nil }
      finish()
    }
  }
#endif
