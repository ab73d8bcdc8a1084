import Foundation
import StubKitFormats

/// A form as browsers send it: `application/x-www-form-urlencoded`, as the WHATWG URL standard parses it.
struct FormBody: Sendable {
  /// The fields in the order of the body. A name without `=` has no value.
  let fields: NamedItems

  init(parsing data: Data) {
    fields = NamedValue.form(String(decoding: data, as: UTF8.self))
  }
}
