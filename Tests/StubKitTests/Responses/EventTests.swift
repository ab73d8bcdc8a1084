import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A server-sent event", .inTurn)
struct EventTests {
  @Test("is encoded as an event stream carries it")
  func encoding() {
    for (event, text) in [
      "hello": "data: hello\n\n", "": "data:\n\n",
      " space": "data:  space\n\n",
      "one\ntwo": "data: one\ndata: two\n\n", "one\r\ntwo": "data: one\ndata: two\n\n",
      "one\n\rtwo": "data: one\ndata:\ndata: two\n\n",
      "end\n": "data: end\ndata:\n\n", "é 👩‍👩‍👧": "data: é 👩‍👩‍👧\n\n",
      "line\u{2028}separator": "data: line\u{2028}separator\n\n",
      .init("x", event: "quote"): "event: quote\ndata: x\n\n",
      .init("x", id: "7"): "id: 7\ndata: x\n\n",
      .init("x", id: ""): "id:\ndata: x\n\n",
      .init("x", retry: .seconds(3)): "retry: 3000\ndata: x\n\n",
      .init("x", retry: .zero): "retry: 0\ndata: x\n\n",
      // A part of a millisecond counts as a whole one.
      .init("x", retry: .microseconds(1_500)): "retry: 2\ndata: x\n\n",
      .init("{\n}", event: "e", id: "i", retry: .milliseconds(10)):
        "event: e\nid: i\nretry: 10\ndata: {\ndata: }\n\n",
    ] as KeyValuePairs<StubResponse.Event, String> {
      #expect(String(decoding: event.encoded, as: UTF8.self) == text, "\(event)")
      #expect(event.problem == nil, "\(event)")
    }
  }

  @Test("that no stream can carry fails its request")
  func problems() async {
    for (event, reason) in [
      (StubResponse.Event("x", event: "a\nb"), StubResponseError.Reason.invalidEventField("event", "a\nb")),
      (StubResponse.Event("x", id: "a\r\nb"), .invalidEventField("id", "a\r\nb")),
      (StubResponse.Event("x", id: "a\0b"), .invalidEventField("id", "a\0b")),
      (StubResponse.Event("x", retry: .seconds(-2)), .negativeDuration(.seconds(-2))),
    ] {
      await withStubs {
        let stub = stub(condition: .anything, response: .events(["fine", event]))
        let error = await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError
        #expect(error?.reason == reason && error?.stub?.location == stub.location, "\(event): \(error as Any)")
      }
    }
  }
}
