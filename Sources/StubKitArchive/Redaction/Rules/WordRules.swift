import StubKit

/// Words that tell what a name or a value is, a row each: what they are, the words, and why.
///
/// A word of `codes` at either end of a name and one of `purposes`, or one that begins like it, make the name that of a
/// code: `doorCode`, `codigo_sms`.
enum WordRules {
  static let rows = #"""
    constants | true false null nil none undefined yes no on off - fetch required no-check basic bearer digest
      negotiate ntlm token apikey oauth dpop hawk | of programs, of headers, and schemes without credentials
    qualifiers | value string plain plaintext text encoded encrypted base64 hash hashed confirm confirmation
      confirmed again repeat new old current attempt field input ed25519 sha1 sha256 sha512 256 512 v1 v2 1 2 pem
      data hex b64 raw words base is ist lautet est es e jest ar er | after a name, they say how the value is written, or
      that it follows
    codes | code codigo codice kod kode koodi kodu cod код コード 码 碼 번호 | en, es, pt, it, pl, da, fi, et, ro, ru, ja,
      zh, ko
    purposes | verif validat securi secret access login auth token backup recover session onetime sms mfa otp totp
      2fa twofactor pin door gate lock lockbox keybox unlock safe alarm entry binding claim pickup enterthe pair
      pairing setup reset invit activ dispositiv entreg consegn cles master blik bestatig bestaetig sicherheit
      zugang einmal freischalt abhol toegang herstel bevestig afhaal segur recup acceso acesso puerta porta firma
      validac segret sicurez ritiro acces porte retrait confidentiel engang grind kerta vahvist weryfik logowan
      jednoraz odbior overovac potvrz dogrula giris onay kapi подтвержд доступ 認証 確認 验证 驗證 인증 | what a code opens or
      proves
    otherCodes | error status exit response result reason type http country postal zip area product | what a code
      can be instead
    prose | the your you and must for are not use has with | words of sentences, which no passphrase has
    links | login flow magic invit reset verif confirm activ unsubscribe webhook hook token ticket reinitialis
      restablec cancel join share ical feed calendar multipass | how segments begin before a token that only the receiver of a link
      knows
    addresses | hooks.slack.com hooks.zapier.com g.alchemy.com infura.io dl.dropboxusercontent.com
      pay.stripe.com invoice.stripe.com | hosts whose addresses end with a secret; documents of Slack, Zapier,
      Alchemy, Infura, Dropbox, Stripe
    members | access refresh value token secret raw plain key stringvalue s | members of an object with the name of
      a secret that are the secret itself
    descriptions | type tokentype typ kind alg algorithm scope scopes status state provider issuer format method
      realm granttype | members that describe a secret
    role name | name key field header param parameter k property label | of a pair
    role value | value v val content string | of a pair
    role code | code | RFC 6749
    role grant | granttype redirecturi | beside an OAuth code
    role companion | state iss sessionstate | beside an OAuth code, RFC 9207
    role type | type | beside a value
    role password | password passwd pwd pass | beside a second factor
    role user | user username login usuario utilisateur identifiant benutzer benutzername utente
      usuário gebruiker gebruikersnaam käyttäjä tunnus bruker användare brukernavn логин kullanici kullanıcı użytkownik
      | beside an everyday word as a password
    role phrase | clave chave parola parole codice sandi geheimnis secreto segredo segreto hasło | everyday words that
      are a password beside a user
    role card | number numero card[number] | beside its check
    role check | cvc cvv card[cvc] card[cvv] | beside a card's number
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
