import Foundation

/// The body of a response.
package enum ResponseBody: Sendable {
  case empty
  case data(Data)
  case file(Fixture)
  /// Bytes that a server sends in pieces that end at these positions. The head contains the length or it doesn't.
  case pieces(Data, ends: [Int], hasKnownLength: Bool)
  /// A body of unknown length.
  case stream(BodyStream)

  var isStream: Bool { if case .stream = self { true } else { false } }

  /// A Boolean value that indicates whether the length is known in advance, so that the head can contain it.
  var hasKnownLength: Bool {
    switch self {
    case .empty, .data, .file: true
    case .pieces(_, _, let hasKnownLength): hasKnownLength
    case .stream: false
    }
  }

  /// A Boolean value that indicates whether the bytes are available without reading a file.
  var isInMemory: Bool {
    switch self {
    case .empty, .data, .pieces, .stream: true
    case .file: false
    }
  }

  /// Returns the bytes. Those of a file are read now. A stream has none that could be read twice.
  func load() throws(StubResponseError.Reason) -> Data {
    switch self {
    case .empty, .stream: Data()
    case .data(let data), .pieces(let data, _, _): data
    case .file(let fixture): try fixture.load()
    }
  }
}

/// The pace of a body.
package enum BodyPace: Sendable, Hashable {
  case atOnce
  case over(Time)
  case bytesPerSecond(Double)
  /// The time from the head to the first piece, and from each piece to the next.
  case pieces(every: Time, first: Time = .zero)
  /// Each piece that long after the head, and the end that long after it.
  case recorded([Time], end: Time)
}
