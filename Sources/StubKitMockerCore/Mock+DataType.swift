extension Mock {
  /// The type of a mock's data.
  public struct DataType: Sendable {
    /// The name of the type.
    public let name: String
    /// The value of the `Content-Type` header.
    public let headerValue: String

    /// Creates a type.
    public init(name: String, headerValue: String) {
      self.name = name
      self.headerValue = headerValue
    }
  }
}

extension Mock.DataType {
  /// JSON in UTF-8.
  public static let json = Mock.DataType(name: "json", headerValue: "application/json; charset=utf-8")
  /// HTML in UTF-8.
  public static let html = Mock.DataType(name: "html", headerValue: "text/html; charset=utf-8")
  /// An image.
  public static let imagePNG = Mock.DataType(name: "imagePNG", headerValue: "image/png")
  /// A document.
  public static let pdf = Mock.DataType(name: "pdf", headerValue: "application/pdf")
  /// A film.
  public static let mp4 = Mock.DataType(name: "mp4", headerValue: "video/mp4")
  /// An archive.
  public static let zip = Mock.DataType(name: "zip", headerValue: "application/zip")
}
