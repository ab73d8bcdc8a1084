import Foundation
import StubKit

/// An entry as it stands in a file, whichever tool wrote it. Members that StubKit doesn't need are left out.
struct EntryInFile: Decodable {
  struct Request: Decodable {
    var method: String
    var url: String
    var headers: [Pair]?
    @Lenient var postData: Body?
    @Lenient var bodySize: Int?
  }

  struct Response: Decodable {
    var status: Scalar?
    var headers: [Pair]?
    @Lenient var content: Body?
    @Lenient var bodySize: Int?
    /// The text of a browser for a failed request.
    @Lenient var _error: String?
    @Lenient var _failureText: String?
    @Lenient var _redirectedTo: String?
    @Lenient var _charlesStatus: String?
  }

  /// A header, or an item of a query or a form.
  struct Pair: Decodable {
    @Lenient var name: String?
    var value: Scalar?
    /// The name of the uploaded file, in a field of a multipart form.
    @Lenient var fileName: String?
    @Lenient var contentType: String?
  }

  /// The `postData` of a request or the `content` of a response.
  struct Body: Decodable {
    @Lenient var mimeType: String?
    @Lenient var text: String?
    @Lenient var encoding: String?
    /// The encoding in a request, where HAR 1.2 has none.
    @Lenient var ownEncoding: String?
    /// The name of the file that contains the bytes.
    @Lenient var _file: String?
    @Lenient var size: Int?
    @Lenient var ownSize: Int?
    @Lenient var compression: Double?
    @Lenient var params: [Pair]?
    @Lenient var _pieces: [Piece]?
    /// The bytes, once they are decoded, if the encoding is known.
    var data: Data?
    /// Why the bytes of the file weren't read, as the end of a sentence that begins with the entry.
    var problem: String?

    private enum CodingKeys: String, CodingKey {
      case mimeType, text, encoding, _file, size, compression, params, _pieces
      case ownEncoding = "_encoding"
      case ownSize = "_size"
    }
  }

  struct Piece: Decodable {
    @Lenient var end: Int?
    @Lenient var time: Double?
  }

  struct Timings: Decodable {
    @Lenient var blocked: Double?
    @Lenient var dns: Double?
    /// Connecting includes TLS.
    @Lenient var connect: Double?
    @Lenient var send: Double?
    @Lenient var wait: Double?
    @Lenient var receive: Double?
    /// The time to the response if the others don't say it, or -1 if it is unknown.
    @Lenient var _timeToResponse: Double?
  }

  struct Failure: Decodable {
    @Lenient var domain: String?
    @Lenient var code: Double?
    @Lenient var description: String?
  }

  @Lenient var startedDateTime: String?
  @Lenient var time: Double?
  var request: Request
  var response: Response?
  @Lenient var timings: Timings?
  @Lenient var _resourceType: String?
  @Lenient var _webSocketMessages: [Scalar]?
  @Lenient var _error: Failure?
  @Lenient var _obstacle: String?
  @Lenient var _stub: String?
  @Lenient var _redacted: [String]?
  /// The tool that added the entry to an archive of another one.
  @Lenient var _creator: String?
}

extension EntryInFile {
  var requestHeaders: [Pair] { request.headers ?? [] }
  var responseHeaders: [Pair] {
    get { response?.headers ?? [] }
    set { response?.headers = newValue }
  }
  var content: Body {
    get { response?.content ?? Body() }
    set { response?.content = newValue }
  }
  /// The status, or `nil` if there is none, or a text or a number that can't be one.
  var status: Int? {
    guard let text = response?.status?.text, let status = Int(text), 0...999 ~= status else { return nil }
    return status
  }

  /// What is taken at its obvious meaning although it isn't as HAR 1.2 requires, as sentences.
  var problems: [String] {
    var problems = Self.problems("request.headers", requestHeaders)
    if response?.status?.isString == true {
      problems.append("\"response.status\" is a string. HAR 1.2 requires a number.")
    } else if status == nil, let text = response?.status?.text {
      problems.append("\"response.status\" is \(text.prefix(40)), which is no status.")
    }
    return problems + Self.problems("response.headers", responseHeaders)
  }

  private static func problems(_ place: String, _ headers: [Pair]) -> [String] {
    headers.enumerated().compactMap { index, header in
      if header.name?.isEmpty ?? true { return "\"\(place)[\(index)]\" has no name, and was left out." }
      guard let value = header.value, !value.isString else { return nil }
      return "\"\(place)[\(index)].value\" is not a string. HAR 1.2 requires one."
    }
  }
}

// MARK: Members of a wrong type

/// A member that counts as missing if it has another type than HAR 1.2 requires.
@propertyWrapper
struct Lenient<Value: Decodable>: Decodable {
  var wrappedValue: Value?

  init(wrappedValue: Value? = nil) { self.wrappedValue = wrappedValue }
}

extension KeyedDecodingContainer {
  func decode<Value>(_: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
    Lenient(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
  }

  // In a debug build, the generic one costs 5 % of reading an archive.
  func decode(_: Lenient<String>.Type, forKey key: Key) throws -> Lenient<String> {
    Lenient(wrappedValue: try? decodeIfPresent(String.self, forKey: key))
  }

  /// Decodes a size. A negative number means an unknown one. The largest is 4 TB, so that the sum of a million sizes is
  /// far from an overflow.
  func decode(_: Lenient<Int>.Type, forKey key: Key) throws -> Lenient<Int> {
    let number = (try? decodeIfPresent(Double.self, forKey: key)) ?? -1
    return Lenient(wrappedValue: number >= 0 ? Int(exactly: min(number, 0x1p42)) : nil)
  }
}

extension EntryInFile {
  /// A value that tools write as a string, a number, or a Boolean value.
  struct Scalar: Decodable {
    /// The text, or `nil` for an array or an object.
    var text: String?
    var isString = true

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text = try? value.decode(String.self)
      guard text == nil else { return }
      isString = false
      if let other = try? StubJSON(from: decoder), !other.isContainer, other != .null { text = "\(other)" }
    }
  }
}
