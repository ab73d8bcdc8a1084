import Foundation

/// What a response carries.
enum ResponseBody: Sendable {
  case empty
  case data(Data)
  case file(Fixture)

  /// Whether the bytes are at hand, without a file system between.
  var isInMemory: Bool {
    switch self {
    case .empty, .data: true
    case .file: false
    }
  }

  /// The bytes; a file's are read now.
  func load() throws(StubResponseError.Reason) -> Data {
    switch self {
    case .empty: Data()
    case .data(let data): data
    case .file(let fixture): try fixture.load()
    }
  }
}

/// How fast a body goes out.
enum BodyPace: Sendable, Hashable {
  case atOnce
  case over(Duration)
  case bytesPerSecond(Double)
  /// The first piece with the head, each other one that long after the one before.
  case pieces(every: Duration)
}
