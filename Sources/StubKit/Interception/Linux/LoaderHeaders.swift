#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What URLSession's own loader adds to the headers of a request when it sends it.
  extension Platform {
    /// The user and the password of a URL, which libcurl sends unasked (RFC 7617), percent-decoded; nil for a URL without.
    static func authorization(of request: URLRequest) -> String? {
      guard let string = request.url?.absoluteString, string.utf8.contains(UInt8(ascii: "@")) else { return nil }
      let text = URLText(string)
      guard let userInfo = text.layout.userInfo, HTTPMessageHead.isSent(text) else { return nil }
      let parts = text.text(userInfo).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let (user, password) = (parts.first ?? "", parts.dropFirst().first ?? "")
      let pair = "\(String(user).percentDecoded):\(String(password).percentDecoded)"
      return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// The headers that a server gets and the request does not show, but for those of its session.
    static func loaderHeaders(of request: URLRequest) -> [String: String] {
      var headers = HTTPMessageHead.headers(of: request)
      headers["Authorization"] = authorization(of: request)
      headers["Accept"] = "*/*"
      headers["Accept-Language"] = Locale.current.language.languageCode?.identifier
      headers["Connection"] = "keep-alive"
      if let curl = mechanisms.curlVersion {
        headers["User-Agent"] = "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(curl.number)"
        if !curl.encodings.isEmpty { headers["Accept-Encoding"] = curl.encodings }
      }
      return headers
    }
  }
#endif
