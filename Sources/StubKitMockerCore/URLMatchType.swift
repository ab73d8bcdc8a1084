/// Which part of a URL counts.
public enum URLMatchType: Sendable {
  /// The whole URL, as text.
  case full
  /// The scheme, the host and the path.
  case ignoreQuery
  /// The beginning of the URL, as text.
  case prefix
}
