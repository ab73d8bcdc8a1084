import Foundation

extension StubResponse {
  /// A response that the test sends itself, piece by piece.
  ///
  /// ```swift
  /// let upload = stub(condition: isPath("/films"), response: .controlled)
  /// model.load()
  /// let call = try await upload.nextCall()
  /// #expect(model.showsSpinner)
  /// call.respond(headers: ["Content-Type": "text/plain"])
  /// call.send(Data("first ".utf8))
  /// call.fail(URLError(.networkConnectionLost))
  /// ```
  ///
  /// Each request waits until the test takes its call with ``Stub/nextCall(within:)`` and answers it. Modifiers such as
  /// ``delay(_:)`` and ``chunked(by:every:)`` apply to what the test sends. A request that is held for as long as its
  /// `timeoutInterval` fails with `URLError.timedOut`, and one that is held when its scope ends fails with
  /// ``StubScopeEndedError``. A call that nobody takes is an issue of its test.
  public static var controlled: StubResponse { empty(status: 200).under { $0.isControlled = true } }

  var isControlled: Bool { circumstances?.isControlled == true }

  /// Returns the response with a status, headers and chunks that the test sends.
  func sending(_ status: Int, _ headers: [String: String], _ chunks: AsyncThrowingStream<Data, any Error>)
    -> StubResponse
  {
    var response = StubResponse.stream(chunks, status: status, headers: headers)
    response.takeModifiers(of: self)
    return response
  }

  /// Returns a failure with the modifiers of the response.
  func failing(with error: any Error) -> StubResponse {
    var response = StubResponse.failure(error)
    response.takeModifiers(of: self)
    return response
  }

  private mutating func takeModifiers(of response: StubResponse) {
    (delay, pace, pieceLength, interruption) =
      (response.delay, response.pace, response.pieceLength, response.interruption)
    circumstances = response.circumstances
    circumstances?.isControlled = false
  }
}
