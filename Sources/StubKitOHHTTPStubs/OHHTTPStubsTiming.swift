import Foundation
import StubKit

extension StubResponse {
  /// OHHTTPStubs' form of ``/StubKit/StubResponse/delay(_:)`` and ``/StubKit/StubResponse/bodyDuration(_:)`` in one.
  ///
  /// ```swift
  /// fixture(filePath: path)
  ///   .requestTime(1, responseTime: OHHTTPStubsDownloadSpeed3G)
  /// ```
  ///
  /// - Parameters:
  ///   - requestTime: The seconds before the response begins. A negative number fails the request.
  ///   - responseTime: The seconds over which the body is spread. A negative number is a speed in kilobytes (1,000
  ///     bytes) per second.
  public func requestTime(_ requestTime: TimeInterval, responseTime: TimeInterval) -> StubResponse {
    guard let duration = Duration(timeInterval: requestTime) else {
      return modified(problem: .invalidTime(requestTime)) { _ in }.responseTime(responseTime)
    }
    return delay(duration).responseTime(responseTime)
  }

  /// OHHTTPStubs' form of ``/StubKit/StubResponse/bodyDuration(_:)``.
  ///
  /// - Parameter responseTime: The seconds over which the body is spread. A negative number is a speed in kilobytes
  ///   (1,000 bytes) per second.
  public func responseTime(_ responseTime: TimeInterval) -> StubResponse {
    guard let duration = Duration(timeInterval: responseTime) else {
      return modified(problem: .invalidTime(responseTime)) { _ in }
    }
    if responseTime < 0 {
      // With less, a large body would take more seconds than a duration can hold.
      guard responseTime <= -1e-9 else { return modified(problem: .invalidTime(responseTime)) { _ in } }
      return paced(bytesPerSecond: -responseTime * 1_000)
    }
    return bodyDuration(duration)
  }
}

extension Duration {
  /// Returns `nil` for a number that is not a time: NaN, infinity, or more seconds than a duration can hold.
  fileprivate init?(timeInterval seconds: TimeInterval) {
    // Duration counts attoseconds in 128 bits, so it ends near 1.7e20 seconds.
    guard seconds.magnitude < 1e20 else { return nil }
    self = .seconds(seconds)
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
