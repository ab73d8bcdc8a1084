#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  /// What the guide says of a `URLProtocol` written by hand, so that it says it only as long as it is so.
  @Suite("A URLProtocol written by hand, on Linux,", .inTurn)
  struct HandWrittenMockTests {
    private static let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [Mock.self]
      return URLSession(configuration: configuration)
    }()

    private static func address(_ path: String) -> URL { URL(string: "http://mock.example\(path)")! }

    @Test("gives a completion handler and an async call the last piece of a body")
    func pieces() async throws {
      let (data, _) = try await Self.session.data(from: Self.address("/pieces"))
      #expect(String(decoding: data, as: UTF8.self) == "two")
    }

    @Test("gives a download neither a file nor an error")
    func download() async throws {
      let isEmpty = try await untilResumed { reply in
        Self.session.downloadTask(with: Self.address("/pieces")) { file, _, error in
          reply.resume(returning: file == nil && error == nil)
        }.resume()
      }
      #expect(isEmpty)
    }

    @Test("ends the process with a redirect")
    func redirect() async {
      await #expect(processExitsWith: .failure) {
        _ = try await HandWrittenMockTests.session.data(from: HandWrittenMockTests.address("/moved"))
      }
    }

    private final class Mock: URLProtocol {
      override class func canInit(with request: URLRequest) -> Bool { true }
      override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
      override func stopLoading() {}

      override func startLoading() {
        let isMoved = request.url!.path == "/moved"
        let head = HTTPURLResponse(
          url: request.url!, statusCode: isMoved ? 302 : 200, httpVersion: "HTTP/1.1",
          headerFields: isMoved ? ["Location": "/pieces"] : [:])!
        guard !isMoved else {
          let next = URLRequest(url: HandWrittenMockTests.address("/pieces"))
          client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: head)
          return
        }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        for piece in ["one", "two"] { client?.urlProtocol(self, didLoad: Data(piece.utf8)) }
        client?.urlProtocolDidFinishLoading(self)
      }
    }
  }
#endif
