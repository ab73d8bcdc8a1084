extension String {
  /// The text without characters that control a terminal or the direction of text. A visible one takes the place of
  /// each.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          guard scalar.isControl else { return scalar }
          // Unicode has a picture for each control character of ASCII.
          return scalar == "\u{7F}"
            ? "\u{2421}" : Unicode.Scalar(scalar.value < 0x20 ? 0x2400 + scalar.value : 0xFFFD) ?? "\u{FFFD}"
        }))
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
