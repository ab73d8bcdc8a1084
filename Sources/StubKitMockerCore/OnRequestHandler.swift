import Foundation
import StubKit

/// A callback that receives the requests of a mock, and the body in one of several forms.
public struct OnRequestHandler {
  /// A callback with a request and its decoded body, or `nil` if there is none or it can't be decoded.
  public typealias OnRequest<HTTPBody> = (_ request: URLRequest, _ httpBody: HTTPBody?) -> Void

  let callback: (URLRequest) -> Void
  let legacyCallback: Mock.OnRequest?

  /// Creates a handler that decodes the body.
  public init<HTTPBody: Decodable>(httpBodyType: HTTPBody.Type?, callback: @escaping OnRequest<HTTPBody>) {
    self.init(httpBodyType: httpBodyType, jsonDecoder: JSONDecoder(), callback: callback)
  }

  /// Creates a handler that decodes the body with a decoder.
  ///
  /// - Parameters:
  ///   - httpBodyType: The type of the body.
  ///   - jsonDecoder: The decoder. ``init(httpBodyType:callback:)`` uses one with default strategies.
  ///   - callback: Receives the request and its body, or `nil` if there is none or it can't be decoded.
  public init<HTTPBody: Decodable>(
    httpBodyType: HTTPBody.Type?, jsonDecoder: JSONDecoder, callback: @escaping OnRequest<HTTPBody>
  ) {
    self.init { request in
      callback(request, request.stubBody.flatMap { try? jsonDecoder.decode(HTTPBody.self, from: $0) })
    }
  }

  /// Creates a handler that receives the request.
  public init(requestCallback: @escaping (_ request: URLRequest) -> Void) { self.init(requestCallback, legacy: nil) }

  /// Creates a handler that receives nothing.
  public init(callback: @escaping () -> Void) { self.init(requestCallback: { _ in callback() }) }

  /// Creates a handler that receives the JSON object in the body.
  public init(jsonDictionaryCallback: @escaping ((_ request: URLRequest, _ httpBodyArguments: [String: Any]?) -> Void))
  {
    self.init(requestCallback: { jsonDictionaryCallback($0, $0.jsonObject as? [String: Any]) })
  }

  /// Creates a handler that receives the JSON array of objects in the body.
  public init(jsonArrayCallback: @escaping ((_ request: URLRequest, _ httpBodyArguments: [[String: Any]]?) -> Void)) {
    self.init(requestCallback: { jsonArrayCallback($0, $0.jsonObject as? [[String: Any]]) })
  }

  init(legacyCallback: @escaping Mock.OnRequest) {
    self.init({ legacyCallback($0, $0.jsonObject as? [String: Any]) }, legacy: legacyCallback)
  }

  private init(_ callback: @escaping (URLRequest) -> Void, legacy: Mock.OnRequest?) {
    self.callback = callback
    legacyCallback = legacy
  }
}

extension URLRequest {
  fileprivate var jsonObject: Any? {
    stubBody.flatMap { try? JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
  }
}
