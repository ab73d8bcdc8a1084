import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitOHHTTPStubs

@Suite("A response in OHHTTPStubs' words", .inTurn)
struct OHHTTPStubsResponseTests {
  /// From users.json, by each call that takes a file.
  private static var fromFiles: [HTTPStubsResponse] {
    get throws {
      let path = try #require(Bundle.module.resourceURL?.appendingPathComponent("Fixtures/users.json").path)
      return [
        HTTPStubsResponse(fileAtPath: path, statusCode: 200, headers: nil),
        HTTPStubsResponse(fileURL: URL(fileURLWithPath: path), statusCode: 200, headers: nil),
        fixture(filePath: path, status: Int32(200), headers: nil),
        fixture(filePath: path, headers: ["A" as NSObject: "b" as AnyObject]),
      ]
    }
  }

  @Test("takes data, a status and headers of any type")
  func data() throws {
    let response = HTTPStubsResponse(
      data: Data("x".utf8), statusCode: Int32(201),
      headers: ["Content-Type": "text/plain", "N": 1, NSString(string: "S"): NSString(string: "t")])
    #expect(response.status == 201)
    #expect(response.headers.joined == ["Content-Type": "text/plain", "N": "1", "S": "t"])
    #expect(try response.body.load() == Data("x".utf8))
    #expect(HTTPStubsResponse(data: Data(), statusCode: UInt8(200), headers: nil).headers.joined.isEmpty)
    #expect(HTTPStubsResponse(data: Data(), statusCode: UInt64.max, headers: nil).problem == .invalidStatus(.max))
  }

  @Test("takes a JSON object")
  func jsonObject() throws {
    let nested =
      ["key1": "value1", "key2": ["value2A", 1, 1.5, true, NSNull(), NSNumber(value: false)]] as [String: Any]
    let cases: [(Any, String)] = [
      (["a": 1], #"{"a":1}"#), (nested, #"{"key1":"value1","key2":["value2A",1,1.5,true,null,false]}"#),
      ([1, "x"] as [Any], #"[1,"x"]"#), ([String: Any](), "{}"), ("text", #""text""#), (NSNull(), "null"),
      (Int64.max, "9223372036854775807"), (["u": UInt64.max], #"{"u":18446744073709551615}"#), ("a/é", #""a/é""#),
    ]
    for (object, expected) in cases {
      let response = HTTPStubsResponse(jsonObject: object, statusCode: 200, headers: nil)
      #expect(response.problem == nil, "\(expected)")
      #expect(try response.body.load().text == expected)
      #expect(response.headers["Content-Type"] == "application/json", "\(expected)")
    }
  }

  @Test("has the type that is passed with a JSON object")
  func typeOfJSON() {
    let typed = HTTPStubsResponse(jsonObject: ["a": 1], statusCode: 200, headers: ["content-type": "x/y"])
    #expect(typed.headers.joined == ["content-type": "x/y"])
  }

  @Test("has an error for the request in place of an object that is no JSON")
  func noJSON() throws {
    struct Opaque {}
    for object in [["when": Date()], Opaque(), [Double.nan], [1: "a"], ["a": ["b": Opaque()]], Data([1])] as [Any] {
      let response = HTTPStubsResponse(jsonObject: object, statusCode: 200, headers: nil)
      #expect(
        response.problem?.description.contains("can't be encoded as JSON: it can contain only") == true, "\(object)")
      #expect(try response.body.load().isEmpty, "\(object)")
    }
  }

  @Test("takes files and errors")
  func filesAndErrors() throws {
    let responses = try Self.fromFiles
    #expect(try responses.map { try StubJSON(parsing: $0.body.load())[1]?["name"] } == ["Bo", "Bo", "Bo", "Bo"])
    #expect(responses.map { $0.headers["Content-Type"] } == Array(repeating: "application/json", count: 4))
    #expect(responses.map { $0.headers["A"] } == [nil, nil, nil, "b"])
    let error = HTTPStubsResponse(error: NSError(domain: "d", code: 7)).failure as NSError?
    #expect(error?.domain == "d" && error?.code == 7)
  }

  @Test(
    "takes its times in seconds, or as a speed",
    arguments: [
      // A negative time is a speed in kilobytes per second.
      (0, 0, .zero, .over(.zero)), (1, 0, .seconds(1), .over(.zero)), (1, 5, .seconds(1), .over(.seconds(5))),
      (0.25, 5.75, .milliseconds(250), .over(.milliseconds(5750))), (1, -56, .seconds(1), .bytesPerSecond(56_000)),
      (0, OHHTTPStubsDownloadSpeed1KBPS, .zero, .bytesPerSecond(1_000)),
      (0, OHHTTPStubsDownloadSpeedSLOW, .zero, .bytesPerSecond(1_500)),
      (0, OHHTTPStubsDownloadSpeedGPRS, .zero, .bytesPerSecond(7_000)),
      (0, OHHTTPStubsDownloadSpeedEDGE, .zero, .bytesPerSecond(16_000)),
      (0, OHHTTPStubsDownloadSpeed3G, .zero, .bytesPerSecond(400_000)),
      (0, OHHTTPStubsDownloadSpeed3GPlus, .zero, .bytesPerSecond(900_000)),
      (0, OHHTTPStubsDownloadSpeedWifi, .zero, .bytesPerSecond(1_500_000)),
    ] as [(TimeInterval, TimeInterval, Duration, BodyPace)])
  func times(requestTime: TimeInterval, responseTime: TimeInterval, delay: Duration, pace: BodyPace) {
    let response = StubResponse.text("x").requestTime(requestTime, responseTime: responseTime)
    #expect(response.delay == delay)
    #expect(response.pace == pace)
    #expect(response.problem == nil)
    #expect(StubResponse.text("x").responseTime(responseTime).pace == pace)
  }

  @Test("fails for a time that is negative, infinite, too long or no number")
  func invalidTimes() {
    let response = StubResponse.text("x")
    #expect(response.requestTime(-2, responseTime: 0).problem == .negativeDuration(.seconds(-2)))
    // Arithmetic can end here, so it counts as zero.
    #expect(response.requestTime(-1e-6, responseTime: -1e-6).problem == nil)
    #expect(response.requestTime(.infinity, responseTime: 0).problem == .invalidTime(.infinity))
    #expect(response.responseTime(-.infinity).problem == .invalidTime(-.infinity))
    #expect(response.responseTime(1e300).problem == .invalidTime(1e300))
    #expect(response.requestTime(.nan, responseTime: 0).problem?.description.contains("nan seconds") == true)
  }

  private static func responses() throws -> [HTTPStubsResponse] {
    try [
      HTTPStubsResponse(), HTTPStubsResponse(data: Data("x".utf8), statusCode: 200, headers: nil),
      HTTPStubsResponse(jsonObject: [1], statusCode: 200, headers: nil),
    ] + fromFiles
  }

  @Test("has times that are zero, and can be set although it is in a let constant")
  func settableTimes() throws {
    for response in try Self.responses() {
      #expect([response.requestTime, response.responseTime] == [0, 0])
      response.requestTime = 1.5
      for time in [OHHTTPStubsDownloadSpeedEDGE, 2] {
        response.responseTime = time
        #expect([response.requestTime, response.responseTime] == [1.5, time])
      }
    }
    #expect(StubResponse.text("x").requestTime(1, responseTime: 3).responseTime == 3)
  }

  @Test("takes its request time and its response time, one after the other")
  func playedTimes() async throws {
    for response in try Self.responses() {
      (response.requestTime, response.responseTime) = (1.5, 2)
      // Its reports would be about the threads of other tests.
      let clock = ManualClock(patience: .seconds(60)) { _ in }
      try await withStubs(in: StubRegistry(clock: clock)) {
        stub(condition: .anything) { _ in response }
        _ = try await clock.run { try await URLSession.shared.data(from: url("http://a.example/")) }
      }
      #expect(clock.elapsed == .milliseconds(1_500 + 2_000))
    }
  }

  @Test("fails its request if its time is set to a negative one")
  func negativeTime() async {
    let response = HTTPStubsResponse()
    response.requestTime = -2
    await withStubs {
      stub(condition: .anything) { _ in response }
      await #expect(throws: StubResponseError.self) {
        try await URLSession.shared.data(from: url("http://a.example/"))
      }
    }
  }

  @Test("prints a note if a time is set that has no effect", .startsProcess)
  func unsettableTimes() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      StubResponse.text("x").responseTime = 1
    }
    let text = (result?.standardErrorContent ?? []).text
    #expect(
      text.hasPrefix("StubKit: responseTime is set for a response that none of OHHTTPStubs' initialisers created."))
  }

}

extension ResponseBody {
  /// Returns all bytes, as a request would receive them.
  func load() throws -> Data {
    let body = try opened(by: nil).get()
    return try body.piece(0..<body.count)
  }
}
