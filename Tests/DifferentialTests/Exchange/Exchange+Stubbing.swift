import Foundation
import StubKit
import TestSupport
import Testing

extension Exchange {
  /// Registers in the current scope what a server would answer on that port.
  ///
  /// - Parameters:
  ///   - arrival: Opened when a request has come, if the client interferes: only then is there a closure that could
  ///     tell.
  ///   - release: What held answers wait for.
  func stub(onPort port: UInt16, arrival: Latch?, release: Latch) {
    let isHere = isHost("127.0.0.1") && isPort(Int(port))
    if isRefused { StubKit.stub(condition: isHere, response: .failure(.cannotConnectToHost)) }
    // The newest stub wins, and the first route.
    for route in routes.reversed() {
      let condition = isHere && isPath(route.path) && route.matcher
      let answer = route.answer
      if arrival == nil && !answer.isHeld {
        StubKit.stub(condition: condition, response: answer.response, times: route.times)
      } else {
        StubKit.stub(condition: condition, times: route.times) { _ in
          if let arrival, case .silentFromStart = answer.ending { return answer.silentResponse(opening: arrival) }
          arrival?.open()
          if answer.isHeld { _ = await release.isOpened(within: Conversation.longestTime) }
          return answer.response
        }
      }
    }
  }
}

extension Route {
  fileprivate var matcher: RequestMatcher {
    switch condition {
    case .always, .first: .anything
    case .header(let name, let value): hasHeader(name, value)
    }
  }

  fileprivate var times: Int? { if case .first(let count) = condition { count } else { nil } }
}

extension Answer {
  /// What a stub answers for it.
  fileprivate var response: StubResponse {
    if let stubbed { return stubbed }
    var response = StubResponse.data(wholeBody, status: status)
    for (name, value) in headers { response = response.addingHeader(name, value) }
    // What tells a stub not to add a length; the client's side of the transport shows neither.
    if framing != .length { response = response.header("Transfer-Encoding", "chunked") }
    if let declaredLength { response = response.header("Content-Length", "\(declaredLength)") }
    if pause > 0 { response = response.delay(.seconds(pause)) }
    if body.count > 1 {
      let pieceLength = (wholeBody.count + body.count - 1) / body.count
      response = response.chunked(by: pieceLength, every: .seconds(interval))
    }
    switch ending {
    case .complete: return response
    case .droppedAfter(let count): return response.failing(afterBytes: count, with: .unknown)
    case .resetAfter(let count): return response.failing(afterBytes: count, with: .networkConnectionLost)
    case .droppedBeforeHead: return .failure(.badServerResponse)
    case .silentAfter(let count): return response.chunked(by: count, every: Self.never)
    case .silentFromStart: return response.delay(Self.never)
    }
  }

  /// Returns a response of which nothing comes, and which opens a latch once the request's body has been sent.
  fileprivate func silentResponse(opening latch: Latch) -> StubResponse {
    let gate = ResponseGate()
    Task { [weak gate] in
      try await until("the request has been sent") { gate?.waitingCount != 0 }
      latch.open()
    }
    return response.delay(.zero).held(by: gate)
  }

  private static let never = Duration.seconds(3_600)
}
