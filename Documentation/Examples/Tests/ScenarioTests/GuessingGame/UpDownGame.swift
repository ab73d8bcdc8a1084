import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A number between 1 and 30 is to be guessed; a server draws it.
@MainActor final class UpDownGame {
  enum Hint: Equatable {
    case up
    case down
    case hit
  }

  private let urlSession: URLSession
  private(set) var randomValue = 0
  private(set) var tryCount = 0

  init(urlSession: URLSession = .shared) { self.urlSession = urlSession }

  /// Draws a new number; the old one stays when there is none to be had.
  func reset(completion: @escaping @MainActor () -> Void) {
    let url = URL(string: "https://random.example.com/api/v1.0/random?min=1&max=30&count=1")!
    urlSession.dataTask(with: url) { data, response, error in
      let isSuccess = error == nil && (response as? HTTPURLResponse)?.statusCode == 200
      let numbers = isSuccess ? data.flatMap { try? JSONDecoder().decode([Int].self, from: $0) } : nil
      Task { @MainActor in
        if let number = numbers?.first {
          self.randomValue = number
          self.tryCount = 0
        }
        completion()
      }
    }.resume()
  }

  func guess(_ number: Int) -> Hint {
    tryCount += 1
    if number == randomValue { return .hit }
    return number < randomValue ? .up : .down
  }
}
