/// A text of a plain condition, by its place in the condition's bytes.
struct PlainText {
  let offset: UInt32
  let count: UInt32
}

/// A check of a plain head that a condition needs beside its host and its path.
///
/// A path template is several steps. Each of them takes some bytes of the path from where the one before has stopped.
enum PlainStep {
  case port(UInt32)
  case hostSuffix(PlainText)
  case pathPrefix(PlainText)
  /// A prefix of whole segments.
  case pathUnder(PlainText)
  case pathSuffix(PlainText)

  case queryName(PlainText)
  case noQueryName(PlainText)
  /// An item with its name, its `=` and its value.
  case queryItem(PlainText)
  /// The query has only the items of the steps just before, any number of times.
  case noOtherQueryItems(count: UInt32)
  case queryItemCount(UInt32)

  /// A template begins with the segment before the first slash.
  case beginTemplate
  /// The next segments are a text, with the slashes between them.
  case segments(PlainText)
  /// The next segment is a placeholder.
  case placeholderSegment(name: PlainText)
  /// The next segment begins with a text, and placeholders follow.
  case segmentPrefix(PlainText)
  /// A placeholder in the segment, up to the first place of a text that another placeholder follows.
  case placeholder(name: PlainText, upTo: PlainText)
  /// The last placeholder of the segment, which ends with a text.
  case lastPlaceholder(name: PlainText, before: PlainText)
  /// A placeholder for the rest of the path: one or more segments.
  case rest(name: PlainText)
  /// No more segments follow.
  case endTemplate
}
