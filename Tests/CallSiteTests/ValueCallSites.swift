import Foundation
import StubKit

func values(id: Int, name: String, user: User, list: [Int]) throws {
  let api = isHost("api.example.com")
  stub(condition: api, response: .json(["id": 42, "name": "Ann", "admin": true, "score": 1.5, "none": nil]))
  stub(condition: api, response: .json([1, "two", 3.0, nil, true, ["deep": [["er": 1]]]]))
  stub(
    condition: api,
    response: .json(
      ["user": ["id": 1, "tags": ["a", 2, nil]], "page": ["next": nil]], status: 201, headers: ["ETag": "x"]))
  stub(condition: api, response: .json(user))
  stub(condition: api, response: .json(["id": id]))
  stub(condition: api, response: .json(list))
  stub(condition: api, response: .json(nil))
  stub(condition: api, response: .json(["name": "\(name) x"]))
  let json: JSONValue = ["a": [1, 2, 3]]
  stub(condition: api, response: .json(json))
  stub(condition: api, response: .failure(URLError(.notConnectedToInternet)))
  stub(condition: api, response: .failure(AppError.boom))
  stub(condition: api, response: .failure(NSError(domain: "d", code: 7)))
  stub(
    condition: api,
    response: .data(Data(count: 1_000_000)).chunked(by: 1024, every: .milliseconds(5)).failing(afterBytes: 4096))
  stub(
    condition: api,
    response: fixture(named: "users.json", in: .main, subdirectory: "Fixtures", status: 200, headers: [:]))
  stub(condition: api, response: .text("x").requestTime(1, responseTime: -56).responseTime(2))
  stub(condition: api, response: .json(["id": 42]).delay(.milliseconds(300)).header("X-A", "b").network(.edge))
  stub(condition: api, response: .stream(AsyncStream<Data> { $0.finish() }))
  stub(condition: api, response: .stream { AsyncThrowingStream<Data, any Error> { $0.finish() } })
  stub(condition: api, response: .events(["one", .init("two", event: "tick", id: "2")], every: .seconds(1)))
  stub(
    condition: api,
    response: .text("x").network(
      .init(
        latency: .milliseconds(100), jitter: .milliseconds(20), downlink: .kilobitsPerSecond(56), lossRate: 0.1, seed: 7
      )))
  stub(condition: api, response: .json(text: #"{"id": 42}"#, status: 201, headers: ["A": "b"]))
  let encoder = JSONEncoder()
  encoder.dateEncodingStrategy = .iso8601
  stub(condition: api, response: .json([user, user], encoder: encoder, status: 201, headers: ["A": "b"]))
  stub(condition: api, response: .json(user).headers(["ETag": "x", "A": name]).status(203).delay(.seconds(1)))
  stub(condition: api, response: .chunks(["a", "b"].map { Data($0.utf8) }, status: 206, headers: ["A": "b"]))
  stub(condition: api, response: .unauthorized(realm: name, headers: ["A": "b"]).delay(.seconds(1)))
  stub(condition: api, response: fixture(filePath: "/fixtures/film.mp4").validated(etag: "v1").acceptingRanges())
  stub(condition: api, response: .json(user).validated(etag: "W/\"v1\"", lastModified: .init()).status(201))
  stub(condition: api, responses: [.empty(status: 503), .passThrough])
  stub(condition: api) { request in request.httpMethod == "GET" ? .passThrough : .empty(status: 405) }
  stub(condition: api, responses: [.noAnswer, .json(["id": 42]).flaky(0.1, seed: 7)])
}
