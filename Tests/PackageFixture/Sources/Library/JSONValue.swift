/// A public type that many libraries have, each one of its own.
public enum JSONValue: Equatable, Sendable {
  /// A text.
  case text(String)
}

/// Another one.
public struct Stub: Sendable {
  /// The title of a book.
  public let title: String

  /// Creates one.
  public init(title: String) { self.title = title }
}
