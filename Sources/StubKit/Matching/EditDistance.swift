extension Array where Element: Equatable {
  /// The number of elements to insert, delete or replace to turn one collection into the other (Levenshtein, 1966).
  func editDistance(to other: [Element]) -> Int {
    var row = Array<Int>(0...other.count)
    for (i, element) in enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, candidate) in other.enumerated() {
        let replaced = diagonal + (element == candidate ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[other.count]
  }
}
