// Goes into StubKitTesting's own copy: what XCTest has on Apple platforms only.
import Foundation
import XCTest

final class XCTAttachment {
  enum Lifetime { case keepAlways, deleteOnSuccess }
  let data: Data
  var name: String?
  var lifetime = Lifetime.deleteOnSuccess

  init(data: Data, uniformTypeIdentifier: String) { self.data = data }
}

extension XCTestCase {
  func add(_ attachment: XCTAttachment) {}
}
