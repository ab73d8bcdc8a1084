import Foundation
import StubKit

/// Requests for a part of an alphabet, or on a condition. What a server has to answer is written down for each of them;
/// the stub has the whole alphabet and finds it out.
extension Exchange {
  private static let alphabet = "abcdefghijklmnopqrstuvwxyz"
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private static let stubbed = StubResponse.data(Data(alphabet.utf8), headers: ["Content-Type": "text/plain"])
    .conditional(etag: "v1", lastModified: Date(httpDate: date)).acceptingRanges()

  private static let version = [("ETag", "\"v1\""), ("Last-Modified", date), ("Accept-Ranges", "bytes")]

  /// - Parameters:
  ///   - fields: Of the request.
  ///   - added: Header fields of the answer, besides those that say which version of the alphabet there is.
  private static func asking(
    _ name: String, _ fields: [String: String], _ status: Int, _ added: [(String, String)] = [], body: String = ""
  ) -> Exchange {
    let answer = Answer(
      status: status, headers: (version + added).map { (name: $0.0, value: $0.1) }, body: body.isEmpty ? [] : [body],
      stubbed: stubbed)
    return Exchange(name, answer).with { $0.requestHeaders = fields }
  }

  private static func part(_ name: String, _ fields: [String: String], _ range: String, _ body: String) -> Exchange {
    asking(name, fields, 206, [("Content-Type", "text/plain"), ("Content-Range", "bytes \(range)/26")], body: body)
  }

  private static func whole(_ name: String, _ fields: [String: String]) -> Exchange {
    asking(name, fields, 200, [("Content-Type", "text/plain")], body: alphabet)
  }

  static let ranges: [Exchange] = [
    part("range of 10 bytes", ["Range": "bytes=0-9"], "0-9", "abcdefghij"),
    part("range of a byte", ["Range": "bytes=25-25"], "25-25", "z"),
    part("open range", ["Range": "bytes=20-"], "20-25", "uvwxyz"),
    part("suffix", ["Range": "bytes=-3"], "23-25", "xyz"),
    part("suffix longer than all", ["Range": "bytes=-100"], "0-25", alphabet),
    part("range beyond the end", ["Range": "bytes=23-99"], "23-25", "xyz"),
    whole("two ranges", ["Range": "bytes=-2,0-2"]),
    asking("unsatisfiable range", ["Range": "bytes=26-"], 416, [("Content-Range", "bytes */26")]),
    whole("malformed range", ["Range": "bytes=9-0"]),
    whole("range of another unit", ["Range": "letters=0-9"]),
    part("range of this version", ["Range": "bytes=0-2", "If-Range": "\"v1\""], "0-2", "abc"),
    whole("range of another version", ["Range": "bytes=0-2", "If-Range": "\"v2\""]),
    part("range of this date", ["Range": "bytes=0-2", "If-Range": date], "0-2", "abc"),
    whole("range of another date", ["Range": "bytes=0-2", "If-Range": "Sun, 06 Nov 1994 08:49:38 GMT"]),
  ]

  static let conditions: [Exchange] = [
    asking("not modified by its tag", ["If-None-Match": "\"v0\", W/\"v1\""], 304),
    asking("not modified by its date", ["If-Modified-Since": date], 304),
    asking("not modified, and a range", ["If-None-Match": "\"v1\"", "Range": "bytes=0-2"], 304),
    whole("modified by its tag", ["If-None-Match": "\"v2\"", "If-Modified-Since": date]),
    asking("condition not met by its tag", ["If-Match": "\"v2\""], 412),
    asking("condition not met by its date", ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], 412),
    whole("condition met", ["If-Match": "\"v1\""]),
  ]

  /// For HEAD, which has conditions, and no ranges.
  static let selectionsOfHead: [Exchange] = [
    whole("range for HEAD", ["Range": "bytes=0-9"]),
    asking("not modified for HEAD", ["If-None-Match": "\"v1\""], 304),
  ]
}
