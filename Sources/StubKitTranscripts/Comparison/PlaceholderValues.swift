import StubKit

/// The values that placeholders stand for, by their names, and where each was first.
struct PlaceholderValues: Sendable {
  private(set) var values: [String: String] = [:]
  /// The index of the expected request that gave a name its value.
  private(set) var origins: [String: Int] = [:]
  /// The names of values of which no two names have the same, and `nil` for values without a name.
  private var names: [ExactString: String?] = [:]

  /// Takes values for placeholders, or none of them if one contradicts another.
  ///
  /// - Parameter origin: The index of the expected request.
  mutating func take(_ placeholders: [Placeholder], _ found: [String], of origin: Int) -> Bool {
    var (added, distinct): ([String], [ExactString]) = ([], [])
    for (placeholder, value) in zip(placeholders, found) {
      let name = placeholder.boundName
      if let name, let known = values[name] {
        if known.isSame(as: value) { continue }
      } else if !placeholder.kind.isDistinct || names[ExactString(value)] == nil {
        if placeholder.kind.isDistinct {
          names[ExactString(value)] = .some(name)
          distinct.append(ExactString(value))
        }
        if let name {
          values[name] = value
          origins[name] = origin
          added.append(name)
        }
        continue
      }
      for name in added { (values[name], origins[name]) = (nil, nil) }
      for value in distinct { names[value] = nil }
      return false
    }
    return true
  }

  /// Returns why a value contradicts the others, or `nil` if it doesn't.
  ///
  /// - Parameter place: Returns the words for an expected request.
  func conflict(_ placeholders: [Placeholder], _ found: [String], _ place: (Int) -> String) -> String? {
    for (placeholder, value) in zip(placeholders, found) {
      let name = placeholder.boundName
      if let name, let known = values[name], !known.isSame(as: value) {
        return "{{\(name)}} was \(known) in \(place(origins[name] ?? 0))"
      }
      guard placeholder.kind.isDistinct, let other = names[ExactString(value)], other == nil || other != name else {
        continue
      }
      guard let other else { return "another request has sent this value, too" }
      return "{{\(other)}} was \(value) in \(place(origins[other] ?? 0))"
    }
    return nil
  }
}
