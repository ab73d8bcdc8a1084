import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Photo: Codable, Equatable {
  let id: Int
  let title: String
}

enum PhotoAlbumError: Error, Equatable {
  case signInRefused
  case badStatus(Int)
  case incomplete
}

/// An album on a server that asks who one is, answers an upload with the address of the photo, and keeps files elsewhere.
struct PhotoAlbum {
  private let session: URLSession
  private let server = URL(string: "https://album.example.com/")!

  init(user: String, password: String) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 30
    session = URLSession(
      configuration: configuration,
      delegate: SignIn(URLCredential(user: user, password: password, persistence: .forSession)), delegateQueue: nil)
  }

  func add(_ jpeg: Data, title: String) async throws -> Photo {
    var request = URLRequest(url: server.appendingPathComponent("photos"))
    request.httpMethod = "POST"
    request.setValue("image/jpeg", forHTTPHeaderField: "Content-Type")
    request.setValue(title, forHTTPHeaderField: "X-Title")
    let (data, response) = try await session.upload(for: request, from: jpeg)
    try check(response)
    return try JSONDecoder().decode(Photo.self, from: data)
  }

  func jpeg(of photo: Photo) async throws -> Data {
    do {
      let (file, response) = try await session.download(from: server.appendingPathComponent("photos/\(photo.id).jpg"))
      defer { try? FileManager.default.removeItem(at: file) }
      try check(response)
      return try Data(contentsOf: file)
    } catch let error as URLError where error.code == .networkConnectionLost {
      throw PhotoAlbumError.incomplete
    }
  }

  private func check(_ response: URLResponse) throws {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status == 401 { throw PhotoAlbumError.signInRefused }
    guard (200...299).contains(status) else { throw PhotoAlbumError.badStatus(status) }
  }
}

/// Signs in once, and takes a refusal for the answer.
private final class SignIn: NSObject, URLSessionTaskDelegate {
  private let credential: URLCredential

  init(_ credential: URLCredential) { self.credential = credential }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard challenge.previousFailureCount == 0 else { return completionHandler(.performDefaultHandling, nil) }
    completionHandler(.useCredential, credential)
  }
}
