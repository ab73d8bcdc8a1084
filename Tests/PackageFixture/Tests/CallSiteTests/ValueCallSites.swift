import Foundation
import StubKit

func values(id: Int, name: String, user: User, list: [Int]) throws {
  let api = isHost("api.example.com")
  stub(condition: api, response: .json(["id": 42, "name": "Ann", "admin": true, "score": 1.5, "none": nil]))
  stub(condition: api, response: .json([1, "two", 3.0, nil, true, ["deep": [["er": 1]]]]))
  stub(
    condition: api, response: .json(["user": ["tags": ["a", 2, nil]], "next": nil], status: 201, headers: ["A": "x"]))
  stub(condition: api, response: .json(user))
  stub(condition: api, response: .json(list))
  stub(condition: api, response: .json(nil))
  stub(condition: api, response: .json(["name": "\(name) x"]))
  stub(condition: api, response: .stream(AsyncStream<Data> { $0.finish() }))
  stub(condition: api, response: .stream { AsyncThrowingStream<Data, any Error> { $0.finish() } })
  let (json, encoder): (StubJSON, JSONEncoder) = (["a": [1, 2, 3]], JSONEncoder())
  encoder.dateEncodingStrategy = .iso8601
  let network = NetworkConditions(
    latency: .milliseconds(100), jitter: .milliseconds(20), downlink: .kilobitsPerSecond(56), lossRate: 0.1, seed: 7)
  let responses: [StubResponse] = [
    .json(json), .failure(URLError(.notConnectedToInternet)), .failure(AppError.boom),
    .failure(NSError(domain: "d", code: 7)),
    .data(Data(count: 9)).chunked(by: 1024, every: .milliseconds(5)).failing(afterBytes: 4096),
    .failing(afterUploadedBytes: 50_000, with: .networkConnectionLost), .failing(afterUploadedBytes: 0),
    .ok.failing(afterUploadedBytes: 1, with: CancellationError()).network(.edge),
    .text("x").failing(with: .networkConnectionLost), .text("x").failing(with: AppError.boom),
    .fixture("Fixtures/users.json", in: .main, status: 200, headers: [:]),
    .text("x").requestTime(1, responseTime: -56).responseTime(2), .text("x").network(network),
    .events(["one", .init("two", event: "tick", id: "2")], every: .seconds(1)),
    .json(text: #"{"id": 42}"#, status: 201, headers: ["A": "b"]), .noAnswer,
    .json(["id": 42]).flaky(rate: 0.1, seed: 7),
    .json([user, user], encoder: encoder, status: 201, headers: ["A": "b"]),
    .pieces(["a", "b"].map { Data($0.utf8) }, status: 206, headers: ["A": "b"]),
    .basicChallenge(realm: name, headers: ["A": "b"]).delay(.seconds(1)),
    .file("/fixtures/film.mp4").conditional(etag: "v1").acceptingRanges(),
    .json(user).conditional(etag: "W/\"v1\"", lastModified: .init()).status(201),
    .json(user).suffering(.named("lost in mid-body")), .json(user).suffering(.once(.named("no network"))),
  ]
  stub(condition: api, responses: responses)
  stub(condition: api, responses: [.status(503), .passThrough])
  // Never called, because each of them registers at its line again.
  func faults() {
    for fault in NetworkFault.all + NetworkFault.ofConnection.map(NetworkFault.once) {
      stub(condition: api, response: .json(user).suffering(fault), name: "\(fault)")
      stub(condition: api) { _ in .json(text: "{}").suffering(fault) }
    }
    let faults: Set = Set(NetworkFault.all(for: .json(user)))
    stub(condition: api, responses: (faults.subtracting(NetworkFault.ofTime)).map { .json(user).suffering($0) })
  }
  stub(condition: api) { request in request.httpMethod == "GET" ? .passThrough : .status(405) }
}
