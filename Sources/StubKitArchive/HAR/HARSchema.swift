import StubKitFormats

/// HAR 1.2 as a table of its objects and their fields.
///
/// The source is http://www.softwareishard.com/blog/har-12-spec/. Every object can contain a `comment`, and custom
/// fields whose names begin with an underscore.
indirect enum HARSchema: Sendable {
  case string
  /// A date as text in the format of ISO 8601.
  case date
  case url
  case number
  /// A number that isn't negative.
  case duration
  case bool
  case object([HARField])
  case array(HARSchema)
  /// An object with any fields.
  case anyObject

  /// The name of the type, with an article.
  var name: String {
    switch self {
    case .string, .date, .url: "a string"
    case .number, .duration: "a number"
    case .bool: "true or false"
    case .object, .anyObject: "an object"
    case .array: "an array"
    }
  }

  static let log = HARSchema.object([
    HARField("version", .string), HARField("creator", tool), HARField("browser", tool, isRequired: false),
    HARField("pages", .array(page), isRequired: false), HARField("entries", .array(entry)),
  ])

  private static let tool = HARSchema.object([HARField("name", .string), HARField("version", .string)])

  private static let page = HARSchema.object([
    HARField("startedDateTime", .date), HARField("id", .string), HARField("title", .string),
    HARField(
      "pageTimings",
      .object([
        HARField("onContentLoad", .number, isRequired: false), HARField("onLoad", .number, isRequired: false),
      ])),
  ])

  private static let entry = HARSchema.object([
    HARField("pageref", .string, isRequired: false), HARField("startedDateTime", .date), HARField("time", .duration),
    HARField("request", request), HARField("response", response), HARField("cache", cache),
    HARField("timings", timings), HARField("serverIPAddress", .string, isRequired: false),
    HARField("connection", .string, isRequired: false),
  ])

  private static let request = HARSchema.object([
    HARField("method", .string), HARField("url", .url), HARField("httpVersion", .string),
    HARField("cookies", .array(cookie)), HARField("headers", .array(pair)), HARField("queryString", .array(pair)),
    HARField("postData", postData, isRequired: false), HARField("headersSize", .number), HARField("bodySize", .number),
  ])

  private static let response = HARSchema.object([
    HARField("status", .number), HARField("statusText", .string), HARField("httpVersion", .string),
    HARField("cookies", .array(cookie)), HARField("headers", .array(pair)), HARField("content", content),
    HARField("redirectURL", .string), HARField("headersSize", .number), HARField("bodySize", .number),
  ])

  private static let cookie = HARSchema.object([
    HARField("name", .string), HARField("value", .string), HARField("path", .string, isRequired: false),
    HARField("domain", .string, isRequired: false), HARField("expires", .date, isRequired: false),
    HARField("httpOnly", .bool, isRequired: false), HARField("secure", .bool, isRequired: false),
  ])

  private static let pair = HARSchema.object([HARField("name", .string), HARField("value", .string)])

  private static let postData = HARSchema.object([
    HARField("mimeType", .string), HARField("params", .array(param), isRequired: false),
    HARField("text", .string, isRequired: false),
  ])

  private static let param = HARSchema.object([
    HARField("name", .string), HARField("value", .string, isRequired: false),
    HARField("fileName", .string, isRequired: false), HARField("contentType", .string, isRequired: false),
  ])

  private static let content = HARSchema.object([
    HARField("size", .number), HARField("compression", .number, isRequired: false), HARField("mimeType", .string),
    HARField("text", .string, isRequired: false), HARField("encoding", .string, isRequired: false),
  ])

  private static let cache = HARSchema.object([
    HARField("beforeRequest", .anyObject, isRequired: false), HARField("afterRequest", .anyObject, isRequired: false),
  ])

  private static let timings = HARSchema.object([
    HARField("blocked", .number, isRequired: false), HARField("dns", .number, isRequired: false),
    HARField("connect", .number, isRequired: false), HARField("send", .duration), HARField("wait", .duration),
    HARField("receive", .duration), HARField("ssl", .number, isRequired: false),
  ])
}

struct HARField: Sendable {
  let name: String
  let schema: HARSchema
  let isRequired: Bool

  init(_ name: String, _ schema: HARSchema, isRequired: Bool = true) {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
  }
}
