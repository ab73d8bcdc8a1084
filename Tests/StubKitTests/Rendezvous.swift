import Dispatch

/// Where threads block until as many have come as are expected.
final class Rendezvous: Sendable {
  private let absent = DispatchGroup()

  init(_ count: Int) { for _ in 0..<count { absent.enter() } }

  /// Returns `false` if the others have not come for so long that they have no thread to come on.
  func arrive() -> Bool {
    absent.leave()
    return absent.wait(timeout: .now() + 250) == .success
  }
}
