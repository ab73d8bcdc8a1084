/// A usual method of requests, known by a number, which is also its hash.
enum PlainMethod: UInt8 {
  case get = 1
  case head, post, put, delete, connect, patch, options

  /// Returns `nil` for any other method.
  @inline(__always)
  init?(_ text: String) {
    // Most methods are GET, and texts this short are compared as two words.
    if text == "GET" { self = .get } else { self.init(rare: text) }
  }

  @inline(never)
  private init?(rare text: String) {
    switch text {
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "DELETE": self = .delete
    case "CONNECT": self = .connect
    case "PATCH": self = .patch
    case "OPTIONS": self = .options
    default: return nil
    }
  }

  var hash: UInt64 { UInt64(rawValue) }
}

/// A usual scheme of requests, known by a number.
enum PlainScheme: UInt8 {
  case http = 1
  case https

  /// Returns `nil` for any other scheme.
  init?(_ text: String) {
    switch text {
    case "http": self = .http
    case "https": self = .https
    default: return nil
    }
  }

  /// The length in bytes.
  var length: Int { self == .http ? 4 : 5 }

  var hash: UInt64 { UInt64(rawValue) }
}

extension KeyHash {
  static func ofMethod(_ method: String) -> UInt64 { PlainMethod(method)?.hash ?? of(method) }

  static func ofScheme(_ scheme: String) -> UInt64 { PlainScheme(scheme)?.hash ?? of(scheme) }
}
