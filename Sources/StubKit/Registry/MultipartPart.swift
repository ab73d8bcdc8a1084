import Foundation

/// A part of a multipart body, as ``SentRequest/multipart()`` returns it.
public struct MultipartPart: Sendable, Hashable {
  /// The name in the part's Content-Disposition, or `nil` if it has none.
  public let name: String?
  /// The name of the file in the part's Content-Disposition, or `nil` if it has none.
  public let filename: String?
  /// The content type of the part. A part without one counts as `text/plain`.
  public let contentType: String
  /// The content of the part.
  public let data: Data
  /// The content as text, or `nil` if it isn't UTF-8.
  public var text: String? { String(validUTF8: data) }
}
