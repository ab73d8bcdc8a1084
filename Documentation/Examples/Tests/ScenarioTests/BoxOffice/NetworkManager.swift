import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A film's place in the box office of a day.
struct DailyBoxOffice: Decodable, Equatable {
  let rank: String
  let title: String
  let audience: String

  private enum CodingKeys: String, CodingKey {
    case rank
    case title = "movieNm"
    case audience = "audiCnt"
  }
}

struct BoxOfficeResponse: Decodable {
  struct Result: Decodable {
    let dailyBoxOfficeList: [DailyBoxOffice]
  }
  let boxOfficeResult: Result
}

enum NetworkError: Error, Equatable {
  case badStatus(Int)
  case undecodable
  case unreachable(URLError.Code)
}

/// A box-office client as apps write it: the session comes from outside, everything else is its own business.
struct NetworkManager {
  private let urlSession: URLSession
  private let key: String

  init(urlSession: URLSession = .shared, key: String) {
    self.urlSession = urlSession
    self.key = key
  }

  /// - Parameter targetDate: The day as `yyyyMMdd`.
  func dailyBoxOffice(targetDate: String) async throws -> [DailyBoxOffice] {
    var components = URLComponents(string: "https://kobis.example.com/rest/boxoffice/searchDailyBoxOfficeList.json")!
    components.queryItems = [URLQueryItem(name: "key", value: key), URLQueryItem(name: "targetDt", value: targetDate)]

    let data: Data
    let response: URLResponse
    do {
      (data, response) = try await urlSession.data(from: components.url!)
    } catch let error as URLError {
      throw NetworkError.unreachable(error.code)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200...299).contains(status) else { throw NetworkError.badStatus(status) }
    guard let decoded = try? JSONDecoder().decode(BoxOfficeResponse.self, from: data) else {
      throw NetworkError.undecodable
    }
    return decoded.boxOfficeResult.dailyBoxOfficeList
  }
}
