import StubKit

/// What names say about their values. Of several rules for names with which a name ends, the one for the longest name
/// counts, and of equal ones the first.
struct NameRule: Sendable {
  /// The names, in lower case, with `_` between words, and without the `X-` of a header: as the last words of a name,
  /// as its end, also within a word, as any word of it, or at its end if they are long, as the whole name, and as its
  /// last word after another one. Underscores, hyphens, plurals and accents don't matter.
  let names: [String], endings: [String], words: [String], wholes: [String], afterWord: [String]
  /// How sure they are. ``SecretName/Sureness/described`` yields to every other rule.
  let sureness: SecretName.Sureness
  /// The places where they count, or `nil` for all.
  let places: Set<Leaf.Place>?
  let isOnlyInRequests: Bool
  /// The source, or the reason.
  let because: String
  /// What is replaced, and what stays. In a rule about what is no secret, the first one has a similar name that is one.
  let hides: RuleExample, keeps: RuleExample

  init(
    names: [String] = [], endings: [String] = [], words: [String] = [], wholes: [String] = [], afterWord: [String] = [],
    _ sureness: SecretName.Sureness, in places: Set<Leaf.Place>? = nil, onlyInRequests isOnlyInRequests: Bool = false,
    because: String, hides: RuleExample, keeps: RuleExample
  ) {
    (self.names, self.endings, self.words, self.wholes) = (names, endings, words, wholes)
    (self.afterWord, self.sureness, self.places) = (afterWord, sureness, places)
    (self.isOnlyInRequests, self.because, self.hides, self.keeps) = (isOnlyInRequests, because, hides, keeps)
  }
}

/// An exchange with a value, as an example of what a rule replaces, or leaves.
enum RuleExample: Sendable {
  /// The body of a response.
  case answer(String)
  /// The body of a request, a form, the path and the query of one, and a header field.
  case request(String), form(String), address(String), field(String, String)
}

/// The rules about names. CONTRIBUTING says how to add one.
enum NameRules {
  static let all: [NameRule] = secrets + others

  /// The names of secrets.
  private static let secrets: [NameRule] = [
    NameRule(
      names: [
        "access_token", "refresh_token", "auth_token", "session_token", "bearer_token", "api_token",
        "oauth_token", "security_token", "authentication_token", "private_token",
      ],
      .token, because: "RFC 6749, gitleaks",
      hides: .answer(#"{"access_token": "facadefacade"}"#),
      keeps: .answer(#"{"access_token": null}"#)),
    NameRule(
      names: ["tracker_token"],
      .token, in: [.header], because: "Pivotal Tracker",
      hides: .field("X-TrackerToken", "blue-kettle"),
      keeps: .answer(#"{"tracker_token": "blue-kettle"}"#)),
    NameRule(
      names: [
        "api_key", "api_secret_key", "secret_key", "secret_access_key", "private_api_key", "client_secret",
        "consumer_secret", "app_secret", "api_secret", "webhook_secret",
      ],
      .token, because: "RFC 6749, AWS",
      hides: .answer(#"{"client_secret": "IAgul9[OnH29]B]5H"}"#),
      keeps: .answer(#"{"api_key": true}"#)),
    NameRule(
      endings: ["token", "secret", "credential"],
      .secret, because: "gitleaks, trufflehog",
      hides: .answer(#"{"upload_token": "x9-zk2q7"}"#),
      keeps: .answer(#"{"token": "input"}"#)),
    NameRule(
      names: ["sig"],
      .secret, in: [.query, .form, .header], because: "Azure",
      hides: .address("/?sig=x9-zk2q7"),
      keeps: .answer(#"{"sig": "k7Rw2xQ9Zt4Vb8Nm"}"#)),
    NameRule(
      names: ["csrf", "xsrf", "rpt", "dpop"],
      endings: ["signature", "assertion", "cookie", "jwt"],
      .secret, because: "RFC 7519, RFC 9449",
      hides: .answer(#"{"csrf": "x9-zk2q7"}"#),
      keeps: .answer(#"{"jwt": "none"}"#)),
    NameRule(
      names: [
        "api_key", "app_key", "application_key", "access_key", "secret_key", "private_key", "priv_key",
        "master_key", "session_key", "signing_key", "sign_key", "signature_key", "encryption_key", "encrypt_key",
        "shared_key", "account_key", "subscription_key", "auth_key", "authentication_key", "authorization_key",
        "hmac_key", "aes_key", "stream_key", "integration_key", "write_key", "admin_key", "service_key", "server_key",
        "consumer_key", "license_key", "ssh_key", "ingest_key", "ingestion_key", "anon_key", "deploy_key",
        "webhook_key", "security_key", "storage_key", "merchant_key", "token_key", "user_key", "rapidapi_key",
        "cron_key", "partner_key", "function_key", "publishing_key", "db_key", "database_key", "vault_key",
        "identity_key", "licence_key", "activation_key", "enrollment_key", "gateway_key", "cipher_key",
        "instrumentation_key", "cookie_key", "unseal_key", "root_key", "access_id_key", "secret_or_key", "sess_key",
        "access_key_id",
      ],
      endings: ["api_key", "app_key", "secret_key", "private_key", "access_key", "auth_key"],
      .secret, because: "detect-secrets, gitleaks",
      hides: .answer(#"{"signing_key": "x9-zk2q7"}"#),
      keeps: .answer(#"{"public_key": "q9Q2xT7vB8nL4pR6sW1z"}"#)),
    NameRule(
      names: ["saml_art", "pepper", "creds", "cred", "mnemonic", "hdnea", "hdnt"],
      endings: [
        "sessionid", "sessid", "saml_response", "token_hint", "token_binding", "seed_phrase",
        "recovery_phrase", "secret_proof", "authorization_fingerprint", "deletehash", "sca_authentication",
        "honeycomb_team", "temporary_proof",
      ],
      .secret, because: "OASIS SAML, BIP 39, PSD2, Akamai",
      hides: .answer(#"{"sessionid": "x9-zk2q7"}"#),
      keeps: .answer(#"{"pepper": "black"}"#)),
    NameRule(
      endings: [
        "security_answer", "secret_answer", "sicherheitsantwort", "reponse_secrete", "respuesta_secreta",
        "resposta_secreta", "risposta_segreta",
      ],
      .secret, because: "detect-secrets; de, fr, es, pt, it",
      hides: .request(#"{"securityAnswer": "Hinterberger"}"#),
      keeps: .answer(#"{"securityAnswer": "wrong"}"#)),
    NameRule(
      names: ["pan"],
      endings: ["card_number", "ccnumber"],
      .secret, because: "PCI DSS",
      hides: .request(#"{"pan": "4629642727349961"}"#),
      keeps: .answer(#"{"cardNumber": "**** 2894"}"#)),
    NameRule(
      names: ["auth"],
      endings: ["authorization"],
      .secret, in: [.header], because: "RFC 9110",
      hides: .field("X-Auth", "x9-zk2q7"),
      keeps: .field("X-Auth-Mode", "x9-zk2q7")),
    NameRule(
      afterWord: ["key"],
      .secret, in: [.header], because: "IANA: X-Api-Key and its like",
      hides: .field("X-Functions-Key", "x9-zk2q7"),
      keeps: .field("Idempotency-Key", "q9Q2xT7vB8nL4pR6sW1z")),
    NameRule(
      names: ["pass", "pw", "psk"],
      endings: ["password", "passwd", "passphrase", "pwd", "identified_by"],
      .password, because: "gitleaks, detect-secrets",
      hides: .answer(#"{"password": "Zebra-4711"}"#),
      keeps: .answer(#"{"password": ["is too short"]}"#)),
    NameRule(
      names: ["losungswort", "zugangswort"],
      words: ["passwort", "kennwort", "sicherheitswort"],
      .password, because: "de",
      hides: .answer(#"{"kennwort": "Bach-1685"}"#),
      keeps: .answer(#"{"passwort": "Passwort"}"#)),
    NameRule(
      names: ["clave_acceso", "clave_de_acceso"],
      words: ["contrasena", "contrasenya", "palabraclave"],
      .password, because: "es, ca",
      hides: .answer(#"{"contraseñaNueva": "Rios-99x"}"#),
      keeps: .answer(#"{"contraseña": "requerida"}"#)),
    NameRule(
      words: ["motdepasse", "mdp"],
      .password, because: "fr",
      hides: .request(#"{"motDePasse": "x"}"#),
      keeps: .answer(#"{"mot_de_passe": "requis"}"#)),
    NameRule(
      names: ["chave_acesso", "chave_de_acesso"],
      words: ["senha", "palavrapasse", "palavrachave"],
      .password, because: "pt",
      hides: .answer(#"{"senhaTemporaria": "Xk7-plt9"}"#),
      keeps: .answer(#"{"senha": "Esqueceu a senha?"}"#)),
    NameRule(
      names: ["parola_accesso", "parola_ordine"],
      words: ["parolachiave"],
      .password, because: "it",
      hides: .request(#"{"parola_chiave": "casa"}"#),
      keeps: .answer(#"{"parola": "casa"}"#)),
    NameRule(
      words: [
        "wachtwoord", "losenord", "adgangskode", "passord", "kodeord", "losen", "salasana", "lykilorð",
        "lykilord",
      ],
      .password, because: "nl, sv, da, no, fi, is",
      hides: .request(#"{"wachtwoord": "fiets"}"#),
      keeps: .answer(#"{"wachtwoord": "vergeten"}"#)),
    NameRule(
      names: ["katasandi", "sandi", "matkhau"],
      words: [
        "haslo", "hasło", "heslo", "jelszo", "lozinka", "geslo", "slaptazodis", "parool", "parol", "sifre",
        "sifresi", "parolasi", "sifreniz", "eskiparola", "yeniparola", "fjalekalim",
      ],
      .password, because: "pl, cs, hu, hr, sl, lt, et, lv, tr, id, vi, sq",
      hides: .request(#"{"haslo": "c"}"#),
      keeps: .answer(#"{"heslo": "zapomenuté"}"#)),
    NameRule(
      words: [
        "пароль", "парола", "лозинка", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호", "암호", "รหัสผ่าน", "סיסמה",
        "סיסמא", "κωδικός", "κωδικοσ", "पासवर्ड", "رمزعبور", "mima",
      ],
      .password, because: "ru, bg, sr, zh, ja, ko, th, he, el, hi, fa",
      hides: .request(#"{"пароль": "снег"}"#),
      keeps: .answer(#"{"пароль": "забыт"}"#)),
    NameRule(
      words: ["كلمةالمرور", "كلمةالسر", "گذرواژه"],
      .password, because: "ar, fa",
      hides: .request(#"{"كلمة_المرور": "x9-zk2q7"}"#),
      keeps: .answer(#"{"كلمة": "x9-zk2q7"}"#)),
    NameRule(
      names: [
        "pin", "otp", "totp", "cvv", "cvc", "cvn", "csc", "tan", "puk", "spin", "mpin", "cryptogramme", "暗証番号",
        "geheimzahl", "cvv2", "cvc2", "cv2",
      ],
      endings: ["passcode", "one_time_code"],
      .code, because: "PCI DSS, RFC 6238, ISO 9564",
      hides: .answer(#"{"otp": "493817"}"#),
      keeps: .answer(#"{"pin": "blue"}"#)),
    NameRule(
      names: ["oob_code", "confirmation_code", "transfer_code", "authorization_code"],
      wholes: ["code_confirmation"],
      .code, onlyInRequests: true, because: "Firebase, Cognito, Paystack",
      hides: .request(#"{"ConfirmationCode": "39207714"}"#),
      keeps: .answer(#"{"ConfirmationCode": "39207714"}"#)),
    NameRule(
      names: ["device_code", "user_code", "code_verifier", "oauth_verifier", "auth_req_id"],
      .token, because: "RFC 8628, RFC 7636, RFC 5849, CIBA",
      hides: .answer(#"{"device_code": "GmRhm-blue"}"#),
      keeps: .answer(#"{"device_codes": true}"#)),
    NameRule(
      names: ["sid", "session", "session_id", "secret_id"],
      endings: ["session"],
      words: ["sitzung", "sesion", "sessao", "sessione", "sesja", "sessie"],
      .session, because: "RFC 6265, Vault; de, es, pt, it, pl, nl",
      hides: .answer(#"{"sid": "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"}"#),
      keeps: .answer(#"{"sid": "AC5d739cb46598fc532b39a7a647806f17"}"#)),
    NameRule(
      names: ["ticket"],
      .session, in: [.query], because: "CAS, SharePoint",
      hides: .address("/?ticket=a84f3307-59ae-4268-a7b1-8bac7dc2193b"),
      keeps: .answer(#"{"ticket": "9f0d2c1e-8a7b-4c6d-9e5f-1a2b3c4d5e6f"}"#)),
    NameRule(
      names: ["bearer", "basic"],
      .secret, in: [.word], because: "RFC 6750, RFC 7617",
      hides: .request("Use Basic k7Rw2xQ9Zt4Vb8Nm"),
      keeps: .request("Use Bearer authentication2")),
    NameRule(
      names: [
        "ticket", "auth", "sign", "hmac", "mac", "seed", "crumb", "modhash", "bearer", "session_info",
        "loginhash", "otac", "grecaptcha_response", "hcaptcha_response", "cf_turnstile_response", "temp_auth",
        "art_api", "session_data", "accessor", "login_return", "access_license_number", "rl_key", "webhook_id",
        "unseal_share", "qr_payload", "proof", "authorization", "client_key", "oob_code", "confirmation_code",
        "transfer_code", "authorization_code",
      ],
      wholes: ["keys", "keys_base64", "access", "refresh"],
      afterWord: ["key"],
      .key, because: "documents of UPS, Reddit, Jenkins, reCAPTCHA, Vault, TMDB",
      hides: .answer(#"{"authTicket": "k7Rw2xQ9Zt4Vb8Nm"}"#),
      keeps: .answer(#"{"breadcrumb": "q9Q2xT7vB8nL4pR6sW1z"}"#)),
    NameRule(
      wholes: ["username", "user_name"],
      .key, in: [.member], because: "Philips Hue, whose users are keys",
      hides: .answer(#"{"username": "2j_0kAVl71lMdpCXydArXC"}"#),
      keeps: .answer(#"{"username": "ann-kettle"}"#)),
    NameRule(
      names: ["nonce"],
      .key, in: [.header, .query, .form, .part, .member], because: "OpenID Connect",
      hides: .answer(#"{"nonce": "q9Q2xT7vB8nL4pR6sW1z"}"#),
      keeps: .answer(#"<script nonce="q9Q2xT7vB8nL4pR6sW1zE5mHq9Q2xT7v">"#)),
    NameRule(
      words: ["token"],
      .key, because: "the first word, as in French and Spanish",
      hides: .answer(#"{"tokenAtualizacao": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"tokenGid": "33fa41d472410572"}"#)),
    NameRule(
      wholes: ["code", "codes"],
      .key, in: [.member], because: "Instagram, Zoom",
      hides: .answer(#"{"uuid": "1", "code": "f074c9b7edc67e328be458bbad7f265b"}"#),
      keeps: .answer(#"{"code": "B08N5WRWNW"}"#)),
    NameRule(
      names: ["key"],
      wholes: ["code", "appid", "bilet", "codigo", "codice", "kod", "kode", "hm"],
      .key, in: [.query, .form], because: "Discord, RFC 6749; es, it, pl, da",
      hides: .address("/?key=k7Rw2xQ9Zt4Vb8Nm"),
      keeps: .address("/?code=WINTER25X9")),
    NameRule(
      names: ["request_token", "client_token"],
      .key, in: [.header], because: "TMDB",
      hides: .field("X-Request-Token", "k7Rw2xQ9Zt4Vb8Nm"),
      keeps: .field("Client-Token", "words")),
    NameRule(
      words: [
        "schlussel", "schluessel", "geheimnis", "geheim", "unterschrift", "signatur", "sleutel",
        "handtekening",
      ],
      .key, because: "de, nl",
      hides: .answer(#"{"sessiesleutel": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"schlussel": "de-DE"}"#)),
    NameRule(
      words: ["nyckel", "nøkkel", "nokkel", "nøgle", "avain", "hemlighet", "hemmelighet", "hemmelighed"],
      .key, because: "sv, no, da, fi",
      hides: .answer(#"{"nyckel": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"avain": "arvo"}"#)),
    NameRule(
      words: [
        "anahtar", "anahtari", "anahtarı", "jetonu", "imza", "kulcs", "titok", "klucz", "klic", "kluc", "kljuc",
        "ključ", "klyuch", "raktas", "voti", "zeton", "sekret", "tajemstvi", "podpis", "cheie", "tajna",
      ],
      .key, because: "tr, hu, pl, cs, sk, hr, sl, lt, et, ro",
      hides: .answer(#"{"erişimAnahtarı": "k3Kd8sJq2Lm5Nv7Xb1Zc4Pw6"}"#),
      keeps: .answer(#"{"klic": "cs-CZ"}"#)),
    NameRule(
      words: [
        "clef", "cle", "jeton", "clave", "llave", "secreto", "chave", "segredo", "assinatura", "chiave",
        "segreto", "firma", "ficha_acceso",
      ],
      .key, because: "fr, es, pt, it",
      hides: .answer(#"{"jetonDAcces": "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"}"#),
      keeps: .answer(#"{"chave": "azul"}"#)),
    NameRule(
      words: [
        "ключ", "токен", "секрет", "подпись", "トークン", "シークレット", "鍵", "令牌", "密钥", "密鑰", "lingpai", "토큰", "키",
        "비밀키", "מפתח", "مفتاح", "κλειδί",
      ],
      .key, because: "ru, ja, zh, ko, he, ar, el",
      hides: .answer(#"{"アクセストークン": "q9Q2xT7vB8nL4pR6sW1zE5mH"}"#),
      keeps: .answer(#"{"更新トークン": "a1b2"}"#)),
  ]
}
