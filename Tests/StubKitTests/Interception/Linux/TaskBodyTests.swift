#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The body of a task", .inTurn)
  struct TaskBodyTests {
    #if compiler(>=6.2)
      @Test("that is not known goes to the network")
      func refused() async {
        await #expect(processExitsWith: .success) {
          setenv(URLSessionInternals.variable, "1", 1)
          let server = try LoopbackServer()
          defer { server.stop() }
          let body = Data("abc".utf8)
          try await withStubs {
            HTTPStubs.unmatched = .passThrough
            stub(condition: isPath("/upload"), response: .text("stubbed"))
            stub(condition: isPath("/upload") && bodyContains("abc"), response: .text("seen"))
            stub(condition: isPath("/data") && bodyContains("abc"), response: .text("seen"))
            stub(condition: isPath("/read") && bodyContains("xyz"), response: .empty())
            for place in [BodyPlace.uploadData, .uploadFile, .asyncUploadData, .streamedUpload] {
              let text = try await Sending(place, body).send(request("http://a.example/upload"))
              precondition(text == "stubbed")
            }
            for place in [BodyPlace.dataOfDataTask, .streamOfDataTask] {
              let text = try await Sending(place, body).send(request("http://a.example/data"))
              precondition(text == "seen")
            }
            for place in BodyPlace.allCases {
              let text = try await Sending(place, body).send(URLRequest(url: server.url("/out")))
              precondition(text == "real POST /out")
            }
            precondition(server.arrivals.allSatisfy { $0.body == body })
            let text = try await Sending(.streamOfDataTask, body).send(URLRequest(url: server.url("/read")))
            precondition(text == "real POST /read" && server.arrivals.last?.body == body)
          }
        }
      }
    #endif
  }
#endif
