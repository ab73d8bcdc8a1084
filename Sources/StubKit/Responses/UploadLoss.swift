import Foundation

/// An upload that is lost before the server has all of it.
struct UploadLoss: Sendable {
  let place: Place
  let error: any Error

  /// Where it is lost.
  enum Place: Equatable, Sendable {
    case bytes(Int)
    /// In the middle, however long the body is.
    case half
  }
}

extension UploadLoss.Place {
  /// Returns how many bytes of a request's body are sent before the loss.
  func sentLength(of length: Int) -> Int {
    switch self {
    case .bytes(let count): min(count, length)
    case .half: length / 2
    }
  }
}

extension StubResponse {
  /// Returns a response to an upload that is lost: a number of bytes of the request's body are sent, and then the
  /// request fails.
  ///
  /// ```swift
  /// HTTPStubs.network = .threeG
  /// stub(
  ///   .post, "https://api.example.com/photos",
  ///   response: .ok.failing(afterUploadedBytes: 50_000))
  /// ```
  ///
  /// The failure takes the place of the response. Until then, the delegate of the session learns of the progress, at
  /// the pace of the uplink and in steps of at most a twentieth of the body and 65,536 bytes, so a test can look at a
  /// progress bar. Of a body that isn't longer, everything is sent, and a request without a body fails at once. StubKit
  /// reads a stream to its end and closes it before the first step. A negative count fails the request.
  ///
  /// On Apple platforms, `URLSession` reports no progress for a request that a stub answers, so only the failure shows,
  /// after the time that these bytes take. Through a `StubServer`, the loss comes after the whole body.
  ///
  /// - Parameters:
  ///   - count: The number of bytes of the request's body that are sent.
  ///   - code: The failure. Defaults to a lost connection.
  public func failing(
    afterUploadedBytes count: Int, with code: URLError.Code = .networkConnectionLost
  ) -> StubResponse {
    failing(afterUploadedBytes: count, with: URLError(code))
  }

  /// Returns a response to an upload that is lost, like ``failing(afterUploadedBytes:with:)-(_,URLError.Code)``, with
  /// any error.
  ///
  /// ```swift
  /// .ok.failing(afterUploadedBytes: 50_000, with: NSError(domain: "Proxy", code: 7))
  /// ```
  ///
  /// The client receives the error as it is: its type, domain, code and `userInfo`.
  public func failing(afterUploadedBytes count: Int, with error: any Error) -> StubResponse {
    losingUpload(at: .bytes(count), with: error, problem: count < 0 ? .negativeUploadLength(count) : nil)
  }

  /// Returns a response to an upload that is lost. See the function of the same name of a response.
  ///
  /// ```swift
  /// stub(
  ///   .post, "https://api.example.com/photos",
  ///   response: .failing(afterUploadedBytes: 50_000))
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of bytes of the request's body that are sent.
  ///   - code: The failure. Defaults to a lost connection.
  public static func failing(
    afterUploadedBytes count: Int, with code: URLError.Code = .networkConnectionLost
  ) -> StubResponse {
    .ok.failing(afterUploadedBytes: count, with: code)
  }

  func losingUpload(
    at place: UploadLoss.Place, with error: any Error, problem: StubResponseError.Reason? = nil
  ) -> StubResponse {
    configured(problem: problem) { $0.uploadLoss = UploadLoss(place: place, error: error) }
  }
}
