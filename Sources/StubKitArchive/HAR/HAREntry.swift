import Foundation
import StubKitFormats

/// An entry as the file contains it, whichever tool wrote it. Missing numbers are `nil`.
struct HAREntry {
  struct Pair {
    var name = ""
    var value: String?
    /// The name of the uploaded file, in a field of a multipart form.
    var fileName: String?
    var contentType: String?
  }

  struct Body {
    var mimeType = ""
    /// The bytes, decoded if the encoding is known.
    var data: Data?
    var encoding: String?
    /// The name of the file that contains the bytes.
    var file: String?
    var size: Int?
    var compression: Int?
    var params: [Pair] = []
    var comment: String?
    var pieces: [HTTPArchive.Entry.Piece] = []
    /// Whether the text isn't what its encoding says.
    var isUndecodable = false
  }

  struct Failure {
    var domain = ""
    var code = 0
    var description: String?
  }

  /// What was taken at its obvious meaning although it isn't as HAR 1.2 requires, as sentences.
  var problems: [String] = []

  var startedAt: Date?
  /// The text of a start that isn't a date.
  var unreadableStart: String?
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
  var redirectedTo: String?
  /// The text of a browser for a failed request.
  var errorText: String?
  var charlesStatus: String?

  /// The known times of blocking, name lookup, connecting, sending and waiting.
  var timingsToResponse: [Duration] = []
  var wait: Duration?
  var receive: Duration?
  /// A Boolean value that indicates whether the entry itself says when the response came, or that nobody knows.
  var hasOwnTimeToResponse = false
  var ownTimeToResponse: Duration?

  var resourceType: String?
  var hasWebSocketMessages = false
  var failure: Failure?
  var obstacle: String?
  var stub: String?
}
