import Foundation

/// An error that says that a request has no capture of a name, or that its text is not a value of the wanted type.
///
/// ```swift
/// stub(.get, "https://api.example.com/users/{id}") { _, match in
///   // There is no capture "userId"; found id. …
///   try .text(match("userId"))
/// }
/// ```
package struct CaptureError: StubKitError {
  /// What is wrong, and which captures there are.
  public let description: String

  init(_ name: String, in captures: Captures) {
    let names = Names(captures.dictionary.keys).note(nearestTo: name)
    let others = names.map { "; \($0)" } ?? ": the condition captured nothing"
    description =
      "There is no capture \(name.debugDescription)\(others). Write the name "
      + "as in the template's {name} or the regular expression's (?<name>…)."
  }

  init(_ name: String, _ text: String, isNot type: String) {
    description =
      "The capture \(name.debugDescription) is \(text.debugDescription), which is no \(type): restrict it in the "
      + "condition, as in {\(name):[0-9]+} for a number, or handle it with match[\"\(name)\", as: \(type).self], which is nil."
  }
}
