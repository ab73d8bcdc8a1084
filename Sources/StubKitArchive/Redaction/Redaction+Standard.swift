import StubKitFormats

extension [Redaction] {
  /// The redactions that apply unless a recording sets others. They cover what is a secret nearly everywhere.
  ///
  /// - Values with a name that ends in `token`, `secret`, `password`, `passwd`, `passphrase`, `apikey`, `signature`,
  ///   `credential` or `credentials`, `privatekey`, `accesskey`, `sessionid` or `authorization`, or that is `jwt`, `otp`,
  ///   `pin`, `sig`, `ticket`, `csrf` or `SAMLResponse`. Case, hyphens and underscores don't matter. `code` counts beside
  ///   other names of OAuth. Names such as `nextPageToken` don't count.
  /// - These names count in header fields, queries, forms, multipart bodies, JSON at any depth, JSON in strings and in
  ///   server-sent events, pairs of a name and a value, XML, property lists and HTML.
  /// - The values of all cookies, in `Cookie` and `Set-Cookie`, and user name and password in URLs.
  /// - Values that look like a secret, whatever their names are: bearer tokens, JSON Web Tokens, private keys in PEM, and the
  ///   keys and tokens of services that publish how these begin, such as `ghp_`, `xoxb-`, `AKIA`, `sk_live_` and `AIza`.
  public static var standard: [Redaction] { [.standardNames, .standardShapes, .allCookies, .userInfo] }
}
