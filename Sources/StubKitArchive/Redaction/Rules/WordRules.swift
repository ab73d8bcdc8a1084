import StubKit

/// Words that tell what a name or a value is.
struct WordRule: Sendable {
  let words: Set<String>
  /// Why they do.
  let because: String
  /// What is replaced because of a word, or because one isn't there, and what stays.
  let hides: RuleExample, keeps: RuleExample

  init(_ words: [String], because: String, hides: RuleExample, keeps: RuleExample) {
    (self.words, self.because, self.hides, self.keeps) = (Set(words), because, hides, keeps)
  }
}

/// The rules about words. CONTRIBUTING says how to add one.
///
/// A word of ``codes`` at either end of a name and one of ``purposes``, or one that begins like it, make the name that
/// of a code: `doorCode`, `codigo_sms`. A role says what a name tells about the value beside it.
enum WordRules {
  static let constants = WordRule(
    [
      "true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off", "-", "fetch", "required",
      "no-check", "basic", "bearer", "digest", "negotiate", "ntlm", "token", "apikey", "oauth", "dpop", "hawk",
    ],
    because: "of programs, of headers, and schemes without credentials",
    hides: .answer(#"{"token": "blue-4kettle"}"#),
    keeps: .answer(#"{"token": "undefined"}"#))

  static let defaults = WordRule(
    [
      "changeme", "changeit", "changethis", "changemenow", "pleasechange", "pleasechangeme", "letmein", "qwerty",
      "qwertyuiop", "asdfgh", "iloveyou", "opensesame", "toor", "supersecret", "topsecret", "mysecret", "mypassword",
      "secretpassword",
    ],
    because: "words that only a password is, at first",
    hides: .answer(#"{"password": "change-me"}"#),
    keeps: .answer(#"{"password": "changed"}"#))

  static let qualifiers = WordRule(
    [
      "value", "string", "plain", "plaintext", "text", "encoded", "encrypted", "base64", "hash", "hashed", "confirm",
      "confirmation", "confirmed", "again", "repeat", "new", "old", "current", "attempt", "field", "input", "ed25519",
      "sha1", "sha256", "sha512", "256", "512", "v1", "v2", "1", "2", "pem", "data", "hex", "b64", "raw", "words",
      "base", "keyword",
    ],
    because: "after a name, they say how the value is written",
    hides: .answer(#"{"token_hex": "x9-zk2q7"}"#),
    keeps: .answer(#"{"token_size": "x9-zk2q7"}"#))

  static let copulas = WordRule(
    ["is", "ist", "lautet", "est", "es", "e", "jest", "ar", "er"],
    because: "after a name, they say that its value follows",
    hides: .answer("Ihr Code lautet 493817"),
    keeps: .answer("Ihr Code kostet 493817"))

  static let codes = WordRule(
    ["code", "codigo", "codice", "kod", "kode", "koodi", "kodu", "cod", "код", "コード", "码", "碼", "번호"],
    because: "en, es, pt, it, pl, da, fi, et, ro, ru, ja, zh, ko",
    hides: .answer(#"{"doorCode": "493817"}"#),
    keeps: .answer(#"{"doorSize": "493817"}"#))

  static let purposes = WordRule(
    [
      "verif", "validat", "securi", "secret", "access", "login", "auth", "token", "backup", "recover", "session",
      "onetime", "sms", "mfa", "otp", "totp", "2fa", "twofactor", "pin", "door", "gate", "lock", "lockbox", "keybox",
      "unlock", "safe", "alarm", "entry", "binding", "claim", "pickup", "enterthe", "pair", "pairing", "setup",
      "reset", "invit", "activ", "dispositiv", "entreg", "consegn", "cles", "master", "blik", "bestatig", "bestaetig",
      "sicherheit", "zugang", "einmal", "freischalt", "abhol", "toegang", "herstel", "bevestig", "afhaal", "segur",
      "recup", "acceso", "acesso", "puerta", "porta", "firma", "validac", "segret", "sicurez", "ritiro", "acces",
      "porte", "retrait", "confidentiel", "engang", "grind", "kerta", "vahvist", "weryfik", "logowan", "jednoraz",
      "odbior", "overovac", "potvrz", "dogrula", "giris", "onay", "kapi", "подтвержд", "доступ", "認証", "確認", "验证",
      "驗證", "인증",
    ],
    because: "what a code opens or proves",
    hides: .answer(#"{"codigo_sms": "493817"}"#),
    keeps: .answer(#"{"codigo_libro": "493817"}"#))

  static let otherCodes = WordRule(
    [
      "error", "status", "exit", "response", "result", "reason", "type", "http", "country", "postal", "zip", "area",
      "product",
    ],
    because: "what a code can be instead",
    hides: .answer(#"{"accessCode": "493817"}"#),
    keeps: .answer(#"{"accessErrorCode": "493817"}"#))

  static let prose = WordRule(
    ["the", "your", "you", "and", "must", "for", "are", "not", "use", "has", "with"],
    because: "words of sentences, which no passphrase has",
    hides: .answer(#"{"secret": "correct horse battery staple"}"#),
    keeps: .answer(#"{"secret": "this horse has your battery"}"#))

  static let links = WordRule(
    [
      "login", "flow", "magic", "invit", "reset", "verif", "confirm", "activ", "unsubscribe", "webhook", "hook",
      "token", "ticket", "reinitialis", "restablec", "cancel", "join", "share", "ical", "feed", "calendar",
      "multipass",
    ],
    because: "how segments begin before a token that only the receiver of a link knows",
    hides: .address("/reset/k7Rw2xQ9Zt4Vb8Nm"),
    keeps: .address("/users/k7Rw2xQ9Zt4Vb8Nm"))

  static let callbacks = WordRule(
    [
      "hook", "cloudhook", "webhook", "callback", "call", "target", "notify", "endpoint", "push", "invite",
      "invitation", "reset", "cancel", "share",
    ],
    because: "in names of addresses that a server calls, whose last segment only that server knows",
    hides: .answer(#"{"targetUrl": "https://a.example/hs/7fb4977711890564d6ea30fd971a68d1285f77f2"}"#),
    keeps: .answer(#"{"imageUrl": "https://a.example/hs/7fb4977711890564d6ea30fd971a68d1285f77f2"}"#))

  static let addresses = WordRule(
    [
      "hooks.slack.com", "hooks.zapier.com", "g.alchemy.com", "infura.io", "dl.dropboxusercontent.com",
      "pay.stripe.com", "invoice.stripe.com",
    ],
    because: "hosts whose addresses end with a secret; documents of Slack, Zapier, Alchemy, Infura, Dropbox, Stripe",
    hides: .request("https://hooks.zapier.com/a/4g8cjgg/"),
    keeps: .request("https://docs.zapier.com/a/4g8cjgg/"))

  static let members = WordRule(
    [
      "access", "refresh", "value", "token", "secret", "raw", "plain", "key", "stringvalue", "s", "values",
      "arrayvalue", "l", "ss", "list", "current", "new", "old", "previous", "default", "plaintext", "plain_text",
      "$binary", "base64", "$symbol", "$uuid", "@value", "$value", "_value", "#text", "_text", "__text", "$t",
      "#cdata", "_cdata", "__cdata", "_", "string", "example", "const",
    ],
    because: "members of an object with the name of a secret that are the secret itself",
    hides: .answer(#"{"secret": {"value": "x9-zk2q7"}}"#),
    keeps: .answer(#"{"secret": {"page": "x9-zk2q7"}}"#))

  static let askingVerbs = WordRule(
    [
      "get", "find", "fetch", "has", "is", "verify", "validate", "check", "require", "create", "make", "new", "load",
      "read", "parse", "decode", "on", "generate", "issue", "revoke", "delete", "remove", "reset", "forgot", "show",
      "hide", "test", "no",
    ],
    because: "in names of functions whose argument isn't what the rest of the name says",
    hides: .answer(#"<script>x.setToken("x9-zk2q7")</script>"#),
    keeps: .answer(#"<script>x.getToken("x9-zk2q7")</script>"#))

  static let descriptions = WordRule(
    [
      "type", "tokentype", "typ", "kind", "alg", "algorithm", "scope", "scopes", "status", "state", "provider",
      "issuer", "format", "method", "realm", "granttype",
    ],
    because: "members that describe a secret",
    hides: .answer(#"{"own": {"page": "x"}}"#),
    keeps: .answer(#"{"own": {"type": "x"}}"#))

  /// Elements of XML and HTML that only contain a value or an item.
  static let valueTags = WordRule(
    [
      "string", "value", "array", "dict", "data", "td", "dd", "span", "code", "item", "items", "entry", "element", "e",
      "i", "li", "ul", "ol", "t", "v", "val", "text", "integer", "p", "div", "pre", "samp", "kbd", "tt", "em", "a",
      "str",
    ],
    because: "property lists, tables and lists of pages",
    hides: .answer("<r><tokens><item>x9-zk2q7</item></tokens></r>"),
    keeps: .answer("<r><tokens><size>x9-zk2q7</size></tokens></r>"))

  /// The members that are no names of secrets themselves.
  static let containers = members.words.subtracting(["access", "refresh", "token", "secret", "key"])

  static let roles: [SecretFinder.Role: WordRule] = [
    .name: WordRule(
      [
        "name", "key", "field", "header", "param", "parameter", "k", "property", "label", "parameterkey",
        "parametername", "optionname", "attributename", "fieldname", "headername", "variablename", "settingname",
      ],
      because: "of a pair",
      hides: .answer(#"{"key": "jwt", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"page": "jwt", "value": "x9-zk2q7"}"#)),
    .value: WordRule(
      [
        "value", "v", "val", "content", "string", "parametervalue", "optionvalue", "attributevalue", "fieldvalue",
        "headervalue", "variablevalue", "settingvalue",
      ],
      because: "of a pair",
      hides: .answer(#"{"name": "jwt", "content": "x9-zk2q7"}"#),
      keeps: .answer(#"{"name": "jwt", "page": "x9-zk2q7"}"#)),
    .code: WordRule(
      ["code"],
      because: "RFC 6749",
      hides: .request(#"{"code": "493817"}"#),
      keeps: .request(#"{"page": "493817"}"#)),
    .grant: WordRule(
      ["granttype", "redirecturi"],
      because: "beside an OAuth code",
      hides: .form("grant_type=a&code=blue-kettle"),
      keeps: .form("page=a&code=blue-kettle")),
    .companion: WordRule(
      ["state", "iss", "sessionstate"],
      because: "beside an OAuth code, RFC 9207",
      hides: .address("/?state=a&code=blue-kettle"),
      keeps: .address("/?page=a&code=blue-kettle")),
    .type: WordRule(
      ["type"],
      because: "beside a value",
      hides: .answer(#"{"type": "password", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"type": "page", "value": "x9-zk2q7"}"#)),
    .heading: WordRule(
      ["title", "path"],
      because: "beside a value, as in fields of messages and in RFC 6902",
      hides: .answer(#"{"path": "/jwt", "value": "x9-zk2q7"}"#),
      keeps: .answer(#"{"page": "/jwt", "value": "x9-zk2q7"}"#)),
    .password: WordRule(
      ["password", "passwd", "pwd", "pass"],
      because: "beside a second factor",
      hides: .form("pass=none&code=4938"),
      keeps: .form("page=none&code=4938")),
    .user: WordRule(
      [
        "user", "username", "login", "usuario", "utilisateur", "identifiant", "benutzer", "benutzername", "utente",
        "usuário", "gebruiker", "gebruikersnaam", "käyttäjä", "tunnus", "bruker", "användare", "brukernavn", "логин",
        "kullanici", "kullanıcı", "użytkownik",
      ],
      because: "beside an everyday word as a password",
      hides: .request(#"{"usuario": "a", "clave": "azul"}"#),
      keeps: .request(#"{"page": "a", "clave": "azul"}"#)),
    .phrase: WordRule(
      [
        "clave", "chave", "parola", "parole", "codice", "sandi", "geheimnis", "secreto", "segredo", "segreto",
        "hasło",
      ],
      because: "everyday words that are a password beside a user",
      hides: .request(#"{"user": "a", "parola": "casa"}"#),
      keeps: .request(#"{"user": "a", "page": "casa"}"#)),
    .card: WordRule(
      ["number", "numero", "card[number]"],
      because: "beside its check",
      hides: .request(#"{"number": "4629642727349961", "cvc": "none"}"#),
      keeps: .request(#"{"page": "4629642727349961", "cvc": "none"}"#)),
    .check: WordRule(
      ["cvc", "cvv", "card[cvc]", "card[cvv]"],
      because: "beside a card's number",
      hides: .request(#"{"number": "4629642727349961", "cvv": "none"}"#),
      keeps: .request(#"{"number": "4629642727349961", "page": "none"}"#)),
  ]

  static let all: [WordRule] =
    [
      constants, defaults, qualifiers, copulas, codes, purposes, otherCodes, prose, links, callbacks, addresses,
      members,
      askingVerbs, descriptions, valueTags,
    ] + SecretFinder.Role.allCases.compactMap { roles[$0] }
}
