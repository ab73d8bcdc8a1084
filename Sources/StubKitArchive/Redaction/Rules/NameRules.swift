import StubKit

/// What the names of values say, a row each. CONTRIBUTING says how to add one.
///
/// The columns are the names, how sure they are, where they count, the source or the reason, an example that is
/// replaced and one that stays. The examples are bodies of responses, or begin as `asked(_:)` of the tests does. Of
/// several names with which a name ends, the longest one counts.
enum NameRules {
  /// How names are written: `a` as the last words of a name, `*a` also within a word, `~a` as any word, and at either
  /// end of a word if it is long, `+a` after another word, `=a` alone. `{a b}_c` are `a_c` and `b_c`. Underscores,
  /// plurals and accents don't matter.
  static let rows = #"""
    {access refresh auth session bearer api oauth security authentication private}_token | token | | RFC 6749,
      gitleaks | {"access_token": "facadefacade"} | {"access_token": null}
    =id_token =idtoken | token | | OpenID Connect | {"id_token": "blue-kettle"} | {"valid_token": "blue-kettle"}
    tracker_token | token | header | Pivotal Tracker | @X-TrackerToken=blue-kettle | {"tracker_token": "blue-kettle"}
    {api api_secret secret secret_access private_api}_key {client consumer app api webhook}_secret | token | | RFC
      6749, AWS | {"client_secret": "IAgul9[OnH29]B]5H"} | {"api_key": true}
    *token *secret *credential | secret | | gitleaks, trufflehog | {"upload_token": "x9-zk2q7"} | {"token": "input"}
    *signature sig *assertion *cookie *jwt csrf xsrf rpt dpop | secret | | RFC 7519, RFC 9449 | {"csrf": "x9-zk2q7"}
      | {"jwt": "RS256"}
    {api app application access secret private priv master session signing sign signature encryption encrypt shared
      account subscription auth authentication authorization hmac aes stream integration write admin service server
      consumer license ssh ingest ingestion anon deploy webhook security storage merchant token user rapidapi cron
      partner function publishing db database vault identity licence activation enrollment gateway cipher
      instrumentation cookie unseal root access_id}_key secret_or_key sess_key access_key_id *api_key *app_key
      *secret_key *private_key *access_key *auth_key | secret | | detect-secrets, gitleaks | {"signing_key":
      "x9-zk2q7"} | {"public_key": "q9Q2xT7vB8nL4pR6sW1z"}
    *sessionid *sessid *saml_response saml_art *token_hint *token_binding pepper creds cred mnemonic *seed_phrase
      *recovery_phrase *secret_proof *authorization_fingerprint *deletehash *sca_authentication *honeycomb_team
      hdnea hdnts *temporary_proof | secret | | OASIS SAML, BIP 39, PSD2, Akamai | {"sessionid": "x9-zk2q7"} |
      {"pepper": "black"}
    *security_answer *secret_answer *sicherheitsantwort *reponse_secrete *respuesta_secreta *resposta_secreta
      *risposta_segreta | secret | | detect-secrets; de, fr, es, pt, it | < {"securityAnswer": "Hinterberger"} |
      {"securityAnswer": "wrong"}
    pan *card_number *ccnumber | secret | | PCI DSS | < {"pan": "4629642727349961"} | {"cardNumber": "**** 2894"}
    *authorization auth | secret | header | RFC 9110 | @X-Auth=x9-zk2q7 | @X-Auth-Mode=x9-zk2q7
    +key | secret | header | IANA: X-Api-Key and its like | @X-Functions-Key=x9-zk2q7 |
      @Idempotency-Key=q9Q2xT7vB8nL4pR6sW1z
    *password *passwd *passphrase *pwd pass pw psk *identified_by | password | | gitleaks, detect-secrets |
      {"password": "Zebra-4711"} | {"password": ["is too short"]}
    ~passwort ~kennwort losungswort zugangswort ~sicherheitswort | password | | de | {"kennwort": "Bach-1685"} |
      {"passwort": "Passwort"}
    ~contrasena ~contrasenya clave_acceso clave_de_acceso ~palabraclave | password | | es, ca | {"contraseñaNueva":
      "Rios-99x"} | {"contraseña": "requerida"}
    ~motdepasse ~mdp | password | | fr | < {"motDePasse": "x"} | {"mot_de_passe": "requis"}
    ~senha ~palavrapasse ~palavrachave chave_acesso chave_de_acesso | password | | pt | {"senhaTemporaria":
      "Xk7-plt9"} | {"senha": "Esqueceu a senha?"}
    ~parolachiave parola_accesso parola_ordine | password | | it | < {"parola_chiave": "casa"} | {"parola": "casa"}
    ~wachtwoord ~losenord ~adgangskode ~passord ~kodeord ~losen ~salasana ~lykilorð ~lykilord | password | | nl, sv,
      da, no, fi, is | < {"wachtwoord": "fiets"} | {"wachtwoord": "vergeten"}
    ~haslo ~hasło ~heslo ~jelszo ~lozinka ~geslo ~slaptazodis ~parool ~parol ~sifre ~sifresi ~parolasi ~sifreniz
      ~eskiparola ~yeniparola katasandi sandi matkhau ~fjalekalim | password | | pl, cs, hu, hr, sl, lt, et, lv, tr,
      id, vi, sq | < {"haslo": "c"} | {"heslo": "zapomenuté"}
    ~пароль ~парола ~лозинка ~密码 ~密碼 ~口令 ~パスワード ~暗証 ~비밀번호 ~암호 ~รหัสผ่าน ~סיסמה ~סיסמא ~κωδικός ~κωδικοσ ~पासवर्ड
      ~رمزعبور ~mima | password | | ru, bg, sr, zh, ja, ko, th, he, el, hi, fa | < {"пароль": "снег"} | {"пароль":
      "забыт"}
    ~كلمةالمرور ~كلمةالسر ~گذرواژه | password | | ar, fa | < {"كلمة_المرور": "x9-zk2q7"} | {"كلمة": "x9-zk2q7"}
    pin otp totp cvv cvc cvn csc tan puk spin mpin *passcode *one_time_code cryptogramme 暗証番号 geheimzahl cvv2 cvc2
      cv2 | code | | PCI DSS, RFC 6238, ISO 9564 | {"otp": "493817"} | {"pin": "blue"}
    {oob confirmation transfer authorization}_code code_confirmation | code | sent | Firebase, Cognito, Paystack | <
      {"ConfirmationCode": "39207714"} | {"ConfirmationCode": "39207714"}
    device_code user_code code_verifier oauth_verifier auth_req_id | words | | RFC 8628, RFC 7636, RFC 5849, CIBA |
      {"device_code": "GmRhm-blue"} | {"device_codes": true}
    sid session *session session_id secret_id ~sitzung ~sesion ~sessao ~sessione ~sesja ~sessie | session | | RFC
      6265, Vault; de, es, pt, it, pl, nl | {"sid": "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"} | {"sid":
      "AC5d739cb46598fc532b39a7a647806f17"}
    ticket | session | query | CAS, SharePoint | /?ticket=a84f3307-59ae-4268-a7b1-8bac7dc2193b | {"ticket":
      "9f0d2c1e-8a7b-4c6d-9e5f-1a2b3c4d5e6f"}
    +key ticket auth sign hmac mac seed crumb modhash bearer =access =refresh session_info loginhash otac =appid
      {grecaptcha hcaptcha cf_turnstile}_response temp_auth art_api session_data accessor login_return
      access_license_number rl_key webhook_id unseal_share qr_payload proof authorization client_key {oob
      confirmation transfer authorization}_code | key | | documents of UPS, Reddit, Jenkins, reCAPTCHA, Vault, TMDB
      | {"authTicket": "k7Rw2xQ9Zt4Vb8Nm"} | {"breadcrumb": "q9Q2xT7vB8nL4pR6sW1z"}
    nonce | key | member | OpenID Connect | {"nonce": "q9Q2xT7vB8nL4pR6sW1z"} | <script
      nonce="q9Q2xT7vB8nL4pR6sW1zE5mHq9Q2xT7v">
    ~token | key | | the first word, as in French and Spanish | {"tokenAtualizacao": "q9Q2xT7vB8nL4pR6sW1zE5mH"} |
      {"tokenGid": "33fa41d472410572"}
    =code | key | member | Instagram, Zoom | {"uuid": "1", "code": "f074c9b7edc67e328be458bbad7f265b"} | {"code":
      "B08N5WRWNW"}
    =code key =bilet =codigo =codice =kod =kode =hm | key | query form | Discord, RFC 6749; es, it, pl, da |
      /?key=k7Rw2xQ9Zt4Vb8Nm | /?code=WINTER25X9
    request_token client_token | key | header | TMDB | @X-Request-Token=k7Rw2xQ9Zt4Vb8Nm | @Client-Token=words
    ~schlussel ~schluessel ~geheimnis ~geheim ~unterschrift ~signatur ~sleutel ~handtekening | key | | de, nl |
      {"sessiesleutel": "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"schlussel": "de-DE"}
    ~nyckel ~nøkkel ~nokkel ~nøgle ~avain ~hemlighet ~hemmelighet ~hemmelighed | key | | sv, no, da, fi | {"nyckel":
      "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"avain": "arvo"}
    ~anahtar ~anahtari ~anahtarı ~jetonu ~imza ~kulcs ~titok ~klucz ~klic ~kluc ~kljuc ~ključ ~klyuch ~raktas ~voti
      ~zeton ~sekret ~tajemstvi ~podpis ~cheie ~tajna | key | | tr, hu, pl, cs, sk, hr, sl, lt, et, ro |
      {"erişimAnahtarı": "k3Kd8sJq2Lm5Nv7Xb1Zc4Pw6"} | {"klic": "cs-CZ"}
    ~clef ~cle ~jeton ~clave ~llave ~secreto ~chave ~segredo ~assinatura ~chiave ~segreto ~firma ~ficha_acceso | key
      | | fr, es, pt, it | {"jetonDAcces": "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"} | {"chave": "azul"}
    ~ключ ~токен ~секрет ~подпись ~トークン ~シークレット ~鍵 ~令牌 ~密钥 ~密鑰 ~lingpai ~토큰 ~키 ~비밀키 ~מפתח ~مفتاح ~κλειδί | key | |
      ru, ja, zh, ko, he, ar, el | {"アクセストークン": "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"更新トークン": "a1b2"}
    {page next forward backward previous prev pagination continuation sync cursor mark trace tracker resume scroll
      seek separator cancellation cancel bos eos unk pad mask cls sep stop base quote output prompt completion total
      max min native reward pool last first special added syntax parse design cached reasoning image audio class
      type delta iterator skip version change concurrency client client_request consistency evaluated snapshot
      position revision lock update etag xdebug watermark checkpoint batch ordering offset request json_web
      idempotency postman}_token =input_token {from to sell buy in out}_token | public | | places in a list, parts
      of a language, currencies | {"access_token": "q9Q2xT7vB8nL4pR6"} | {"changeToken": "q9Q2xT7vB8nL4pR6"}
    {public pub vapid idempotency cache surrogate websocket partition row sort primary foreign object file
      publishable request shard map verify verification issue translation i18n hot message record entity lookup
      encoding sender correlation change retry incident dedup deduplication rollout event group client_public}_key
      application_pub_key {cle clave chave chiave}_cache rollout_seed | public | | documents of services; keys that
      place or name | {"server_key": "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"vapid_key": "q9Q2xT7vB8nL4pR6sW1zE5mH"}
    {project host}_key type_pin no_secret checksum_secret web_credential thought_signature attribution_signature
      {token key}_{id gid name type address uri url endpoint status} secret_{name type status} sym_key_version |
      public | | what describes a secret | {"token": "x9-zk2q7"} | {"thoughtSignature": "q9Q2xT7vB8nL4pR6"}
    id ids date algorithm *uuid guid gid hash *digest sha sha1 sha256 sha512 md5 *checksum etag *cursor =next =prev
      =previous =after =before tag tags *trace *traceparent *tracestate span revision commit fingerprint thumbprint
      integrity boundary arn slug avatar image thumbnail picture blurhash modulus | public | | identifiers, digests,
      cursors and traces | {"token": "k7Rw2xQ9Zt4Vb8Nm"} | {"cursor": "k7Rw2xQ9Zt4Vb8Nm"}
    ~span ~b3 ~baggage ~newrelic ~request ~correlation ~transaction ~digest ~hash ~sha ~sha1 ~sha256 ~md5 ~checksum
      ~etag ~match ~target ~agent ~date ~timestamp ~time ~version ~range ~cursor ~device ~installation ~identifier
      ~idempotency ~host ~authority ~path ~origin ~referer ~language ~locale ~encoding ~boundary ~cert ~certificate
      ~build ~commit ~revision ~release ~tenant ~account ~org ~organization ~project ~workspace ~user ~customer
      ~shop ~store ~site ~team ~fingerprint ~topic ~operation ~lock ~destination ~model ~type ~name ~trace
      ~traceparent ~tracestate ~accept ~content ~sec ~if client *id x_client_data | described | header | what traces
      a request, describes its content or says who sends it | @X-Zone-Entry=k7Rw2xQ9Zt4Vb8Nm |
      @X-B3-SpanId=k7Rw2xQ9Zt4Vb8Nm
    """#
}
