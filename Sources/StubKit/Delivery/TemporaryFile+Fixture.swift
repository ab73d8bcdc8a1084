extension FixtureFile {
  /// Writes all bytes to another file. Throws like `read(unless:)`, and what the other file throws.
  func copy(to copy: TemporaryFile, unless flag: CancellationFlag) throws {
    for piece in RegularFile.pieces(of: length) {
      try flag.check()
      try copy.append(read(piece))
    }
  }
}
