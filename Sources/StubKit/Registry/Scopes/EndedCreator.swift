/// A scope that has ended, and has created a session that is still in use.
struct EndedCreator: CustomStringConvertible {
  /// The name of its test, or `nil` if it is unknown.
  let test: String?

  var description: String { test ?? "a scope" }
}
