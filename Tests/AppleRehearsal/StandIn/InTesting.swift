// Goes into StubKitTesting's own copy: what XCTest has on Apple platforms only.
import XCTest

final class XCTAttachment {
  let text: String
  var name: String?

  init(string: String) { text = string }
}

extension XCTestCase {
  func add(_ attachment: XCTAttachment) {}
}
