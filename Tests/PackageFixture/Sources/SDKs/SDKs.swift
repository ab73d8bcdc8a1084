// Public names of SDKs that apps import beside StubKit, each as the SDK has it: a type or another name of one.

// ApolloAPI

/// A value of JSON in Apollo's generated code.
public typealias JSONValue = any Hashable & Sendable
/// An object of JSON in Apollo's generated code.
public typealias JSONObject = [String: JSONValue]

// OpenAPIRuntime

/// An event of a stream in OpenAPI's generated clients.
public struct ServerSentEvent: Sendable, Hashable {
  /// The data of the event.
  public var data: String?

  /// Creates an event.
  public init(data: String? = nil) { self.data = data }
}

// SwiftyJSON

/// A value of JSON.
public struct JSON: Sendable, Equatable {
  /// The text.
  public let stringValue: String

  /// Creates a text.
  public init(_ text: String) { stringValue = text }
}

// SDKs for analytics

/// What happened in an app.
public struct Event: Sendable, Equatable {
  /// The name.
  public let name: String

  /// Creates an event.
  public init(name: String) { self.name = name }
}

// Alamofire

/// The method of a request.
public struct HTTPMethod: Sendable, Hashable {
  /// The name.
  public let rawValue: String

  /// GET.
  public static let get = HTTPMethod(rawValue: "GET")
}

// SDKs that Fern generates

/// The address of an API.
public struct APIClient: Sendable {
  /// The headers of each request.
  public var headers: [String: String] = [:]
  /// A value that the API takes.
  public var tags: JSONObject = [:]

  /// Creates a client.
  public init() {}
}
