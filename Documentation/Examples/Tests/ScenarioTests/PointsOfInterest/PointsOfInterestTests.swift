import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Points of interest", .inTurn)
struct PointsOfInterestTests {
  private let loader = APIRequestLoader(
    apiRequest: PointsOfInterestRequest(), urlSession: URLSession(configuration: .ephemeral))
  private let home = Coordinate(latitude: 37.3293, longitude: -121.8893)
  private let atHome = isPath("/locations") && containsQuery(["lat": "37.3293", "lng": "-121.8893"])

  private func load(_ coordinate: Coordinate) async throws -> Result<[PointOfInterest], any Error> {
    try await untilResumed { done in loader.load(coordinate) { done.resume(returning: $0) } }
  }

  @Test("are those around the place that is asked for")
  func success() async throws {
    let result = try await withStubs {
      stub(condition: atHome, response: .json([["name": "My Location"]]))
      return try await load(home)
    }
    #expect(try result.get() == [PointOfInterest(name: "My Location")])
  }

  @Test("at another latitude get a report that names the stub and shows the request")
  func anotherLatitude() async throws {
    let line = #line + 2
    let (result, unmatched) = try await withStubs {
      stub(condition: atHome, response: .json([["name": "My Location"]]))
      let result = try await load(Coordinate(latitude: 52.52, longitude: -121.8893))
      return (result, StubRegistry.current.journal.unmatched)
    }
    let error = try #require(throws: UnmatchedRequestError.self) { try result.get() }
    #expect(error.request.url?.query == "lat=52.52&lng=-121.8893")
    #expect(error.localizedDescription == error.description)
    let report = error.description
    #expect(
      report.hasPrefix("No stub matches GET https://places.example.com/locations?lat=52.52&lng=-121.8893\n"))
    #expect(report.contains("(ScenarioTests/PointsOfInterestTests.swift:\(line))\n    query item lat: expected "))
    #expect(unmatched.map(\.request.url) == [error.request.url])
  }

  @Test("at another latitude are explained criterion by criterion")
  func explanation() async throws {
    let request = try PointsOfInterestRequest().makeRequest(from: Coordinate(latitude: 52.52, longitude: -121.8893))
    let explanation = withStubs {
      stub(condition: atHome, response: .json([]))
      return StubRegistry.current.explain(request)
    }
    #expect(explanation.stub == nil)
    let report = try #require(explanation.candidates.first).report
    #expect(report.results.map(\.passed) == [true, false])
    #expect(report.mismatches.first?.actual?.contains("52.52") == true)
  }

  @Test("of no place on Earth are never asked for")
  func invalidCoordinate() async throws {
    let (result, calls) = try await withStubs {
      let any = stub(condition: .anything, response: .json([]))
      return (try await load(Coordinate(latitude: 91, longitude: 0)), any.callCount)
    }
    #expect(throws: PointsOfInterestRequest.InvalidCoordinate.self) { try result.get() }
    #expect(calls == 0)
  }
}
