import StubKit

/// Words that tell what a name or a value is, a row each: what they are, the words, and why.
enum WordRules {
  static let rows = #"""
    constants | true false null nil none undefined yes no on off - fetch required no-check basic bearer digest
      negotiate ntlm token apikey oauth dpop hawk | of programs, of headers, and schemes without credentials
    qualifiers | value string plain plaintext text encoded encrypted base64 hash hashed confirm confirmation
      confirmed again repeat new old current attempt field input ed25519 sha1 sha256 sha512 256 512 v1 v2 1 2 pem
      data hex b64 raw words base | after a name, they say how the value is written
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
    copulas | is ist lautet est es é è jest är er | between what is meant and a value in a sentence
    codesInSentences | code codice código codigo kod kode pin | before a number of four to eight digits
    prose | the your you and must for are not use has with | words of sentences, which no passphrase has
    links | magic invit reset verif confirm activ unsubscribe webhook hook token ticket reinitialis restablec cancel
      join share ical feed calendar multipass | how segments begin before a token that only the receiver of a link
      knows
    logins | auth login signin register signup | last segments of a path whose response is a token
    flows | flow login log_in | segments before the identifier of a login
    programs | api rest v1 v2 v3 v4 schemas | segments of an address that a program calls
    pictures | picture avatar image img photo icon logo thumbnail cover | words of the names of addresses of files
    callbacks | hook cloudhook webhook callback call target notify endpoint push invite invitation reset cancel
      share | words of the names of addresses that a server calls
    members | access refresh value token secret raw plain key stringvalue s | members of an object with the name of
      a secret that are the secret itself
    descriptions | type tokentype typ kind alg algorithm scope scopes status state provider issuer format method
      realm granttype | members that describe a secret
    settings | locale localization lang language theme currency consent country timezone | last words of cookies
      that keep a choice
    visits | _ga_ _gat_ _gid_ _gcl_ _fbp _fbc _clck _clsk _uet _hj _pk_ ajs_ cookieconsent optanon __utm traceid
      cloudfront-key-pair-id | how cookies begin that count visits or keep a consent: Google, Meta, Microsoft,
      Hotjar, Matomo, Segment, OneTrust
    answers | accept-ch age allow alt-svc cache-control cf-ray clear-site-data content-digest content-md5 date
      digest etag expect-ct expires last-modified nel permissions-policy proxy-authenticate repr-digest report-to
      reporting-endpoints retry-after sec-websocket-accept server server-timing traceparent tracestate via
      strict-transport-security vary www-authenticate x-amz-cf-id x-amz-id-2 x-amz-request-id x-amzn-trace-id
      x-goog-hash x-request-id | headers of responses that hash, trace, or say what a cache or a client may do
    families | access-control- content-security-policy public-key-pins x-ratelimit- | how others of them begin
    signed | key sig signature | public beside the identifier of a key
    role name | name key field header param parameter k property label | of a pair
    role value | value v val content string | of a pair
    role code | code | RFC 6749
    role grant | grant_type grantType redirect_uri redirectUri | beside an OAuth code
    role companion | state iss session_state sessionState scope | beside an OAuth code, RFC 9207
    role password | password passwd pwd pass email phone phoneNumber phone_number To sessionInfo | beside a second
      factor
    role type | type | beside a value
    role keyID | keyid key_id keyId kid key_identifier | beside a public key
    role user | user username user_name userName login uname usuario utilisateur identifiant benutzer benutzername
      utente usuário usuario_id gebruiker gebruikersnaam käyttäjä tunnus bruker användare brukernavn логин
      kullaniciAdi kullanici kullanıcı użytkownik | beside an everyday word as a password
    role phrase | clave chave parola parole codice sandi geheimnis secreto segredo segreto code_secret hasło |
      everyday words that are a password beside a user
    role card | number numero card[number] | beside its check
    role check | cvc cvv card[cvc] card[cvv] | beside a card's number
    """#

  static let lists = rows.rows.reduce(into: [String: Set<String>]()) { lists, row in
    lists[row[0]] = Set(row[1].pieces(at: " ").map(String.init))
  }
}

/// A row of the words.
enum WordList: String {
  case constants, qualifiers, codes, purposes, otherCodes, copulas, codesInSentences, prose, links, logins, flows
  case programs, pictures, callbacks, members, descriptions, settings, visits, answers, families, signed

  var words: Set<String> { WordRules.lists[rawValue] ?? [] }

  func contains(_ word: String) -> Bool { words.contains(word) }
}
