import StubKit

/// How the keys and tokens of services look, a row each. CONTRIBUTING says how to add one.
///
/// The columns are the texts with which they begin, the set of the characters that follow with the least number of
/// them, and the services with the sources: the rules of gitleaks, trufflehog and detect-secrets, GitHub's list of
/// patterns, or documents. The third column is empty, unless something stands before the text: then it is the set of
/// that, with the least and the greatest number of characters. `SecretShapes` names the sets.
///
/// A test makes the examples from the rows, and words in their place that stay, so look at a key of the service for the
/// number and the set. Written here, scanners of code would take an example for a live key.
enum ShapeRules {
  static let rows = #"""
    dapi key- shpat_ shpca_ shppa_ shpss_ SK dkea pk_ shippo_live_ shippo_test_ sk_ fc- signkey-prod- signkey-test-
      v1. bb_pr_ bb_ma_ private- | hexadecimal 32 | | Databricks, ElevenLabs, Shopify, Google Calendar, Bannerbear,
      Shippo, Twilio, Firecrawl; gitleaks, trufflehog
    lin_wh_ ek_ | alphanumeric 32 | | Linear, OpenAI (realtime); gitleaks
    sk- | word 20 | | LiteLLM; its documents
    dop_v1_ doo_v1_ dor_v1_ sntryu_ slk_ rootly_ e2b_ packagist_uut_ packagist_ack_ ATTA | hexadecimal 40 | |
      DigitalOcean, Sentry, Sourcegraph, Rootly, E2B, Packagist, Trello; gitleaks, trufflehog
    api- sdk- mob- rh-api- waka_ | uuid 36 | | LaunchDarkly, Robinhood, WakaTime; gitleaks, trufflehog
    sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_ NRBR- tr_dev_ tr_prod_ | alphanumeric 10 | |
      Stripe, New Relic, Trigger.dev; gitleaks
    rzp_live_ rzp_test_ sm_aat_ sm_pat_ sm_sat_ LTAI esecret_ flb_live_ ak_live_ | alphanumeric 14 | | Razorpay,
      SettleMint, Alibaba, Anyscale, Fleetbase, Pagar.me; gitleaks, trufflehog
    aio_ p8e- sk- gsk_ hf_ api_org_ ico- AKID rnd_ xau_ csk- sess- cio ddp_ ddw_ | alphanumeric 28 | | Adafruit,
      Adobe, OpenAI, DeepSeek, Groq, Hugging Face, Infracost, Tencent, Render, Xata, Cerebras, crates.io, Deno;
      gitleaks, trufflehog
    apify_api_ ghp_ gho_ ghu_ ghs_ ghr_ npm_ pnu_ bkua_ cfk_ cfut_ cfat_ lin_api_ ntn_ pul- secret_ rubygems_ squ_
      sqp_ sqa_ sbp_ bkct_ bkpt_ oy2 lin_oauth_ 4b1d napi_ AKCp EZAK | alphanumeric 36 | | Apify, GitHub, npm,
      Prefect, Buildkite, Cloudflare, Linear, Notion, Pulumi, RubyGems, SonarQube, Supabase, NuGet, Neon,
      Artifactory, EasyPost; gitleaks, GitHub
    xprv tprv | alphanumeric 100 | | wallets; BIP 32
    CLOJARS_ EZTK ramp_sec_ rdme_ sqco_ EAAM EAAC EAAB EAAG | alphanumeric 48 | | Clojars, EasyPost, Ramp, ReadMe,
      SonarQube, Facebook; gitleaks, Graph API
    FLWSECK- FLWSECK_TEST- xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xapp- xoxc- xoxd- AVNS_ | word 10 | |
      Flutterwave, Slack, Aiven; gitleaks, GitHub
    dckr_pat_ dckr_oat_ NRIQ- NRII- EAAA sq0atp- sq0csp- tskey- hvs. hvb. GOCSPX- hcaik_ hcalk_ hvr. NRRA- vcp_ vci_
      vca_ vcr_ vck_ glrtr- glwt- | word 22 | | Docker, New Relic, Square, Tailscale, Vault, Google, Honeycomb,
      Vercel, GitLab; gitleaks, GitHub
    sk-ant- AIza ya29. sk-lf- lsv2_pt_ lsv2_sk_ nfp_ nfc_ nfo_ nfu_ nfb_ nvapi- sk-proj- sk-svcacct- sk-service-
      sk-admin- sk-or-v1- pplx- r8_ xai- sk-None- 1//0 tvly- fw_ re_ sb_secret_ tgp_v1_ AQVN | word 30 | |
      Anthropic, Google, LangFuse, LangSmith, Netlify, NVIDIA, OpenAI, OpenRouter, Perplexity, Replicate, xAI,
      Tavily, Fireworks, Resend, Supabase, Together, Yandex; gitleaks, GitHub
    CFPAT- figd_ figp_ figor_ figur_ figoh_ figuh_ pat-na1- pat-na2- pat-eu1- pat-ap1- sha256~ access-production-
      access-sandbox- access-development- phx_ tk-us- sgp_ figo_ figu_ shltm_ CCIPAT_ CCIPRJ_ mdb_sa_sk_ wandb_v1_ |
      word 36 | | Contentful, Figma, HubSpot, OpenShift, Plaid, PostHog, Scalingo, Sourcegraph, CircleCI, MongoDB,
      W&B; gitleaks, GitHub
    aW50ZXJhY3Rpb246 xkeysib- v1.0- github_pat_ HRKU- pcsk_ s-s4t2ud- s-s4t2af- PMAK- pypi-AgE xsmtpsib- y0_ | word
      50 | | Intercom, Brevo, Cloudflare, GitHub, Heroku, Pinecone, Intra 42, Postman, PyPI, Yandex; gitleaks,
      trufflehog
    sl. sl.u. | word 120 | | Dropbox; gitleaks
    -----BEGIN | word 0 | | private keys; RFC 7468
    eyJ | dotted 20 | word 0 0 | JSON Web Tokens and other signed JSON; RFC 7519
    MT: | dotted 19 | | Matter (set-up payloads); its specification
    glpat- gldt- glft- glrt- glcbt- glptt- glimt- glagent- gloas- glsoat- glffct- GR1348941 | dotted 20 | | GitLab;
      its documents
    dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. duffel_live_ duffel_test_ fio-u- VF.DM. VF.WS. pscale_tkn_
      pscale_pw_ pscale_oauth_ tfp_ snyk_uat. snyk_sat. bce-v3/ | dotted 32 | | Doppler, Duffel, Frame.io,
      Voiceflow, PlanetScale, Typeform, Snyk, Baidu; gitleaks, trufflehog
    dt0c01. pat. sat. sk.eyJ SG. dt0s01. 1000. v2.local. v3.local. v4.local. v2.public. v4.public. | dotted 60 | |
      Dynatrace, Harness, Mapbox, SendGrid, Zoho, PASETO; gitleaks, paseto.io
    pat | dotted 79 | | Airtable; gitleaks
    AKIA ASIA ABIA ACCA | upper 16 | | AWS; its documents
    A3- API- NRAK- AGE-SECRET-KEY-1 pk_ GOOG1E API_KEY | upper 26 | | 1Password, Octopus Deploy, New Relic, Age,
      ClickUp, Google; gitleaks, trufflehog
    ATATT3 ATCTT3 ATBB BBDC- glc_ glsa_ eyJrIjoi xoxe.xox | token 24 | | Atlassian, Bitbucket, Grafana, Slack;
      gitleaks
    cmVmd fo1_ fm1a_ fm1r_ fm2_ sntrys_ ops_eyJ ABSK bedrock-api-key- essu_ gAAAAAB dG9rO ZXlKaGJHY2lPaU | token 40
      | | Artifactory, Fly.io, Sentry, 1Password, AWS Bedrock, Elastic, Fernet, Intercom, JWT in Base64; gitleaks,
      trufflehog
    base64: | token 43 | | Laravel; its documents
    $2a$08$ $2b$08$ $2a$10$ $2b$10$ $2y$10$ $2a$11$ $2b$11$ $2a$12$ $2b$12$ $2y$12$ $2b$13$ | token 53 | | bcrypt
    AAAAAAAAAAAAAAAAAAAAA | random 50 | | Twitter, whose tokens contain escapes; gitleaks
    Q~ | tilde 31 | tilde 4 5 | Azure
    +ASt +ASb +AEh +ARm +ABa +ACR ACDb AzFu AzSe AZDO JQQJ99 | alphanumeric 6 | base64 33 80 | Azure; Microsoft on
      identifiable keys
    .atlasv1. | dotted 40 | word 10 20 | HashiCorp Terraform; gitleaks
    .acc_ .acc- | dotted 40 | dotted 12 50 | Authress; gitleaks
    -us | hexadecimal 1 | hexadecimal 32 32 | Mailchimp; gitleaks
    _mmk FFFFNRAL -NRMA | word 0 | word 26 42 | MaxMind, New Relic; gitleaks
    _secret_ | alphanumeric 16 | word 10 60 | Stripe; its documents
    :AA :APA91b | word 32 | word 5 30 | Telegram, Firebase; gitleaks
    !A | dotted 80 | alphanumeric 15 18 | Salesforce; trufflehog
    ==| | token 20 | dotted 24 24 | Bitwarden; its documents
    :0 :1 :2 :3 :4 :5 :6 :7 :8 :9 :a :b :c :d :e :f | hexadecimal 31 | digit 14 19 | Asana; trufflehog
    """#
}
