import Foundation

extension String {
  /// Returns the text with an escape for each byte that isn't of a set of ASCII.
  func percentEncoded(_ plain: CharacterSet = .unreserved) -> String {
    addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}

/// In the order of Base64.
let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

extension CharacterSet {
  /// RFC 3986, section 2.3.
  static let unreserved = CharacterSet(charactersIn: alphanumeric + "-._~")
  /// What a URL contains besides escapes, and the percent sign of these.
  static let inURL = CharacterSet(charactersIn: alphanumeric + "-._~:/?#[]@!$&'()*+,;=%")
  /// What a form contains (WHATWG URL, application/x-www-form-urlencoded), in which a space becomes a plus sign.
  static let inForm = CharacterSet(charactersIn: alphanumeric + "*-._ ")
}
