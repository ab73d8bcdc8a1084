import Foundation
import StubKit

extension StubResponse {
  /// OHHTTPStubs' form of `StubResponse.delay(_:)` and `StubResponse.bodyDuration(_:)` in one.
  ///
  /// ```swift
  /// fixture(filePath: path)
  ///   .requestTime(1, responseTime: OHHTTPStubsDownloadSpeed3G)
  /// ```
  ///
  /// - Parameters:
  ///   - requestTime: The seconds before the response begins. One below -1 fails the request.
  ///   - responseTime: The seconds over which the body is spread. A negative number is a speed in kilobytes (1,000
  ///     bytes) per second.
  public func requestTime(_ requestTime: TimeInterval, responseTime: TimeInterval) -> StubResponse {
    beginning(after: requestTime).responseTime(responseTime)
  }

  /// The seconds before the response begins. One below -1 fails the request.
  ///
  /// ```swift
  /// let response = HTTPStubsResponse(
  ///   jsonObject: [:], statusCode: 200, headers: nil)
  /// response.requestTime = 1
  /// ```
  ///
  /// You can set it for a response in a constant, as in OHHTTPStubs, if it comes from one of OHHTTPStubs' initialisers
  /// or `fixture`. Copies of that response change with it.
  public var requestTime: TimeInterval {
    get { changed.delay / .seconds(1) }
    nonmutating set { change("requestTime") { $0.beginning(after: newValue) } }
  }

  /// The seconds over which the body is spread, as ``requestTime`` is set. A negative number is a speed in kilobytes
  /// (1,000 bytes) per second.
  ///
  /// ```swift
  /// let response = HTTPStubsResponse(
  ///   fileAtPath: path, statusCode: 200, headers: nil)
  /// response.responseTime = OHHTTPStubsDownloadSpeedEDGE
  /// ```
  public var responseTime: TimeInterval {
    get {
      switch changed.pace {
      case .over(let duration): duration / .seconds(1)
      case .bytesPerSecond(let rate): -rate / 1_000
      default: 0
      }
    }
    nonmutating set { change("responseTime") { $0.responseTime(newValue) } }
  }

  /// A response whose times can be set while it is in a constant.
  var changeable: StubResponse { configured { $0.changes = Protected([:]) } }

  private func change(_ name: String, _ change: @escaping @Sendable (StubResponse) -> StubResponse) {
    guard let changes = options?.changes else {
      let sentence =
        "\(name) is set for a response that none of OHHTTPStubs' initialisers created. Write a function instead, such as "
        + ".requestTime(1, responseTime: 0), and use its result."
      if !RunningTest.record(sentence, at: nil) { RunningTest.tell(sentence) }
      return
    }
    changes.withLock { $0[name] = change }
  }

  private func beginning(after requestTime: TimeInterval) -> StubResponse {
    with(time: requestTime) { delay($0) }
  }

  /// Returns the response with a time, which can't be NaN, infinity, or more seconds than a duration can hold.
  private func with(time seconds: TimeInterval, _ change: (Duration) -> StubResponse) -> StubResponse {
    // Duration counts attoseconds in 128 bits, so it ends near 1.7e20 seconds.
    guard seconds.magnitude < 1e20 else { return modified(problem: .invalidTime(seconds)) { _ in } }
    return change(.seconds(seconds))
  }

  /// OHHTTPStubs' form of `StubResponse.bodyDuration(_:)`.
  ///
  /// - Parameter responseTime: The seconds over which the body is spread. A negative number is a speed in kilobytes
  ///   (1,000 bytes) per second. One above -0.001, where arithmetic can end, counts as zero.
  public func responseTime(_ responseTime: TimeInterval) -> StubResponse {
    with(time: responseTime) { duration in
      if responseTime <= -0.001 { return modified { $0.pace = .bytesPerSecond(-responseTime * 1_000) } }
      return bodyDuration(max(.zero, duration))
    }
  }
}

// Speeds of OHHTTPStubs' own names, to be written as a responseTime: minus kilobytes (1,000 bytes) per second.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// 1 kilobyte per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeed1KBPS: TimeInterval = -1
/// 1.5 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeedSLOW: TimeInterval = -1.5
/// GPRS: 56 kilobits, 7 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeedGPRS: TimeInterval = -7
/// EDGE: 128 kilobits, 16 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeedEDGE: TimeInterval = -16
/// 3G: 3,200 kilobits, 400 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeed3G: TimeInterval = -400
/// 3G+: 7,200 kilobits, 900 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeed3GPlus: TimeInterval = -900
/// Wi-Fi: 12,000 kilobits, 1,500 kilobytes per second, for `responseTime`.
public let OHHTTPStubsDownloadSpeedWifi: TimeInterval = -1_500
