import Dispatch

/// Where threads block until as many have come as are expected.
final class Rendezvous: Sendable {
  private let absent = DispatchGroup()

  init(_ count: Int) { for _ in 0..<count { absent.enter() } }

  /// False if the others have not come within 50 seconds: then some of them have no thread to come on. A request waits for a minute.
  func arrive() -> Bool {
    absent.leave()
    return absent.wait(timeout: .now() + 50) == .success
  }
}
