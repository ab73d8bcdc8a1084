import Foundation
import StubKit

extension Mock {
  /// Registers the stubs of the mock: one for each method, asked after all that are there already.
  func stubs(in registry: StubRegistry) -> [Stub] {
    data.sorted { $0.key.rawValue < $1.key.rawValue }.map { method, body in
      let stub = registry.add(
        condition(for: method), responder(with: body), priority: fileExtensions == nil ? 0 : -1, isLast: true,
        at: location)
      if completion != nil || fulfillOnCompletion != nil {
        let callbacks = Callbacks(mock: self)
        stub.onFinish { if $0.outcome != .cancelled { callbacks.complete() } }
      }
      return stub
    }
  }

  private func condition(for method: HTTPMethod) -> RequestMatcher {
    let place =
      fileExtensions.map { $0.map(hasPathExtension).reduce(.nothing, ||) }
      ?? .url(url, ignoreQuery ? .ignoreQuery : .full)
    return .isMethod(ofRequest: otherMethod ?? method.rawValue) && place
  }

  private func responder(with body: Data) -> Responder {
    let response = response(with: body)
    guard onRequestHandler != nil || fulfillOnRequest != nil else { return .value(response) }
    let callbacks = Callbacks(mock: self)
    return .closure { request, _ in
      callbacks.receive(request)
      return response
    }
  }

  private func response(with body: Data) -> StubResponse {
    let response: StubResponse
    if let location = body.redirectLocation {
      response = .redirect(to: location.absoluteString)
    } else if let requestError {
      response = .failure(requestError)
    } else {
      response = .data(body, status: statusCode, headers: headers).configured { $0.isVerbatim = true }
    }
    return delay.flatMap(\.duration).map { response.delay($0) } ?? response
  }

  // @unchecked holds because a registered mock never changes. Its callbacks run where Mocker would run them, too: on a
  // thread of their own.
  private struct Callbacks: @unchecked Sendable {
    let mock: Mock

    func receive(_ request: URLRequest) {
      mock.onRequestHandler?.callback(request)
      mock.fulfillOnRequest?()
    }

    func complete() {
      mock.completion?()
      mock.fulfillOnCompletion?()
    }
  }
}

extension Data {
  /// The location of a redirect that is written into the body as a header line.
  fileprivate var redirectLocation: URL? {
    guard let text = String(validUTF8: self),
      let line = text.split(separator: "\n").first(where: { $0.contains("Location:") }),
      let place = line.range(of: "Location:", options: .backwards)
    else { return nil }
    return URL(string: line[place.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension DispatchTimeInterval {
  /// `nil` for never.
  fileprivate var duration: Duration? {
    switch self {
    case .seconds(let count): .seconds(count)
    case .milliseconds(let count): .milliseconds(count)
    case .microseconds(let count): .microseconds(count)
    case .nanoseconds(let count): .nanoseconds(count)
    default: nil
    }
  }
}
