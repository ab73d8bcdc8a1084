import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Sessions of every kind", .inTurn)
struct InterceptedSessionsTests {
  enum Kind: CaseIterable {
    case shared
    case standard
    case ephemeral
    case custom

    func makeSession() -> URLSession {
      switch self {
      case .shared: return .shared
      case .standard: return URLSession(configuration: .default)
      case .ephemeral: return URLSession(configuration: .ephemeral)
      case .custom:
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 30
        configuration.httpAdditionalHeaders = ["X-Client": "custom"]
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
      }
    }
  }

  @Test("are stubbed, whether made before the stub or after it", arguments: Kind.allCases)
  func everyKind(kind: Kind) async throws {
    let earlier = kind.makeSession()
    let bodies = try await withStubs {
      stub(condition: isHost("unknown.invalid"), response: .text("stubbed"))
      let later = kind.makeSession()
      var bodies: [String] = []
      for session in [earlier, later] {
        let (data, _) = try await session.data(from: URL(string: "https://unknown.invalid/")!)
        bodies.append(String(decoding: data, as: UTF8.self))
      }
      return bodies
    }
    #expect(bodies == ["stubbed", "stubbed"])
  }

  @Test(
    "reach the network when their configuration says so",
    arguments: [StubResponse.text("stubbed"), .status(302, headers: ["Location": "https://other.invalid/"])])
  func disabledConfiguration(response: StubResponse) async {
    // Nobody listens on the loopback's port 1, so that the real network shows itself by an error.
    let url = URL(string: "http://127.0.0.1:1/")!
    await withStubs {
      let stub = stub(condition: .anything, response: response)
      let configuration = URLSessionConfiguration.ephemeral
      #expect(HTTPStubs.isEnabled(for: configuration))

      HTTPStubs.setEnabled(false, for: configuration)
      #expect(!HTTPStubs.isEnabled(for: configuration))
      let error = await #expect(throws: URLError.self) {
        try await URLSession(configuration: configuration).data(from: url)
      }
      #expect(error?.code == .cannotConnectToHost)
      #expect(stub.callCount == 0)

      HTTPStubs.setEnabled(true, for: configuration)
      _ = try? await URLSession(configuration: configuration).data(from: url)
      #expect(stub.callCount >= 1)
    }
  }

  @Test("load what is stubbed of a scheme that nobody has heard of")
  func otherScheme() async throws {
    let url = URL(string: "foo://unknownhost:666/bar")!
    let data = try await withStubs {
      stub(condition: isScheme("foo") && isPort(666), response: .text("foo"))
      return try await URLSession.shared.data(from: url).0
    }
    #expect(String(decoding: data, as: UTF8.self) == "foo")
  }

  @Test("take nothing from their cache and leave nothing in it")
  func cache() async throws {
    let request = URLRequest(url: URL(string: "https://cache.invalid/")!, cachePolicy: .returnCacheDataElseLoad)
    let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    let old = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
    cache.storeCachedResponse(CachedURLResponse(response: old, data: Data("old".utf8)), for: request)
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = cache
    let session = URLSession(configuration: configuration)

    let bodies = try await withStubs {
      let headers = ["Cache-Control": "max-age=3600"]
      stub(condition: .anything, responses: [.text("1", headers: headers), .text("2", headers: headers)])
      return [try await session.data(for: request).0, try await session.data(for: request).0]
    }
    #expect(bodies == [Data("1".utf8), Data("2".utf8)])
    #expect(cache.cachedResponse(for: request)?.data == Data("old".utf8))
  }
}
