import Foundation
import StubKit

/// Which requests must come in the order of a transcript.
///
/// ```swift
/// @Suite(.stubbed, .transcribed(order: .asMade)) struct LoginTests { … }
/// ```
public struct RequestOrder: Sendable, Hashable {
  private enum Kind { case perURL, asMade, any }
  private let kind: Kind

  /// Those with the same method and URL, query included. All others are free, because they can be made at the same
  /// time. This is the default.
  public static let perURL = RequestOrder(kind: .perURL)
  /// All of them.
  public static let asMade = RequestOrder(kind: .asMade)
  /// None of them, for example if a client makes several equal requests with different bodies at the same time.
  public static let any = RequestOrder(kind: .any)
}
