import Foundation
import StubKit

func values(id: Int, name: String, user: User, list: [Int]) throws {
  let api = isHost("api.example.com")
  stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .json(["id": 42]))
  stub(condition: api, response: .json(["id": 42, "name": "Ann", "admin": true, "score": 1.5, "none": nil]))
  stub(condition: api, response: .json([1, "two", 3.0, nil, true, ["deep": [["er": 1]]]]))
  stub(
    condition: api,
    response: .json(
      ["user": ["id": 1, "tags": ["a", 2, nil]], "page": ["next": nil]], status: 201, headers: ["ETag": "x"]))
  stub(condition: api, response: .json(user))
  stub(condition: api, response: .json([user, user]))
  stub(condition: api, response: .json(User(id: 1, name: "A"), status: 201))
  stub(condition: api, response: .json(["id": id]))
  stub(condition: api, response: .json(["users": [user]]))
  stub(condition: api, response: .json(list))
  stub(condition: api, response: .json(nil))
  stub(condition: api, response: .json("text"))
  stub(condition: api, response: .json(42))
  stub(condition: api, response: .json([:]))
  stub(condition: api, response: .json([]))
  stub(condition: api, response: .json(["name": "\(name) x"]))
  let json: JSONValue = ["a": [1, 2, 3]]
  stub(condition: api, response: .json(json))
  stub(condition: api, response: .text("hello"))
  stub(condition: api, response: .text("hello", status: 500))
  stub(condition: api, response: .data(Data("x".utf8), status: 200, headers: ["Content-Type": "image/png"]))
  stub(condition: api, response: .empty())
  stub(condition: api, response: .empty(status: 404))
  stub(condition: api, response: .file("Fixtures/a.json"))
  stub(condition: api, response: .file(URL(fileURLWithPath: "/fixtures/a.json"), status: 203))
  stub(condition: api, response: .redirect(to: "/new"))
  stub(condition: api, response: .redirect(to: URL(string: "https://b.example.com")!, status: 308))
  stub(condition: api, response: .failure(.timedOut))
  stub(condition: api, response: .failure(URLError(.notConnectedToInternet)))
  stub(condition: api, response: .failure(AppError.boom))
  stub(condition: api, response: .failure(NSError(domain: "d", code: 7)))
  stub(condition: api, response: .failure(.notConnectedToInternet).delay(.seconds(2)))
  stub(condition: api, response: .json(["id": 42]).delay(.milliseconds(300)).header("X-A", "b"))
  stub(
    condition: api,
    response: .data(Data(count: 1_000_000)).chunked(by: 1024, every: .milliseconds(5)).failing(afterBytes: 4096))
  stub(
    condition: api,
    response: .text("x").failing(afterBytes: 1, with: .networkConnectionLost).bodyDuration(.seconds(3)))
  stub(condition: api, response: .data(Data(count: 1_000_000)))
  stub(condition: api, response: .text("x").bodyDuration(.seconds(3)))
  stub(condition: api, response: fixture(filePath: "/fixtures/users.json"))
  stub(condition: api, response: fixture(filePath: "/fixtures/users.json", status: 201, headers: ["A": "b"]))
  stub(
    condition: api,
    response: fixture(named: "users.json", in: .main, subdirectory: "Fixtures", status: 200, headers: [:]))
  stub(condition: api, response: .text("x").requestTime(1, responseTime: -56).responseTime(2))
  stub(condition: api, response: .json(["id": 42]).delay(.milliseconds(300)).header("X-A", "b").network(.edge))
  let gate = ResponseGate()
  stub(condition: api, response: .text("x").held(by: gate))
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
  stub(condition: api, response: .json(user, encoder: encoder))
  stub(condition: api, response: .json([user, user], encoder: encoder, status: 201, headers: ["A": "b"]))
  stub(condition: api, response: .json(["id": id, "at": Date()], encoder: encoder))
  stub(condition: api) { _ in .json(user, encoder: JSONEncoder()) }
  stub(condition: api, response: fixture(filePath: "/fixtures/users.json").status(404).headers(["ETag": "x"]))
  stub(condition: api, response: .json(user).headers(["ETag": "x", "A": name]).status(203).delay(.seconds(1)))
  let pieces = [Data("a".utf8), Data("b".utf8)]
  stub(condition: api, response: .chunks(pieces))
  stub(condition: api, response: .chunks(pieces, every: .milliseconds(50), first: .seconds(1)))
  stub(condition: api, response: .chunks(["a", "b"].map { Data($0.utf8) }, status: 206, headers: ["A": "b"]))
  stub(condition: api, response: .unauthorized(realm: "Films"))
  stub(condition: api, response: .unauthorized(realm: name, headers: ["A": "b"]).delay(.seconds(1)))
  stub(condition: api, response: .data(Data("x".utf8)).acceptingRanges())
  stub(condition: api, response: fixture(filePath: "/fixtures/film.mp4").validated(etag: "v1").acceptingRanges())
  stub(condition: api, response: .json(user).validated(lastModified: Date(timeIntervalSince1970: 0)).delay(.seconds(1)))
  stub(condition: api, response: .json(user).validated(etag: "W/\"v1\"", lastModified: .init()).status(201))
  stub(condition: api, response: .json(user).header("ETag", "\"v1\"").validated())
  stub(condition: api, response: .passThrough)
  stub(condition: api, responses: [.empty(status: 503), .passThrough])
  stub(condition: api) { request in request.httpMethod == "GET" ? .passThrough : .empty(status: 405) }
  stub(condition: api, responses: [.noAnswer, .json(["id": 42]).flaky(0.1, seed: 7)])
}
