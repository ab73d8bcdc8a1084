import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects what happens in an app and sends it in batches, in order, each after the one before was taken.
actor AnalyticsClient {
  private struct Batch: Encodable {
    let number: Int
    let events: [String]
  }

  private let session: URLSession
  private let batchSize: Int
  private var waiting: [String] = []
  private var sentCount = 0
  private var sending: Task<Void, Never>?

  init(session: URLSession = .shared, batchSize: Int) {
    self.session = session
    self.batchSize = batchSize
  }

  /// Returns at once: a full batch goes out on its own.
  func track(_ event: String) {
    waiting.append(event)
    if waiting.count == batchSize { send() }
  }

  /// Sends what is left, and says good-bye once everything has gone out.
  func close() async {
    if !waiting.isEmpty { send() }
    await sending?.value
    await post(to: "/sessions/end", Data())
  }

  private func send() {
    sentCount += 1
    let batch = Batch(number: sentCount, events: waiting)
    waiting = []
    sending = Task { [sending] in
      await sending?.value
      guard let body = try? JSONEncoder().encode(batch) else { return }
      await post(to: "/batches", body)
    }
  }

  /// Again while the server is too busy, three times at most.
  private func post(to path: String, _ body: Data) async {
    var request = URLRequest(url: URL(string: "https://metrics.example.com\(path)")!)
    request.httpMethod = "POST"
    request.httpBody = body
    for _ in 0..<3 {
      let answer = try? await session.data(for: request)
      if (answer?.1 as? HTTPURLResponse)?.statusCode != 503 { return }
    }
  }
}
