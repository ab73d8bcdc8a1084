extension [UInt8] {
  /// The number of bytes to insert, delete or replace to turn one text into the other (Levenshtein, 1966).
  func editDistance(to other: [UInt8]) -> Int {
    var row = [Int](0...other.count)
    var i = 0
    while i < count {
      var diagonal = row[0]
      var j = 0
      row[0] = i + 1
      while j < other.count {
        let replaced = self[i] == other[j] ? diagonal : diagonal + 1
        diagonal = row[j + 1]
        let added = 1 + (row[j] < diagonal ? row[j] : diagonal)
        row[j + 1] = replaced < added ? replaced : added
        j += 1
      }
      i += 1
    }
    return row[other.count]
  }
}
