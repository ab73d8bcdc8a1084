import Foundation
import TestSupport

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

/// An entry that was answered with a text.
func entry(_ request: URLRequest, _ text: String = "", status: Int = 200) -> HTTPArchive.Entry {
  let length = "\(text.utf8.count)"
  return HTTPArchive.Entry(
    request: request, response: .init(status: status, headers: ["Content-Length": length], body: Data(text.utf8)))
}

func entry(_ url: String, _ text: String = "", status: Int = 200) -> HTTPArchive.Entry {
  entry(request(url), text, status: status)
}

extension HTTPArchive {
  /// An archive as if it came from a file.
  init(_ name: String, _ entries: HTTPArchive.Entry...) {
    self.init(entries: entries)
    fileName = name
  }
}
