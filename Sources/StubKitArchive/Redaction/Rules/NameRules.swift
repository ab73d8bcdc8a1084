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
  init(
    names: [String] = [], endings: [String] = [], words: [String] = [], wholes: [String] = [], afterWord: [String] = [],
    _ sureness: SecretName.Sureness, in places: Set<Leaf.Place>? = nil, onlyInRequests isOnlyInRequests: Bool = false
  ) {
    (self.names, self.endings, self.words, self.wholes) = (names, endings, words, wholes)
    (self.afterWord, self.sureness, self.places) = (afterWord, sureness, places)
    self.isOnlyInRequests = isOnlyInRequests
  }
}

/// The rules about names. CONTRIBUTING says how to add one.
enum NameRules {
  static let all: [NameRule] = secrets + others

  /// The names of secrets.
  private static let secrets: [NameRule] = [
    NameRule(
      names: ["tracker_token"],
      .sure, in: [.header]),
    NameRule(
      endings: ["token", "secret", "credential"],
      .sure),
    NameRule(
      names: ["sig"],
      .sure, in: [.query, .form, .header]),
    NameRule(
      names: ["csrf", "xsrf", "rpt", "dpop"],
      endings: ["signature", "assertion", "cookie", "jwt"],
      .sure),
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
      .sure),
    NameRule(
      names: ["saml_art", "pepper", "creds", "cred", "mnemonic", "hdnea", "hdnt"],
      endings: [
        "sessionid", "sessid", "saml_response", "token_hint", "token_binding", "seed_phrase",
        "recovery_phrase", "secret_proof", "authorization_fingerprint", "deletehash", "sca_authentication",
        "honeycomb_team", "temporary_proof",
      ],
      .sure),
    NameRule(
      endings: [
        "security_answer", "secret_answer", "sicherheitsantwort", "reponse_secrete", "respuesta_secreta",
        "resposta_secreta", "risposta_segreta",
      ],
      .sure),
    NameRule(
      names: ["pan"],
      endings: ["card_number", "ccnumber"],
      .sure),
    NameRule(
      names: ["auth"],
      endings: ["authorization"],
      .sure, in: [.header]),
    NameRule(
      afterWord: ["key"],
      .sure, in: [.header]),
    NameRule(
      names: ["pass", "pw", "psk"],
      endings: ["password", "passwd", "passphrase", "pwd", "identified_by"],
      .sure),
    NameRule(
      names: ["losungswort", "zugangswort"],
      words: ["passwort", "kennwort", "sicherheitswort"],
      .sure),
    NameRule(
      names: ["clave_acceso", "clave_de_acceso"],
      words: ["contrasena", "contrasenya", "palabraclave"],
      .sure),
    NameRule(
      words: ["motdepasse", "mdp"],
      .sure),
    NameRule(
      names: ["chave_acesso", "chave_de_acesso"],
      words: ["senha", "palavrapasse", "palavrachave"],
      .sure),
    NameRule(
      names: ["parola_accesso", "parola_ordine"],
      words: ["parolachiave"],
      .sure),
    NameRule(
      words: [
        "wachtwoord", "losenord", "adgangskode", "passord", "kodeord", "losen", "salasana", "lykilorð",
        "lykilord",
      ],
      .sure),
    NameRule(
      names: ["katasandi", "sandi", "matkhau"],
      words: [
        "haslo", "hasło", "heslo", "jelszo", "lozinka", "geslo", "slaptazodis", "parool", "parol", "sifre",
        "sifresi", "parolasi", "sifreniz", "eskiparola", "yeniparola", "fjalekalim",
      ],
      .sure),
    NameRule(
      words: [
        "пароль", "парола", "лозинка", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호", "암호", "รหัสผ่าน", "סיסמה",
        "סיסמא", "κωδικός", "κωδικοσ", "पासवर्ड", "رمزعبور", "mima",
      ],
      .sure),
    NameRule(
      words: ["كلمةالمرور", "كلمةالسر", "گذرواژه"],
      .sure),
    NameRule(
      names: [
        "pin", "otp", "totp", "cvv", "cvc", "cvn", "csc", "tan", "puk", "spin", "mpin", "cryptogramme", "暗証番号",
        "geheimzahl", "cvv2", "cvc2", "cv2",
      ],
      endings: ["passcode", "one_time_code"],
      .sure),
    NameRule(
      names: ["oob_code", "confirmation_code", "transfer_code", "authorization_code"],
      wholes: ["code_confirmation"],
      .sure, onlyInRequests: true),
    NameRule(
      names: ["device_code", "user_code", "code_verifier", "oauth_verifier", "auth_req_id"],
      .sure),
    NameRule(
      names: ["sid", "session", "session_id", "secret_id"],
      endings: ["session"],
      words: ["sitzung", "sesion", "sessao", "sessione", "sesja", "sessie"],
      .weak),
    NameRule(
      names: ["ticket"],
      .weak, in: [.query]),
    NameRule(
      names: ["bearer", "basic"],
      .sure, in: [.word]),
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
      .weak),
    NameRule(
      wholes: ["username", "user_name"],
      .weak, in: [.member]),
    NameRule(
      names: ["nonce"],
      .weak, in: [.header, .query, .form, .part, .member]),
    NameRule(
      words: ["token"],
      .weak),
    NameRule(
      wholes: ["code", "codes"],
      .weak, in: [.member]),
    NameRule(
      names: ["key"],
      wholes: ["code", "appid", "bilet", "codigo", "codice", "kod", "kode", "hm"],
      .weak, in: [.query, .form]),
    NameRule(
      names: ["request_token", "client_token"],
      .weak, in: [.header]),
    NameRule(
      words: [
        "schlussel", "schluessel", "geheimnis", "geheim", "unterschrift", "signatur", "sleutel",
        "handtekening",
      ],
      .weak),
    NameRule(
      words: ["nyckel", "nøkkel", "nokkel", "nøgle", "avain", "hemlighet", "hemmelighet", "hemmelighed"],
      .weak),
    NameRule(
      words: [
        "anahtar", "anahtari", "anahtarı", "jetonu", "imza", "kulcs", "titok", "klucz", "klic", "kluc", "kljuc",
        "ključ", "klyuch", "raktas", "voti", "zeton", "sekret", "tajemstvi", "podpis", "cheie", "tajna",
      ],
      .weak),
    NameRule(
      words: [
        "clef", "cle", "jeton", "clave", "llave", "secreto", "chave", "segredo", "assinatura", "chiave",
        "segreto", "firma", "ficha_acceso",
      ],
      .weak),
    NameRule(
      words: [
        "ключ", "токен", "секрет", "подпись", "トークン", "シークレット", "鍵", "令牌", "密钥", "密鑰", "lingpai", "토큰", "키",
        "비밀키", "מפתח", "مفتاح", "κλειδί",
      ],
      .weak),
  ]
}
