import StubKitFormats

extension [Redaction] {
  /// The redactions that apply unless a recording sets others. They cover what is a secret nearly everywhere.
  ///
  /// - The header fields `Authorization` and `Proxy-Authorization`, and those that carry keys and tokens: `X-Api-Key`,
  ///   `Api-Key`, `X-Auth-Token`, `X-Access-Token`, `X-CSRF-Token`, `X-Amz-Security-Token`, `X-Goog-Api-Key`,
  ///   `Private-Token`, `Ocp-Apim-Subscription-Key` and their like.
  /// - The values of all cookies, in `Cookie` and `Set-Cookie`.
  /// - User name and password in URLs.
  /// - Query items, form fields and JSON fields named `password`, `passphrase`, `secret`, `client_secret`, `api_key`,
  ///   `token`, `access_token`, `refresh_token`, `id_token`, `auth_token`, `session_token`, `private_key`,
  ///   `client_assertion` and their like, and the signatures of signed URLs.
  public static var standard: [Redaction] {
    let headers = [
      "Authorization", "Proxy-Authorization", "X-Authorization", "X-Api-Key", "Api-Key", "X-Auth-Key", "X-Auth-Token",
      "Auth-Token", "X-Access-Token", "Access-Token", "X-Refresh-Token", "X-Id-Token", "X-Session-Token", "X-Token",
      "X-CSRF-Token", "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "X-Client-Secret", "X-Secret-Key",
      "Private-Token", "Job-Token", "X-Vault-Token", "X-GitHub-Token", "Ocp-Apim-Subscription-Key",
      "X-Shopify-Access-Token",
    ]
    let fields = [
      "password", "passwd", "pwd", "passphrase", "new_password", "old_password", "current_password",
      "password_confirmation", "secret", "client_secret", "secret_key", "secret_access_key", "app_secret", "api_key",
      "api_secret", "api_token", "token", "access_token", "refresh_token", "id_token", "auth_token", "bearer_token",
      "session_token", "security_token", "csrf_token", "xsrf_token", "private_key", "client_assertion", "code_verifier",
    ]
    let signatures = ["X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature"]
    return headers.map { .header($0) } + [.allCookies, .userInfo] + (fields + signatures).map { .queryItem($0) }
      + fields.flatMap { [.formField($0), .jsonField($0)] }
  }
}
