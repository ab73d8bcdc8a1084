import Foundation
import StubKitFormats

extension HAREntry {
  /// Why an entry of another tool can't be replayed, as the end of a sentence that begins with the entry, or `nil` if
  /// it can.
  var foreignObstacle: String? {
    obstacleOfRequest ?? obstacleOfResponse ?? obstacleOfContent
  }

  static let notBase64 = "has a body that is said to be Base64 and isn't: export the archive again"

  private var obstacleOfRequest: String? {
    let scheme = url?.cut(at: ":")?.before.lowercased() ?? ""
    if hasWebSocketMessages || resourceType == "websocket" || ["ws", "wss"].contains(scheme) || status == 101 {
      return "is a WebSocket, which StubKit does not replay"
    }
    guard ["http", "https"].contains(scheme) else {
      return "is not an HTTP request: its URL begins with \"\(scheme):\""
    }
    let isPreflight =
      method?.uppercased() == "OPTIONS"
      && requestHeaders.contains { $0.name.lowercased() == "access-control-request-method" }
    guard !isPreflight, resourceType != "preflight" else { return "is a CORS preflight, which only browsers send" }
    return nil
  }

  private var obstacleOfResponse: String? {
    guard let status, status > 0 else {
      guard let errorText, !errorText.isEmpty else { return "has no response: its status is \(status ?? 0)" }
      return "has no response: \(errorText)"
    }
    if let charlesStatus, charlesStatus != "COMPLETE" {
      return "was not complete when it was saved: its status in Charles is \(charlesStatus)"
    }
    if let errorText, !errorText.isEmpty { return "failed in the browser: \(errorText)" }
    return nil
  }

  private var obstacleOfContent: String? {
    guard content.file == nil else { return nil }
    guard let data = content.data else { return expectsBody ? obstacleOfMissingText : nil }
    guard content.isPlainText, let size = content.size, data.count != size,
      data.count != size + (content.compression ?? 0), isBinary || data.hasReplacementCharacter
    else { return nil }
    return "has a body of \(size) bytes that was saved as text and has lost some of them"
  }

  private var obstacleOfMissingText: String? {
    if content.isUndecodable { return Self.notBase64 }
    if let encoding = content.encoding, !encoding.isEmpty, encoding.lowercased() != "base64" {
      return "has a body in the encoding \"\(encoding)\", which StubKit does not know"
    }
    let size = content.size ?? 0
    let declared = responseValue("content-length").flatMap { Int($0) }
    let isEmpty = content.size == nil ? responseBodySize == 0 || declared == 0 : size == 0
    let isContradicted = (responseBodySize ?? 0) > 0 || (declared ?? 0) > 0
    if isEmpty, !isContradicted { return nil }
    let length = [size, declared ?? 0, responseBodySize ?? 0].first { $0 > 0 }
    return
      "has a body\(length.map { " of \($0) bytes" } ?? "") that was not saved: export the archive with its content"
  }

  private var isBinary: Bool {
    let type = (contentType.cut(at: ";")?.before ?? contentType[...]).withoutOuterSpace.lowercased()
    if type == "image/svg+xml" { return false }
    let families = [
      "image/", "audio/", "video/", "font/", "application/font", "application/x-font", "application/grpc",
    ]
    let types = [
      "application/octet-stream", "application/pdf", "application/zip", "application/gzip", "application/x-gzip",
      "application/wasm", "application/protobuf", "application/x-protobuf", "application/vnd.ms-fontobject",
      "application/msgpack", "application/cbor",
    ]
    return types.contains(type) || families.contains { type.starts(withBytesOf: $0) }
  }
}
