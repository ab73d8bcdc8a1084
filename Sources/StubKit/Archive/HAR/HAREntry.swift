import Foundation

/// An entry as a file has it, whichever tool wrote it. Numbers that are not there are `nil`.
struct HAREntry {
  struct Pair {
    var name = ""
    var value: String?
    /// Of a field of a multipart form: the name of the file that was sent.
    var fileName: String?
    var contentType: String?
  }

  struct Body {
    var mimeType = ""
    /// Decoded, if the encoding is known.
    var data: Data?
    var encoding: String?
    /// The name of the file that has the bytes.
    var file: String?
    var size: Int?
    var compression: Int?
    var params: [Pair] = []
    var comment: String?
    var pieces: [HTTPArchive.Entry.Piece] = []
  }

  struct Failure {
    var domain = ""
    var code = 0
  }

  var startedAt: Date?
  var time: Duration?

  var method: String?
  var url: String?
  var requestHeaders: [Pair] = []
  var postData: Body?
  var requestBodySize: Int?

  var status: Int?
  var responseHeaders: [Pair] = []
  var content = Body()
  var responseBodySize: Int?
  /// The text that browsers have for a request that failed.
  var errorText: String?
  var charlesStatus: String?

  /// Blocked, name lookup, connecting, sending and waiting: those that are known.
  var timingsToResponse: [Duration] = []
  var wait: Duration?
  var receive: Duration?
  /// What the entry itself says of the time to its response.
  var ownTimeToResponse: Duration??

  var resourceType: String?
  var hasWebSocketMessages = false
  var failure: Failure?
  var obstacle: String?
  var stub: String?
}
