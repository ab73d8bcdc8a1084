import Foundation
import StubKitFormats

extension HAREntry.Body {
  /// Returns the body that consists of these fields, for tools that save only the fields of a form. Returns `nil` if
  /// the fields are incomplete.
  var bodyOfParams: Data? {
    guard mimeType.lowercased().starts(withBytesOf: "multipart/") else {
      let fields = params.map { field in
        field.value.map { "\(field.name.formEncoded)=\($0.formEncoded)" } ?? field.name.formEncoded
      }
      return Data(fields.joined(separator: "&").utf8)
    }
    guard let boundary = MultipartBody.boundary(ofContentType: mimeType), params.allSatisfy({ $0.value != nil }) else {
      return nil
    }
    let parts = params.map { field in
      var head = "Content-Disposition: form-data; name=\"\(field.name.quotedForForm)\""
      if let fileName = field.fileName { head += "; filename=\"\(fileName.quotedForForm)\"" }
      if let type = field.contentType, !type.isEmpty { head += "\r\nContent-Type: \(type)" }
      return "--\(boundary)\r\n\(head)\r\n\r\n\(field.value ?? "")\r\n"
    }
    return Data((parts.joined() + "--\(boundary)--\r\n").utf8)
  }
}

extension String {
  /// The text as a form encodes it (WHATWG URL, application/x-www-form-urlencoded).
  fileprivate var formEncoded: String {
    var encoded: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        encoded.append(byte)
      case 0x20: encoded.append(UInt8(ascii: "+"))
      default: encoded += (byte < 0x10 ? "%0" : "%").utf8 + Array(String(byte, radix: 16, uppercase: true).utf8)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The text as a part's header encodes it (WHATWG HTML, multipart/form-data).
  fileprivate var quotedForForm: String {
    replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
  }
}
