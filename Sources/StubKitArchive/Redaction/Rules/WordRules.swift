import StubKit

/// Words that tell what a name or a value is, a row each: what they are, the words, why, and two examples as in
/// `NameRules`, one that is replaced and one that stays.
///
/// A word of `codes` at either end of a name and one of `purposes`, or one that begins like it, make the name that of a
/// code: `doorCode`, `codigo_sms`. The `role` of a name says something about the value beside it.
enum WordRules {
  static let rows = #"""
    constants | true false null nil none undefined yes no on off - fetch required no-check basic bearer digest
      negotiate ntlm token apikey oauth dpop hawk | of programs, of headers, and schemes without credentials |
      {"token": "blue-4kettle"} | {"token": "undefined"}
    qualifiers | value string plain plaintext text encoded encrypted base64 hash hashed confirm confirmation confirmed
      again repeat new old current attempt field input ed25519 sha1 sha256 sha512 256 512 v1 v2 1 2 pem data hex b64
      raw words base is ist lautet est es e jest ar er | after a name, they say how the value is written, or that it
      follows | {"token_hex": "x9-zk2q7"} | {"token_size": "x9-zk2q7"}
    codes | code codigo codice kod kode koodi kodu cod код コード 码 碼 번호 | en, es, pt, it, pl, da, fi, et, ro, ru, ja, zh,
      ko | {"doorCode": "493817"} | {"doorSize": "493817"}
    purposes | verif validat securi secret access login auth token backup recover session onetime sms mfa otp totp 2fa
      twofactor pin door gate lock lockbox keybox unlock safe alarm entry binding claim pickup enterthe pair pairing
      setup reset invit activ dispositiv entreg consegn cles master blik bestatig bestaetig sicherheit zugang einmal
      freischalt abhol toegang herstel bevestig afhaal segur recup acceso acesso puerta porta firma validac segret
      sicurez ritiro acces porte retrait confidentiel engang grind kerta vahvist weryfik logowan jednoraz odbior
      overovac potvrz dogrula giris onay kapi подтвержд доступ 認証 確認 验证 驗證 인증 | what a code opens or proves |
      {"codigo_sms": "493817"} | {"codigo_libro": "493817"}
    otherCodes | error status exit response result reason type http country postal zip area product | what a code can
      be instead | {"accessCode": "493817"} | {"accessErrorCode": "493817"}
    prose | the your you and must for are not use has with | words of sentences, which no passphrase has | {"secret":
      "correct horse battery staple"} | {"secret": "this horse has your battery"}
    links | login flow magic invit reset verif confirm activ unsubscribe webhook hook token ticket reinitialis
      restablec cancel join share ical feed calendar multipass | how segments begin before a token that only the
      receiver of a link knows | /reset/k7Rw2xQ9Zt4Vb8Nm | /users/k7Rw2xQ9Zt4Vb8Nm
    addresses | hooks.slack.com hooks.zapier.com g.alchemy.com infura.io dl.dropboxusercontent.com pay.stripe.com
      invoice.stripe.com | hosts whose addresses end with a secret; documents of Slack, Zapier, Alchemy, Infura,
      Dropbox, Stripe | < https://hooks.zapier.com/a/4g8cjgg/ | < https://docs.zapier.com/a/4g8cjgg/
    members | access refresh value token secret raw plain key stringvalue s | members of an object with the name of a
      secret that are the secret itself | {"secret": {"value": "x9-zk2q7"}} | {"secret": {"page": "x9-zk2q7"}}
    descriptions | type tokentype typ kind alg algorithm scope scopes status state provider issuer format method realm
      granttype | members that describe a secret | {"own": {"page": "x"}} | {"own": {"type": "x"}}
    role name | name key field header param parameter k property label | of a pair | {"key": "jwt", "value":
      "x9-zk2q7"} | {"page": "jwt", "value": "x9-zk2q7"}
    role value | value v val content string | of a pair | {"name": "jwt", "content": "x9-zk2q7"} | {"name": "jwt",
      "page": "x9-zk2q7"}
    role code | code | RFC 6749 | < {"code": "493817"} | < {"page": "493817"}
    role grant | granttype redirecturi | beside an OAuth code | form < grant_type=a&code=blue-kettle | form <
      page=a&code=blue-kettle
    role companion | state iss sessionstate | beside an OAuth code, RFC 9207 | /?state=a&code=blue-kettle |
      /?page=a&code=blue-kettle
    role type | type | beside a value | {"type": "password", "value": "x9-zk2q7"} | {"type": "page", "value":
      "x9-zk2q7"}
    role password | password passwd pwd pass | beside a second factor | form < pass=none&code=4938 | form <
      page=none&code=4938
    role user | user username login usuario utilisateur identifiant benutzer benutzername utente usuário gebruiker
      gebruikersnaam käyttäjä tunnus bruker användare brukernavn логин kullanici kullanıcı użytkownik | beside an
      everyday word as a password | < {"usuario": "a", "clave": "azul"} | < {"page": "a", "clave": "azul"}
    role phrase | clave chave parola parole codice sandi geheimnis secreto segredo segreto hasło | everyday words that
      are a password beside a user | < {"user": "a", "parola": "casa"} | < {"user": "a", "page": "casa"}
    role card | number numero card[number] | beside its check | < {"number": "4629642727349961", "cvc": "none"} | <
      {"page": "4629642727349961", "cvc": "none"}
    role check | cvc cvv card[cvc] card[cvv] | beside a card's number | < {"number": "4629642727349961", "cvv": "none"}
      | < {"number": "4629642727349961", "page": "none"}
    """#

  static let lists = rows.rows.reduce(into: [String: Set<String>]()) { lists, row in
    lists[row[0]] = Set(row[1].pieces(at: " ").map(String.init))
  }
}

/// A row of the words.
enum WordList: String {
  case constants, qualifiers, codes, purposes, otherCodes, prose, links, addresses, members, descriptions

  var words: Set<String> { WordRules.lists[rawValue] ?? [] }
}
