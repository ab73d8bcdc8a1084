import Foundation

extension String {
  /// The bytes of a method in one number, or 0 for one that is too long or not in ASCII.
  var methodCode: UInt64 {
    // Most methods are GET, and texts this short are compared as two words.
    if self == "GET" { return codeOfGET }
    var code: UInt64 = 0
    for byte in utf8 {
      guard byte != 0, byte < 0x80, code < 1 << 56 else { return 0 }
      code = code << 8 | UInt64(byte)
    }
    return code
  }

  /// The method as `URLRequest` stores it: these six methods, and no others, in upper case.
  var canonicalMethod: String {
    switch self {
    case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "PATCH", "OPTIONS": return self
    default:
      let upper = uppercased()
      return ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"].contains(upper) ? upper : self
    }
  }
}

private let codeOfGET: UInt64 = 0x474554

extension URLRequest {
  @inline(__always)
  var methodCode: UInt64 {
    guard let httpMethod, httpMethod != "GET" else { return codeOfGET }
    return httpMethod.canonicalMethod.methodCode
  }
}
