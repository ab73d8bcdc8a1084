import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Coordinate: Equatable {
  let latitude: Double
  let longitude: Double

  var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}

struct PointOfInterest: Decodable, Equatable {
  let name: String
}

/// What is worth seeing around a place.
struct PointsOfInterestRequest: APIRequest {
  struct InvalidCoordinate: Error {}

  func makeRequest(from coordinate: Coordinate) throws -> URLRequest {
    guard coordinate.isValid else { throw InvalidCoordinate() }
    var components = URLComponents(string: "https://places.example.com/locations")!
    components.queryItems = [
      URLQueryItem(name: "lat", value: "\(coordinate.latitude)"),
      URLQueryItem(name: "lng", value: "\(coordinate.longitude)"),
    ]
    return URLRequest(url: components.url!)
  }

  func parseResponse(data: Data) throws -> [PointOfInterest] {
    try JSONDecoder().decode([PointOfInterest].self, from: data)
  }
}
