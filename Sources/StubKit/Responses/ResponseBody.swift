import Foundation

/// What a response carries.
enum ResponseBody: Sendable {
  case empty
  case data(Data)
  case file(Fixture)
  /// Bytes that a server would send one piece after another, each ending there, without saying how many are to come.
  case pieces(Data, ends: [Int])
  /// Of a length that nobody knows.
  case stream(BodyStream)

  var isStream: Bool { if case .stream = self { true } else { false } }

  /// Whether its length is known before it begins, so that the head can tell it.
  var hasKnownLength: Bool {
    switch self {
    case .empty, .data, .file: true
    case .pieces, .stream: false
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
    case .data(let data), .pieces(let data, _): data
    case .file(let fixture): try fixture.load()
    }
  }
}

/// How fast a body goes out.
enum BodyPace: Sendable, Hashable {
  case atOnce
  case over(Time)
  case bytesPerSecond(Double)
  /// The first piece with the head, each other one that long after the one before.
  case pieces(every: Time)
}
