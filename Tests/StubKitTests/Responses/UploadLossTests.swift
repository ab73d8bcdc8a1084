import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("An upload that is lost", .inTurn, .enabled(if: !PlainMode.isOn))
struct UploadLossTests {
  private static let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

  /// What a delegate is told of a request with a body, and of its stream.
  private func told(
    by place: Place, _ response: StubResponse, body given: Data? = nil, stream: InputStream? = nil
  ) async throws -> [String] {
    let body = given ?? Self.body
    // The test leaves it to the task.
    nonisolated(unsafe) let stream = stream ?? InputStream(data: body)
    let events = TransferEvents(stream: stream)
    return try await withStubs {
      stub(condition: .anything, response: response)
      var request = request("http://a.example/photos", method: "POST", timeout: 3_600)
      let session = events.session()
      switch place {
      case .data:
        request.httpBody = body
        return try await events.told { _ in session.dataTask(with: request) }
      case .stream:
        request.httpBodyStream = stream
        return try await events.told { _ in session.dataTask(with: request) }
      case .upload: return try await events.told { _ in session.uploadTask(with: request, from: body) }
      case .streamed: return try await events.told { _ in session.uploadTask(withStreamedRequest: request) }
      case .download:
        request.httpBody = body
        return try await events.told { _ in session.downloadTask(with: request) }
      }
    }
  }

  enum Place: CaseIterable { case data, stream, upload, streamed, download }

  @Test("sends so many bytes, and then fails", arguments: Place.allCases)
  func progress(place: Place) async throws {
    let told = try await told(by: place, .failing(afterUploadedBytes: 50_000))
    let sent = told.filter { $0.hasPrefix("sent ") }.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(sent.last?[1] == 50_000, "\(told)")
    // A twentieth of the body.
    #expect(sent.map { $0[0] } == [10_000, 10_000, 10_000, 10_000, 10_000], "\(told)")
    #expect(told.last == "error \(URLError.Code.networkConnectionLost.rawValue)")
    #expect(told.count == sent.count + 1)
  }

  @Test("closes the stream of the body")
  func stream() async throws {
    let stream = InputStream(data: Self.body)
    _ = try await told(by: .stream, .failing(afterUploadedBytes: 1), stream: stream)
    #expect(stream.streamStatus == .closed)
  }

  /// The response, the number of bytes that are sent of 200,000, and the code of the error.
  static let responses: [(StubResponse, Int, URLError.Code)] = [
    (.failing(afterUploadedBytes: 0), 0, .networkConnectionLost),
    (.failing(afterUploadedBytes: 1), 1, .networkConnectionLost),
    (.failing(afterUploadedBytes: 10_001, with: .timedOut), 10_001, .timedOut),
    (.failing(afterUploadedBytes: 200_000), 200_000, .networkConnectionLost),
    (.failing(afterUploadedBytes: .max), 200_000, .networkConnectionLost),
    // It takes the place of the response, also of a failure and of a stream, with an error before the server, too.
    (
      .failure(.cannotFindHost).failing(afterUploadedBytes: 7, with: .notConnectedToInternet), 7,
      .notConnectedToInternet
    ),
    (.stream { AsyncStream<Data> { _ in } }.failing(afterUploadedBytes: 7), 7, .networkConnectionLost),
    (.noAnswer.failing(afterUploadedBytes: 7), 7, .networkConnectionLost),
    (.ok.suffering(.named("lost in mid-upload")), 100_000, .networkConnectionLost),
    (.ok.failing(afterUploadedBytes: 5).suffering(.named("lost in mid-upload")), 100_000, .networkConnectionLost),
    // Without a network, nothing is sent.
    (.failing(afterUploadedBytes: 7).network(.offline), 0, .notConnectedToInternet),
    (.failing(afterUploadedBytes: 7).flaky(rate: 1, with: .cannotFindHost), 0, .cannotFindHost),
  ]

  @Test("ends with its error after its last byte, whatever the response is", arguments: responses.indices)
  func ending(number: Int) async throws {
    let (response, length, code) = Self.responses[number]
    let told = try await told(by: .upload, response)
    let sent = told.last { $0.hasPrefix("sent ") }.map { $0.split(separator: " ").compactMap { Int($0) }[1] }
    #expect(sent ?? 0 == length, "\(told)")
    #expect(told.last == "error \(code.rawValue)", "\(told)")
  }

  @Test("shows no progress to a completion handler, and fails it with any error as it is")
  func handler() async {
    struct Own: Error {}
    await withStubs {
      stub(condition: .anything, response: .ok.failing(afterUploadedBytes: 50, with: Own()))
      let post = request("http://a.example/photos", method: "POST")
      let error = await #expect(throws: (any Error).self) {
        try await URLSession.patient.upload(for: post, from: Self.body)
      }
      #expect(error is Own)
      // A request without a body fails at once.
      #expect(await URLSession.patient.failure(of: "http://a.example/") is Own)
    }
  }

  @Test("takes the time that its bytes take on the uplink")
  func pace() async {
    let clock = ManualClock()
    await withStubs {
      HTTPStubs.clock = clock
      HTTPStubs.network = NetworkConditions(latency: .milliseconds(100), uplink: .kilobytesPerSecond(10))
      stub(condition: .anything, response: .failing(afterUploadedBytes: 50_000))
      let post = request("http://a.example/photos", method: "POST")
      await clock.run { _ = try? await URLSession.patient.upload(for: post, from: Self.body) }
      #expect(clock.elapsed == .milliseconds(5_100))
    }
  }

  @Test("is a mistake with a negative number of bytes, whose cure fails before the first byte")
  func mistake() async {
    await withStubs {
      stub(condition: .anything, response: .failing(afterUploadedBytes: -1))
      let error = await URLSession.patient.failure(of: "http://a.example/")
      let text = "loses the upload after -1 bytes, which is negative. To fail before the first byte, write "
      #expect("\(error as Any)".contains(text + ".failing(afterUploadedBytes: 0)."), "\(error as Any)")
    }
    #expect(StubResponse.failing(afterUploadedBytes: 0).problem == nil)
  }

  @Test("prints where it is lost")
  func description() {
    #expect("\(StubResponse.failing(afterUploadedBytes: 1))".hasPrefix("failure after 1 byte of the upload: "))
    #expect("\(StubResponse.failing(afterUploadedBytes: 7))".hasPrefix("failure after 7 bytes of the upload: "))
  }

  /// The length of a body, and that of the largest step.
  static let steps = [(1, 1), (19, 1), (40, 2), (200_000, 10_000), (10_000_000, 65_536)]

  @Test("is one of uploads whose progress comes in steps of at most a twentieth and 65,536 bytes", arguments: steps)
  func largestStep(length: Int, longest: Int) async throws {
    let body = Data(count: length)
    let told = try await told(by: .upload, .ok, body: body)
    let sent = told.filter { $0.hasPrefix("sent ") }.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(sent.map { $0[0] }.max() == longest, "\(sent.prefix(3))")
    #expect(sent.last?[1] == length && sent.map { $0[0] }.reduce(0, +) == length)
  }
}
