import StubKit

/// What the names of values say, a row each. CONTRIBUTING says how to add one.
///
/// The columns are:
///
/// - The names, in lower case, with `_` between words, and without the `X-` of a header.
/// - How sure they are: a column of the table in `SecretDecision`, such as `token` for what is a credential whatever it
///   looks like, `secret` for what can also be a word, and `code` for digits that open something. Or `public`, for what
///   ends like the name of a secret and is none. Or `described`, which only keeps the random value of a header or a
///   cookie, and yields to every other row.
/// - Where they count: everywhere if empty, or cases of `Leaf.Place`, such as `header query form member`, or `sent` for
///   requests.
/// - The source or the reason.
/// - An example that is replaced, and one that stays: the body of a response, or a request that begins with `< ` (its
///   body), `form < ` (a form), `/` (its path and query) or `@` (a header field). In a row of what is no secret, the
///   first example is a similar name that is one.
///
/// Of several names with which a name ends, the longest one counts, and of equal ones the first.
enum NameRules {
  /// How names are written: `a` as the last words of a name, `*a` also within a word, `~a` as any word, and at the end
  /// of one if it is long, `+a` after another word, `=a` alone. Underscores, hyphens, plurals and accents don't matter.
  static let rows = #"""
    access_token refresh_token auth_token session_token bearer_token api_token oauth_token security_token
      authentication_token private_token | token | | RFC 6749, gitleaks | {"access_token": "facadefacade"} |
      {"access_token": null}
    tracker_token | token | header | Pivotal Tracker | @X-TrackerToken=blue-kettle | {"tracker_token": "blue-kettle"}
    api_key api_secret_key secret_key secret_access_key private_api_key client_secret consumer_secret app_secret
      api_secret webhook_secret | token | | RFC 6749, AWS | {"client_secret": "IAgul9[OnH29]B]5H"} | {"api_key": true}
    *token *secret *credential | secret | | gitleaks, trufflehog | {"upload_token": "x9-zk2q7"} | {"token": "input"}
    sig | secret | query form header | Azure | /?sig=x9-zk2q7 | {"sig": "k7Rw2xQ9Zt4Vb8Nm"}
    *signature *assertion *cookie *jwt csrf xsrf rpt dpop | secret | | RFC 7519, RFC 9449 | {"csrf": "x9-zk2q7"} |
      {"jwt": "none"}
    api_key app_key application_key access_key secret_key private_key priv_key master_key session_key signing_key
      sign_key signature_key encryption_key encrypt_key shared_key account_key subscription_key auth_key
      authentication_key authorization_key hmac_key aes_key stream_key integration_key write_key admin_key service_key
      server_key consumer_key license_key ssh_key ingest_key ingestion_key anon_key deploy_key webhook_key security_key
      storage_key merchant_key token_key user_key rapidapi_key cron_key partner_key function_key publishing_key db_key
      database_key vault_key identity_key licence_key activation_key enrollment_key gateway_key cipher_key
      instrumentation_key cookie_key unseal_key root_key access_id_key secret_or_key sess_key access_key_id *api_key
      *app_key *secret_key *private_key *access_key *auth_key | secret | | detect-secrets, gitleaks | {"signing_key":
      "x9-zk2q7"} | {"public_key": "q9Q2xT7vB8nL4pR6sW1z"}
    *sessionid *sessid *saml_response saml_art *token_hint *token_binding pepper creds cred mnemonic *seed_phrase
      *recovery_phrase *secret_proof *authorization_fingerprint *deletehash *sca_authentication *honeycomb_team hdnea
      hdnt *temporary_proof | secret | | OASIS SAML, BIP 39, PSD2, Akamai | {"sessionid": "x9-zk2q7"} | {"pepper":
      "black"}
    *security_answer *secret_answer *sicherheitsantwort *reponse_secrete *respuesta_secreta *resposta_secreta
      *risposta_segreta | secret | | detect-secrets; de, fr, es, pt, it | < {"securityAnswer": "Hinterberger"} |
      {"securityAnswer": "wrong"}
    pan *card_number *ccnumber | secret | | PCI DSS | < {"pan": "4629642727349961"} | {"cardNumber": "**** 2894"}
    *authorization auth | secret | header | RFC 9110 | @X-Auth=x9-zk2q7 | @X-Auth-Mode=x9-zk2q7
    +key | secret | header | IANA: X-Api-Key and its like | @X-Functions-Key=x9-zk2q7 |
      @Idempotency-Key=q9Q2xT7vB8nL4pR6sW1z
    *password *passwd *passphrase *pwd pass pw psk *identified_by | password | | gitleaks, detect-secrets | {"password":
      "Zebra-4711"} | {"password": ["is too short"]}
    ~passwort ~kennwort losungswort zugangswort ~sicherheitswort | password | | de | {"kennwort": "Bach-1685"} |
      {"passwort": "Passwort"}
    ~contrasena ~contrasenya clave_acceso clave_de_acceso ~palabraclave | password | | es, ca | {"contraseñaNueva":
      "Rios-99x"} | {"contraseña": "requerida"}
    ~motdepasse ~mdp | password | | fr | < {"motDePasse": "x"} | {"mot_de_passe": "requis"}
    ~senha ~palavrapasse ~palavrachave chave_acesso chave_de_acesso | password | | pt | {"senhaTemporaria": "Xk7-plt9"}
      | {"senha": "Esqueceu a senha?"}
    ~parolachiave parola_accesso parola_ordine | password | | it | < {"parola_chiave": "casa"} | {"parola": "casa"}
    ~wachtwoord ~losenord ~adgangskode ~passord ~kodeord ~losen ~salasana ~lykilorð ~lykilord | password | | nl, sv, da,
      no, fi, is | < {"wachtwoord": "fiets"} | {"wachtwoord": "vergeten"}
    ~haslo ~hasło ~heslo ~jelszo ~lozinka ~geslo ~slaptazodis ~parool ~parol ~sifre ~sifresi ~parolasi ~sifreniz
      ~eskiparola ~yeniparola katasandi sandi matkhau ~fjalekalim | password | | pl, cs, hu, hr, sl, lt, et, lv, tr, id,
      vi, sq | < {"haslo": "c"} | {"heslo": "zapomenuté"}
    ~пароль ~парола ~лозинка ~密码 ~密碼 ~口令 ~パスワード ~暗証 ~비밀번호 ~암호 ~รหัสผ่าน ~סיסמה ~סיסמא ~κωδικός ~κωδικοσ ~पासवर्ड
      ~رمزعبور ~mima | password | | ru, bg, sr, zh, ja, ko, th, he, el, hi, fa | < {"пароль": "снег"} | {"пароль":
      "забыт"}
    ~كلمةالمرور ~كلمةالسر ~گذرواژه | password | | ar, fa | < {"كلمة_المرور": "x9-zk2q7"} | {"كلمة": "x9-zk2q7"}
    pin otp totp cvv cvc cvn csc tan puk spin mpin *passcode *one_time_code cryptogramme 暗証番号 geheimzahl cvv2 cvc2 cv2 |
      code | | PCI DSS, RFC 6238, ISO 9564 | {"otp": "493817"} | {"pin": "blue"}
    oob_code confirmation_code transfer_code authorization_code =code_confirmation | code | sent | Firebase, Cognito,
      Paystack | < {"ConfirmationCode": "39207714"} | {"ConfirmationCode": "39207714"}
    device_code user_code code_verifier oauth_verifier auth_req_id | token | | RFC 8628, RFC 7636, RFC 5849, CIBA |
      {"device_code": "GmRhm-blue"} | {"device_codes": true}
    sid session *session session_id secret_id ~sitzung ~sesion ~sessao ~sessione ~sesja ~sessie | session | | RFC 6265,
      Vault; de, es, pt, it, pl, nl | {"sid": "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"} | {"sid":
      "AC5d739cb46598fc532b39a7a647806f17"}
    ticket | session | query | CAS, SharePoint | /?ticket=a84f3307-59ae-4268-a7b1-8bac7dc2193b | {"ticket":
      "9f0d2c1e-8a7b-4c6d-9e5f-1a2b3c4d5e6f"}
    bearer basic | secret | word | RFC 6750, RFC 7617 | < Use Basic k7Rw2xQ9Zt4Vb8Nm | < Use Bearer authentication2
    +key =keys =keys_base64 ticket auth sign hmac mac seed crumb modhash bearer =access =refresh session_info loginhash
      otac grecaptcha_response hcaptcha_response cf_turnstile_response temp_auth art_api session_data accessor
      login_return access_license_number rl_key webhook_id unseal_share qr_payload proof authorization client_key oob_code
      confirmation_code transfer_code authorization_code | key | | documents of UPS, Reddit, Jenkins, reCAPTCHA, Vault,
      TMDB | {"authTicket": "k7Rw2xQ9Zt4Vb8Nm"} | {"breadcrumb": "q9Q2xT7vB8nL4pR6sW1z"}
    =username =user_name | key | member | Philips Hue, whose users are keys | {"username": "2j_0kAVl71lMdpCXydArXC"} |
      {"username": "ann-kettle"}
    nonce | key | header query form part member | OpenID Connect | {"nonce": "q9Q2xT7vB8nL4pR6sW1z"} | <script
      nonce="q9Q2xT7vB8nL4pR6sW1zE5mHq9Q2xT7v">
    ~token | key | | the first word, as in French and Spanish | {"tokenAtualizacao": "q9Q2xT7vB8nL4pR6sW1zE5mH"} |
      {"tokenGid": "33fa41d472410572"}
    =code =codes | key | member | Instagram, Zoom | {"uuid": "1", "code": "f074c9b7edc67e328be458bbad7f265b"} | {"code":
      "B08N5WRWNW"}
    =code key =appid =bilet =codigo =codice =kod =kode =hm | key | query form | Discord, RFC 6749; es, it, pl, da |
      /?key=k7Rw2xQ9Zt4Vb8Nm | /?code=WINTER25X9
    request_token client_token | key | header | TMDB | @X-Request-Token=k7Rw2xQ9Zt4Vb8Nm | @Client-Token=words
    ~schlussel ~schluessel ~geheimnis ~geheim ~unterschrift ~signatur ~sleutel ~handtekening | key | | de, nl |
      {"sessiesleutel": "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"schlussel": "de-DE"}
    ~nyckel ~nøkkel ~nokkel ~nøgle ~avain ~hemlighet ~hemmelighet ~hemmelighed | key | | sv, no, da, fi | {"nyckel":
      "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"avain": "arvo"}
    ~anahtar ~anahtari ~anahtarı ~jetonu ~imza ~kulcs ~titok ~klucz ~klic ~kluc ~kljuc ~ključ ~klyuch ~raktas ~voti
      ~zeton ~sekret ~tajemstvi ~podpis ~cheie ~tajna | key | | tr, hu, pl, cs, sk, hr, sl, lt, et, ro |
      {"erişimAnahtarı": "k3Kd8sJq2Lm5Nv7Xb1Zc4Pw6"} | {"klic": "cs-CZ"}
    ~clef ~cle ~jeton ~clave ~llave ~secreto ~chave ~segredo ~assinatura ~chiave ~segreto ~firma ~ficha_acceso | key | |
      fr, es, pt, it | {"jetonDAcces": "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"} | {"chave": "azul"}
    ~ключ ~токен ~секрет ~подпись ~トークン ~シークレット ~鍵 ~令牌 ~密钥 ~密鑰 ~lingpai ~토큰 ~키 ~비밀키 ~מפתח ~مفتاح ~κλειδί | key | | ru,
      ja, zh, ko, he, ar, el | {"アクセストークン": "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"更新トークン": "a1b2"}
    page_token next_token forward_token backward_token previous_token prev_token pagination_token continuation_token
      sync_token cursor_token mark_token trace_token tracker_token resume_token scroll_token seek_token separator_token
      cancellation_token cancel_token bos_token eos_token unk_token pad_token mask_token cls_token sep_token stop_token
      base_token quote_token output_token prompt_token completion_token total_token max_token min_token native_token
      reward_token pool_token last_token first_token special_token added_token syntax_token parse_token design_token
      cached_token reasoning_token image_token audio_token class_token type_token delta_token iterator_token skip_token
      version_token change_token concurrency_token client_token client_request_token consistency_token evaluated_token
      snapshot_token position_token revision_token lock_token update_token etag_token xdebug_token watermark_token
      checkpoint_token batch_token ordering_token offset_token request_token json_web_token idempotency_token
      postman_token =input_token from_token to_token sell_token buy_token in_token out_token | public | | places in a
      list, parts of a language, currencies | {"access_token": "q9Q2xT7vB8nL4pR6"} | {"changeToken": "q9Q2xT7vB8nL4pR6"}
    public_key pub_key vapid_key idempotency_key cache_key surrogate_key websocket_key partition_key row_key sort_key
      primary_key foreign_key object_key file_key publishable_key request_key shard_key map_key verify_key
      verification_key issue_key translation_key i18n_key hot_key message_key record_key entity_key lookup_key
      encoding_key sender_key correlation_key change_key retry_key incident_key dedup_key deduplication_key rollout_key
      event_key group_key client_public_key application_pub_key cle_cache clave_cache chave_cache chiave_cache
      rollout_seed | public | | documents of services; keys that place or name | {"server_key":
      "q9Q2xT7vB8nL4pR6sW1zE5mH"} | {"vapid_key": "q9Q2xT7vB8nL4pR6sW1zE5mH"}
    project_key host_key type_pin no_secret checksum_secret web_credential amz_credential goog_credential
      thought_signature attribution_signature token_id token_gid token_name token_type token_address token_uri token_url token_endpoint token_status key_id
      key_gid key_name key_type key_address key_uri key_url key_endpoint key_status secret_name secret_type
      secret_status sym_key_version | public | | what describes a secret | {"token": "x9-zk2q7"} | {"thoughtSignature":
      "q9Q2xT7vB8nL4pR6"}
    id ids date algorithm *uuid guid gid hash *digest sha sha1 sha256 sha512 md5 *checksum etag *cursor =next =prev
      =previous =after =before tag tags *trace *traceparent *tracestate span revision commit fingerprint thumbprint
      integrity boundary arn slug avatar image thumbnail picture blurhash modulus | public | | identifiers, digests,
      cursors and traces | {"token": "k7Rw2xQ9Zt4Vb8Nm"} | {"cursor": "k7Rw2xQ9Zt4Vb8Nm"}
    locale localization lang language theme currency consent country timezone ~ga ~gat ~gid ~gcl ~fbp ~fbc ~clck ~clsk
      ~uetsid ~uetvid ~hj ~pk ~ajs ~optanon ~utma ~utmb ~utmc ~utmz ~traceid cloudfront_key_pair_id | described | cookie
      | choices and counts of visits: Google, Meta, Microsoft, Hotjar, Matomo, Segment, OneTrust | @Cookie=sid=x9-zk2q7 |
      @Cookie=_ga=x9-zk2q7
    ~span ~b3 ~baggage ~newrelic ~request ~correlation ~transaction ~digest ~hash ~sha ~sha1 ~sha256 ~md5 ~checksum
      ~etag ~match ~target ~agent ~date ~timestamp ~time ~version ~range ~cursor ~device ~installation ~identifier
      ~idempotency ~host ~authority ~path ~origin ~referer ~language ~locale ~encoding ~boundary ~cert ~certificate
      ~build ~commit ~revision ~release ~tenant ~account ~org ~organization ~project ~workspace ~user ~customer ~shop
      ~store ~site ~team ~fingerprint ~topic ~operation ~lock ~destination ~model ~type ~name ~trace ~traceparent
      ~tracestate ~accept ~content ~sec ~if client *id x_client_data | described | header | what traces a request,
      describes its content or says who sends it | @X-Zone-Entry=k7Rw2xQ9Zt4Vb8Nm | @X-B3-SpanId=k7Rw2xQ9Zt4Vb8Nm
    """#
}
