import Testing

@testable import StubKitArchive

/// What the rules about names and words replace, and what they leave, with the source of each.
struct RuleExample: CustomTestStringConvertible, Sendable {
  /// An exchange with a value.
  enum Exchange: Sendable {
    /// The body of a response.
    case answer(String)
    /// The body of a request, a form, the path and the query of one, and a header field.
    case request(String), form(String), address(String), field(String, String)
  }

  /// The source, or the reason.
  let because: String
  /// What is replaced, and what stays. Where a rule is about what is no secret, the first one has a similar name or
  /// value that is one.
  let hides: Exchange, keeps: Exchange

  init(_ because: String, hides: Exchange, keeps: Exchange) {
    (self.because, self.hides, self.keeps) = (because, hides, keeps)
  }

  var testDescription: String { "\(because): \(hides)" }

  static let ofNames: [RuleExample] = [
    RuleExample(
      "RFC 6749, gitleaks", hides: .answer(#"{"access_token": "facade-2"}"#),
      keeps: .answer(#"{"access_token": null}"#)),
    RuleExample(
      "Pivotal Tracker", hides: .field("X-TrackerToken", "blue-kettle"),
      keeps: .answer(#"{"tracker_token": "blue-kettle"}"#)),
    RuleExample(
      "RFC 6749, AWS", hides: .answer(#"{"client_secret": "IAgul9[OnH29]B]5H"}"#), keeps: .answer(#"{"api_key": true}"#)
    ),
    RuleExample(
      "gitleaks, trufflehog", hides: .answer(#"{"upload_token": "x9-zk2q7"}"#), keeps: .answer(#"{"token": "input"}"#)),
    RuleExample("Azure", hides: .address("/?sig=x9-zk2q7"), keeps: .answer(#"{"sig": "k7Rw2xQ9Zt4Vb8Nm"}"#)),
    RuleExample("RFC 7519, RFC 9449", hides: .answer(#"{"csrf": "x9-zk2q7"}"#), keeps: .answer(#"{"jwt": "none"}"#)),
    RuleExample(
      "detect-secrets, gitleaks", hides: .answer(#"{"signing_key": "x9-zk2q7"}"#),
      keeps: .answer(#"{"public_key": "q9Q2xT7vB8nL4pR6sW1z"}"#)),
    RuleExample(
      "OASIS SAML, BIP 39, PSD2, Akamai", hides: .answer(#"{"sessionid": "x9-zk2q7"}"#),
      keeps: .answer(#"{"pepper": "black"}"#)),
    RuleExample(
      "detect-secrets; de, fr, es, pt, it", hides: .request(#"{"securityAnswer": "Hinterberger"}"#),
      keeps: .answer(#"{"securityAnswer": "wrong"}"#)),
    RuleExample(
      "PCI DSS", hides: .request(#"{"pan": "4629642727349961"}"#), keeps: .answer(#"{"cardNumber": "**** 2894"}"#)),
    RuleExample("RFC 9110", hides: .field("X-Auth", "x9-zk2q7"), keeps: .field("X-Auth-Mode", "x9-zk2q7")),
    RuleExample(
      "IANA: X-Api-Key and its like", hides: .field("X-Functions-Key", "x9-zk2q7"),
      keeps: .field("Idempotency-Key", "q9Q2xT7vB8nL4pR6sW1z")),
    RuleExample(
      "gitleaks, detect-secrets", hides: .answer(#"{"password": "Zebra-4711"}"#),
      keeps: .answer(#"{"password": ["is too short"]}"#)),
    RuleExample("de", hides: .answer(#"{"kennwort": "Bach-1685"}"#), keeps: .answer(#"{"passwort": "Passwort"}"#)),
    RuleExample(
      "es, ca", hides: .answer(#"{"contraseñaNueva": "Rios-99x"}"#), keeps: .answer(#"{"contraseña": "requerida"}"#)),
    RuleExample("fr", hides: .request(#"{"motDePasse": "x"}"#), keeps: .answer(#"{"mot_de_passe": "requis"}"#)),
    RuleExample(
      "pt", hides: .answer(#"{"senhaTemporaria": "Xk7-plt9"}"#), keeps: .answer(#"{"senha": "Esqueceu a senha?"}"#)),
    RuleExample("it", hides: .request(#"{"parola_chiave": "casa"}"#), keeps: .answer(#"{"parola": "casa"}"#)),
    RuleExample(
      "nl, sv, da, no, fi, is", hides: .request(#"{"wachtwoord": "fiets"}"#),
      keeps: .answer(#"{"wachtwoord": "vergeten"}"#)),
    RuleExample(
      "pl, cs, hu, hr, sl, lt, et, lv, tr, id, vi, sq", hides: .request(#"{"haslo": "c"}"#),
      keeps: .answer(#"{"heslo": "zapomenuté"}"#)),
    RuleExample(
      "ru, bg, sr, zh, ja, ko, th, he, el, hi, fa", hides: .request(#"{"пароль": "снег"}"#),
      keeps: .answer(#"{"пароль": "забыт"}"#)),
    RuleExample("ar, fa", hides: .request(#"{"كلمة_المرور": "x9-zk2q7"}"#), keeps: .answer(#"{"كلمة": "x9-zk2q7"}"#)),
    RuleExample(
      "PCI DSS, RFC 6238, ISO 9564", hides: .answer(#"{"otp": "493817"}"#), keeps: .answer(#"{"pin": "blue"}"#)),
    RuleExample(
      "Firebase, Cognito, Paystack", hides: .request(#"{"ConfirmationCode": "39207714"}"#),
      keeps: .answer(#"{"ConfirmationCode": "39207714"}"#)),
    RuleExample(
      "RFC 8628, RFC 7636, RFC 5849, CIBA", hides: .answer(#"{"device_code": "GmRhm-blue7"}"#),
      keeps: .answer(#"{"device_codes": true}"#)),
    RuleExample(
      "RFC 6265, Vault; de, es, pt, it, pl, nl", hides: .answer(#"{"sid": "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"}"#),
      keeps: .answer(#"{"sid": "AC5d739cb46598fc532b39a7a647806f17"}"#)),
    RuleExample(
      "CAS, SharePoint", hides: .address("/?ticket=a84f3307-59ae-4268-a7b1-8bac7dc2193b"),
      keeps: .answer(#"{"ticket": "x9-zk2q7"}"#)),
    RuleExample(
      "RFC 6750, RFC 7617", hides: .request("Use Basic k7Rw2xQ9Zt4Vb8Nm"), keeps: .request("Use Bearer authentication2")
    ),
    RuleExample(
      "documents of UPS, Reddit, Jenkins, reCAPTCHA, Vault, TMDB",
      hides: .answer(#"{"authTicket": "k7Rw2xQ9Zt4Vb8Nm"}"#), keeps: .answer(#"{"breadcrumb": "q9Q2xT7vB8nL4pR6sW1z"}"#)
    ),
    RuleExample(
      "Philips Hue, whose users are keys", hides: .answer(#"{"username": "2j_0kAVl71lMdpCXydArXC"}"#),
      keeps: .answer(#"{"username": "ann-kettle"}"#)),
    RuleExample(
      "OpenID Connect", hides: .answer(#"{"nonce": "q9Q2xT7vB8nL4pR6sW1z"}"#),
      keeps: .answer(#"<script nonce="q9Q2xT7vB8nL4pR6sW1zE5mHq9Q2xT7v">"#)),
    RuleExample(
      "the first word, as in French and Spanish", hides: .answer(#"{"tokenAtualizacao": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"tokenGid": "33fa41d472410572"}"#)),
    RuleExample(
      "Instagram, Zoom", hides: .answer(#"{"uuid": "1", "code": "f074c9b7edc67e328be458bbad7f265b"}"#),
      keeps: .answer(#"{"code": "B08N5WRWNW"}"#)),
    RuleExample(
      "Discord, RFC 6749; es, it, pl, da", hides: .address("/?key=k7Rw2xQ9Zt4Vb8Nm"),
      keeps: .form("code=WINTER25X9")),
    RuleExample("TMDB", hides: .field("X-Request-Token", "k7Rw2xQ9Zt4Vb8Nm"), keeps: .field("Client-Token", "words")),
    RuleExample(
      "de, nl", hides: .answer(#"{"sessiesleutel": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"schlussel": "de-DE"}"#)),
    RuleExample(
      "sv, no, da, fi", hides: .answer(#"{"nyckel": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"avain": "arvo"}"#)),
    RuleExample(
      "tr, hu, pl, cs, sk, hr, sl, lt, et, ro", hides: .answer(#"{"erişimAnahtarı": "k3Kd8sJq2Lm5Nv7Xb1Zc4Pw6"}"#),
      keeps: .answer(#"{"klic": "cs-CZ"}"#)),
    RuleExample(
      "fr, es, pt, it", hides: .answer(#"{"jetonDAcces": "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"}"#),
      keeps: .answer(#"{"chave": "azul"}"#)),
    RuleExample(
      "ru, ja, zh, ko, he, ar, el", hides: .answer(#"{"アクセストークン": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"更新トークン": "a1b2"}"#)),
    RuleExample(
      "places in a list, parts of a language, currencies", hides: .answer(#"{"access_token": "q9Q2xT7vB8nL4pR6"}"#),
      keeps: .answer(#"{"changeToken": "q9Q2xT7vB8nL4pR6"}"#)),
    RuleExample(
      "documents of services; keys that place or name", hides: .answer(#"{"server_key": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"vapid_key": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#)),
    RuleExample(
      "what describes a secret", hides: .answer(#"{"token": "x9-zk2q7"}"#),
      keeps: .answer(#"{"thoughtSignature": "q9Q2xT7vB8nL4pR6"}"#)),
    RuleExample(
      "identifiers, digests, cursors and traces", hides: .answer(#"{"token": "k7Rw2xQ9Zt4Vb8Nm"}"#),
      keeps: .answer(#"{"cursor": "k7Rw2xQ9Zt4Vb8Nm"}"#)),
    RuleExample(
      "choices and counts of visits: Google, Meta, Microsoft, Hotjar, Matomo, Segment, OneTrust",
      hides: .field("Cookie", "sid=x9-zk2q7"), keeps: .field("Cookie", "_ga=x9-zk2q7")),
    RuleExample(
      "what traces a request, describes its content or says who sends it",
      hides: .field("X-Zone-Entry", "k7Rw2xQ9Zt4Vb8Nm"), keeps: .field("X-B3-SpanId", "k7Rw2xQ9Zt4Vb8Nm")),
  ]

  static let ofWords: [RuleExample] = [
    RuleExample(
      "of programs, of headers, and schemes without credentials", hides: .answer(#"{"token": "blue-4kettle"}"#),
      keeps: .answer(#"{"token": "undefined"}"#)),
    RuleExample(
      "words that only a password is, at first", hides: .answer(#"{"password": "change-me"}"#),
      keeps: .answer(#"{"password": "changed"}"#)),
    RuleExample(
      "after a name, they say how the value is written", hides: .answer(#"{"token_hex": "x9-zk2q7"}"#),
      keeps: .answer(#"{"token_size": "x9-zk2q7"}"#)),
    RuleExample(
      "after a name, they say that its value follows", hides: .answer("Ihr Code lautet 493817"),
      keeps: .answer("Ihr Code kostet 493817")),
    RuleExample(
      "en, es, pt, it, pl, da, fi, et, ro, ru, ja, zh, ko", hides: .answer(#"{"doorCode": "493817"}"#),
      keeps: .answer(#"{"doorSize": "493817"}"#)),
    RuleExample(
      "what a code opens or proves", hides: .answer(#"{"codigo_sms": "493817"}"#),
      keeps: .answer(#"{"codigo_libro": "493817"}"#)),
    RuleExample(
      "what a code can be instead", hides: .answer(#"{"accessCode": "493817"}"#),
      keeps: .answer(#"{"accessErrorCode": "493817"}"#)),
    RuleExample(
      "words of sentences, which no passphrase has", hides: .answer(#"{"secret": "correct horse battery staple"}"#),
      keeps: .answer(#"{"secret": "this horse has your battery"}"#)),
    RuleExample(
      "how segments begin before a token that only the receiver of a link knows",
      hides: .address("/reset/k7Rw2xQ9Zt4Vb8Nm"), keeps: .address("/users/k7Rw2xQ9Zt4Vb8Nm")),
    RuleExample(
      "in names of addresses that a server calls, whose last segment only that server knows",
      hides: .answer(#"{"targetUrl": "https://a.example/hs/7fb4977711890564d6ea30fd971a68d1285f77f2"}"#),
      keeps: .answer(#"{"imageUrl": "https://a.example/hs/7fb4977711890564d6ea30fd971a68d1285f77f2"}"#)),
    RuleExample(
      "hosts whose addresses end with a secret; documents of Slack, Zapier, Alchemy, Infura, Dropbox, Stripe",
      hides: .request("https://hooks.zapier.com/a/4g8cjgg/"), keeps: .request("https://docs.zapier.com/a/4g8cjgg/")),
    RuleExample(
      "members of an object with the name of a secret that are the secret itself",
      hides: .answer(#"{"secret": {"value": "x9-zk2q7"}}"#), keeps: .answer(#"{"secret": {"page": "x9-zk2q7"}}"#)),
    RuleExample(
      "in names of functions whose argument isn't what the rest of the name says",
      hides: .answer(#"<script>x.setToken("x9-zk2q7")</script>"#),
      keeps: .answer(#"<script>x.getToken("x9-zk2q7")</script>"#)),
    RuleExample(
      "members that describe a secret", hides: .answer(#"{"own": {"page": "x"}}"#),
      keeps: .answer(#"{"own": {"type": "x"}}"#)),
    RuleExample(
      "property lists, tables and lists of pages", hides: .answer("<r><tokens><item>x9-zk2q7</item></tokens></r>"),
      keeps: .answer("<r><tokens><size>x9-zk2q7</size></tokens></r>")),
    RuleExample(
      "of a pair", hides: .answer(#"{"key": "jwt", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"page": "jwt", "value": "x9-zk2q7"}"#)),
    RuleExample(
      "of a pair", hides: .answer(#"{"name": "jwt", "content": "x9-zk2q7"}"#),
      keeps: .answer(#"{"name": "jwt", "page": "x9-zk2q7"}"#)),
    RuleExample("RFC 6749", hides: .request(#"{"code": "493817"}"#), keeps: .request(#"{"page": "493817"}"#)),
    RuleExample(
      "beside an OAuth code", hides: .form("grant_type=a&code=blue-kettle"), keeps: .form("page=a&code=blue-kettle")),
    RuleExample(
      "beside a value", hides: .answer(#"{"type": "password", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"type": "page", "value": "x9-zk2q7"}"#)),
    RuleExample(
      "beside a value, as in fields of messages and in RFC 6902",
      hides: .answer(#"{"path": "/jwt", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"page": "/jwt", "value": "x9-zk2q7"}"#)),
    RuleExample("beside a second factor", hides: .form("pass=none&code=4938"), keeps: .form("page=none&code=4938")),
    RuleExample(
      "beside an everyday word as a password", hides: .request(#"{"usuario": "a", "clave": "azul"}"#),
      keeps: .request(#"{"page": "a", "clave": "azul"}"#)),
    RuleExample(
      "everyday words that are a password beside a user", hides: .request(#"{"user": "a", "parola": "casa"}"#),
      keeps: .request(#"{"user": "a", "page": "casa"}"#)),
    RuleExample(
      "beside its check", hides: .request(#"{"number": "4629642727349961", "cvc": "none"}"#),
      keeps: .request(#"{"page": "4629642727349961", "cvc": "none"}"#)),
    RuleExample(
      "beside a card's number", hides: .request(#"{"number": "4629642727349961", "cvv": "none"}"#),
      keeps: .request(#"{"number": "4629642727349961", "page": "none"}"#)),
  ]

  static let all = ofNames + ofWords

  /// Where the facts about the keys of services were looked up, by the first text of each row of ``ShapeRule``: the
  /// services, and the rules of gitleaks, trufflehog and detect-secrets, GitHub's list of patterns, or documents.
  static let sourcesOfShapes: [String: String] = [
    "sk_live_": "Stripe, Trigger.dev; gitleaks",
    "xoxs-": "Slack, Aiven, GitLab, Hugging Face; gitleaks, GitHub",
    "AKIA": "AWS; its documents",
    "A3-": "1Password, Octopus Deploy, New Relic, Age; gitleaks, trufflehog",
    "sk-": "LiteLLM, Anthropic, DeepSeek, LangFuse, OpenAI, OpenRouter; gitleaks, GitHub, documents",
    "$2a$10$": "bcrypt",
    "eyJ": "JSON Web Tokens and other signed JSON; RFC 7519",
    "-----BEGIN": "private keys; RFC 7468",
  ]
}
