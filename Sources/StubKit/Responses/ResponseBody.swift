import Foundation

/// What a response carries.
enum ResponseBody: Sendable {
  case empty
  case data(Data)
  case file(Fixture)
  /// Bytes that a server sends one piece after another, each ending there. The head says how many are to come, or it doesn't.
  case pieces(Data, ends: [Int], hasKnownLength: Bool)
  /// Of a length that nobody knows.
  case stream(BodyStream)

  var isStream: Bool { if case .stream = self { true } else { false } }

  /// Whether its length is known before it begins, so that the head can tell it.
  var hasKnownLength: Bool {
    switch self {
    case .empty, .data, .file: true
    case .pieces(_, _, let hasKnownLength): hasKnownLength
    case .stream: false
    }
  }

  /// Whether the bytes are at hand, without a file system between.
  var isInMemory: Bool {
    switch self {
    case .empty, .data, .pieces, .stream: true
    case .file: false
    }
  }

  /// The bytes; a file's are read now. A stream has none that could be read twice.
  func load() throws(StubResponseError.Reason) -> Data {
    switch self {
    case .empty, .stream: Data()
    case .data(let data), .pieces(let data, _, _): data
    case .file(let fixture): try fixture.load()
    }
  }
}

/// How fast a body goes out.
enum BodyPace: Sendable, Hashable {
  case atOnce
  case over(Time)
  case bytesPerSecond(Double)
  /// The first piece that long after the head, each other one that long after the one before.
  case pieces(every: Time, first: Time = .zero)
}
