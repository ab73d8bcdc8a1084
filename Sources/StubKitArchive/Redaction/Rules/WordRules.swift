import StubKit

/// The rules about words. CONTRIBUTING says how to add one.
///
/// A word of ``codes`` at either end of a name and one of ``purposes``, or one that begins like it, make the name that
/// of a code: `doorCode`, `codigo_sms`. A role says what a name tells about the value beside it.
enum WordRules {
  /// Values of programs and of headers, and schemes without credentials.
  static let constants: Set<String> = [
    "true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off", "-", "fetch", "required",
    "no-check", "basic", "bearer", "digest", "negotiate", "ntlm", "token", "apikey", "oauth", "dpop", "hawk",
  ]

  /// Words that are a password, at first.
  static let defaults: Set<String> = [
    "changeme", "changeit", "changethis", "changemenow", "pleasechange", "pleasechangeme", "letmein", "qwerty",
    "qwertyuiop", "asdfgh", "iloveyou", "opensesame", "toor", "supersecret", "topsecret", "mysecret", "mypassword",
    "secretpassword",
  ]

  /// Words after a name that say how its value is written.
  static let qualifiers: Set<String> = [
    "value", "string", "plain", "plaintext", "text", "encoded", "encrypted", "base64", "hash", "hashed", "confirm",
    "confirmation", "confirmed", "again", "repeat", "new", "old", "current", "attempt", "field", "input", "ed25519",
    "sha1", "sha256", "sha512", "256", "512", "v1", "v2", "1", "2", "pem", "data", "hex", "b64", "raw", "words",
    "base", "keyword",
  ]

  /// Words after a name that say that its value follows.
  static let copulas: Set<String> = ["is", "ist", "lautet", "est", "es", "e", "jest", "ar", "er"]

  static let codes: Set<String> = [
    "code", "codigo", "codice", "kod", "kode", "koodi", "kodu", "cod", "код", "コード", "码", "碼", "번호",
  ]

  /// What a code opens or proves.
  static let purposes: Set<String> = [
    "verif", "validat", "securi", "secret", "access", "login", "auth", "token", "backup", "recover", "session",
    "onetime", "sms", "mfa", "otp", "totp", "2fa", "twofactor", "pin", "door", "gate", "lock", "lockbox", "keybox",
    "unlock", "safe", "alarm", "entry", "binding", "claim", "pickup", "enterthe", "pair", "pairing", "setup",
    "reset", "invit", "activ", "dispositiv", "entreg", "consegn", "cles", "master", "blik", "bestatig", "bestaetig",
    "sicherheit", "zugang", "einmal", "freischalt", "abhol", "toegang", "herstel", "bevestig", "afhaal", "segur",
    "recup", "acceso", "acesso", "puerta", "porta", "firma", "validac", "segret", "sicurez", "ritiro", "acces",
    "porte", "retrait", "confidentiel", "engang", "grind", "kerta", "vahvist", "weryfik", "logowan", "jednoraz",
    "odbior", "overovac", "potvrz", "dogrula", "giris", "onay", "kapi", "подтвержд", "доступ", "認証", "確認", "验证",
    "驗證", "인증",
  ]

  /// What a code can be instead.
  static let otherCodes: Set<String> = [
    "error", "status", "exit", "response", "result", "reason", "type", "http", "country", "postal", "zip", "area",
    "product",
  ]

  /// Words of sentences, which no passphrase has.
  static let prose: Set<String> = ["the", "your", "you", "and", "must", "for", "are", "not", "use", "has", "with"]

  /// How segments of a path begin before a token that only the receiver of a link knows.
  static let links: Set<String> = [
    "login", "flow", "magic", "invit", "reset", "verif", "confirm", "activ", "unsubscribe", "webhook", "hook",
    "token", "ticket", "reinitialis", "restablec", "cancel", "join", "share", "ical", "feed", "calendar",
    "multipass", "bot", "private", "secret",
  ]

  /// Words in names of addresses that a server calls. Only that server knows the last segment.
  static let callbacks: Set<String> = [
    "hook", "cloudhook", "webhook", "callback", "call", "target", "notify", "endpoint", "push", "invite",
    "invitation", "reset", "cancel", "share",
  ]

  /// Hosts whose addresses end with a secret.
  static let addresses: Set<String> = [
    "hooks.slack.com", "hooks.zapier.com", "g.alchemy.com", "infura.io", "dl.dropboxusercontent.com",
    "pay.stripe.com", "invoice.stripe.com",
  ]

  /// Members of an object with the name of a secret that are the secret itself.
  static let members: Set<String> = [
    "access", "refresh", "value", "token", "secret", "raw", "plain", "key", "stringvalue", "s", "values",
    "arrayvalue", "l", "ss", "list", "current", "new", "old", "previous", "default", "plaintext", "plain_text",
    "$binary", "base64", "$symbol", "$uuid", "@value", "$value", "_value", "#text", "_text", "__text", "$t",
    "#cdata", "_cdata", "__cdata", "_", "string", "example", "const",
  ]

  /// Words in names of functions whose argument isn't what the rest of the name says.
  static let askingVerbs: Set<String> = [
    "get", "find", "fetch", "has", "is", "verify", "validate", "check", "require", "create", "make", "new", "load",
    "read", "parse", "decode", "on", "generate", "issue", "revoke", "delete", "remove", "reset", "forgot", "show",
    "hide", "test", "no",
  ]

  /// Members that describe a secret.
  static let descriptions: Set<String> = [
    "type", "tokentype", "typ", "kind", "alg", "algorithm", "scope", "scopes", "status", "state", "provider",
    "issuer", "format", "method", "realm", "granttype",
  ]

  /// Elements of XML and HTML that only contain a value or an item.
  static let valueTags: Set<String> = [
    "string", "value", "array", "dict", "data", "td", "dd", "span", "code", "item", "items", "entry", "element", "e",
    "i", "li", "ul", "ol", "t", "v", "val", "text", "integer", "p", "div", "pre", "samp", "kbd", "tt", "em", "a",
    "str",
  ]

  /// The members that are no names of secrets themselves.
  static let containers = members.subtracting(["access", "refresh", "token", "secret", "key"])

  static let roles: [SecretFinder.Role: Set<String>] = [
    .name: [
      "name", "key", "field", "header", "param", "parameter", "k", "property", "label", "parameterkey",
      "parametername", "optionname", "attributename", "fieldname", "headername", "variablename", "settingname",
    ],
    .value: [
      "value", "v", "val", "content", "string", "parametervalue", "optionvalue", "attributevalue", "fieldvalue",
      "headervalue", "variablevalue", "settingvalue",
    ],
    .code: ["code"],
    .grant: ["granttype", "redirecturi"],
    .type: ["type"],
    .heading: ["title", "path"],
    .password: ["password", "passwd", "pwd", "pass"],
    .user: [
      "user", "username", "login", "usuario", "utilisateur", "identifiant", "benutzer", "benutzername", "utente",
      "usuário", "gebruiker", "gebruikersnaam", "käyttäjä", "tunnus", "bruker", "användare", "brukernavn", "логин",
      "kullanici", "kullanıcı", "użytkownik",
    ],
    .phrase: [
      "clave", "chave", "parola", "parole", "codice", "sandi", "geheimnis", "secreto", "segredo", "segreto",
      "hasło",
    ],
    .card: ["number", "numero", "card[number]"],
    .check: ["cvc", "cvv", "card[cvc]", "card[cvv]"],
  ]
}
