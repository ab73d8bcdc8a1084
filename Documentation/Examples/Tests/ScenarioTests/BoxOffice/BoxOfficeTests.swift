import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A box-office client", .inTurn)
struct BoxOfficeTests {
  private let manager = NetworkManager(urlSession: URLSession(configuration: .ephemeral), key: "abc")
  private let dailyList = isHost("kobis.example.com") && pathEndsWith("/searchDailyBoxOfficeList.json")

  @Test("lists the films of the day it asks for")
  func success() async throws {
    let films = try await withStubs {
      stub(
        condition: isMethodGET() && dailyList && hasExactQuery(["key": "abc", "targetDt": "20220105"]),
        response: fixture(named: "box-office.json", in: .module, subdirectory: "Fixtures"))
      return try await manager.dailyBoxOffice(targetDate: "20220105")
    }
    #expect(films.map(\.rank) == ["1", "2", "3"])
    #expect(films.first == DailyBoxOffice(rank: "1", title: "경관의 피", audience: "64050"))
  }

  @Test("turns a server's error into its status", arguments: [400, 404, 500, 503])
  func serverError(status: Int) async {
    await withStubs {
      stub(condition: dailyList, response: .text("Internal Server Error", status: status))
      await #expect(throws: NetworkError.badStatus(status)) {
        try await manager.dailyBoxOffice(targetDate: "20220105")
      }
    }
  }

  @Test(
    "does not take malformed JSON for films",
    arguments: [#"{"boxOfficeResult": {"dailyBoxOfficeList": ["#, #"{"faultInfo": {"errorCode": "320010"}}"#, ""])
  func malformedJSON(body: String) async {
    await withStubs {
      stub(condition: dailyList, response: .text(body, headers: ["Content-Type": "application/json"]))
      await #expect(throws: NetworkError.undecodable) { try await manager.dailyBoxOffice(targetDate: "20220105") }
    }
  }

  @Test(
    "tells why the server could not be reached",
    arguments: [URLError.Code.notConnectedToInternet, .timedOut, .cannotFindHost, .networkConnectionLost])
  func transportError(code: URLError.Code) async {
    await withStubs {
      stub(condition: dailyList, response: .failure(code))
      await #expect(throws: NetworkError.unreachable(code)) {
        try await manager.dailyBoxOffice(targetDate: "20220105")
      }
    }
  }

  @Test("gets through when it tries again, and asks twice for it")
  func retry() async throws {
    let (films, calls) = try await withStubs {
      let flaky = stub(
        condition: dailyList, responses: [.status(503), .json(["boxOfficeResult": ["dailyBoxOfficeList": []]])])
      await #expect(throws: NetworkError.badStatus(503)) { try await manager.dailyBoxOffice(targetDate: "20220105") }
      return (try await manager.dailyBoxOffice(targetDate: "20220105"), flaky.callCount)
    }
    #expect(films.isEmpty)
    #expect(calls == 2)
  }
}
