import Foundation
import StubKit

/// Values that are recognised wherever they stand: keys and tokens whose services publish how they begin, bearer
/// credentials, JSON Web Tokens and private keys.
struct SecretShapes {
  typealias Finding = (range: Range<Int>, name: String)

  private let text: UnsafeBufferPointer<UInt8>
  /// The last run of bytes of each set, so that a long one is read only once.
  private var runs: [ByteSet: Range<Int>] = [:]
  private(set) var findings: [Finding] = []

  init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    var (position, isInWord) = (0, false)
    while position + 1 < text.count {
      if text[position] == UInt8(ascii: "b"), text.has("base64,", at: position) {
        position = endOfData(from: position + 7)
        isInWord = true
      } else if Self.inner[text[position]] || !isInWord && ByteSet.alphanumeric[text[position]],
        let shapes = Self.byStart[Int(text[position]) << 8 | Int(text[position + 1])],
        let finding = finding(at: position, shapes), finding.range.lowerBound >= findings.last?.range.upperBound ?? 0
      {
        findings.append(finding)
        position = finding.range.upperBound
      } else {
        isInWord = ByteSet.alphanumeric[text[position]]
        position += 1
      }
    }
  }

  /// The end of what a `data:` URL embeds, in which nothing is meant by a beginning. JSON can escape its slashes.
  private func endOfData(from start: Int) -> Int {
    var end = text.firstIndex(notIn: .base64, from: start)
    while text.has("\\/", at: end) { end = text.firstIndex(notIn: .base64, from: end + 2) }
    return end
  }

  private mutating func finding(at position: Int, _ shapes: [Shape]) -> Finding? {
    let isStart = isStart(position)
    for shape in shapes where text.has(shape.text, at: position) {
      if let range = range(of: shape, at: position, isStart) { return (range, "\(shape.text)…") }
    }
    if text[position] == UInt8(ascii: "-") { return privateKey(position).map { ($0, "private key") } }
    guard isStart, ByteSet.credentials[text[position]] else { return nil }
    if let range = token(position) { return (range, "JSON Web Token") }
    for (scheme, least) in [("bearer ", 16), ("basic ", 12)] where text.has(scheme, at: position, inAnyCase: true) {
      let start = position + scheme.utf8.count
      let end = text.firstIndex(notIn: .token, from: start)
      let value = String(decoding: text[start..<end], as: UTF8.self)
      if value.looksRandom(atLeast: least) { return (start..<end, "\(scheme)credentials") }
    }
    return nil
  }

  /// Whether a word begins at a position. Within Base64, no sign of its alphabets ends a word.
  private func isStart(_ position: Int) -> Bool {
    guard position > 0, !text.isLetter(before: position) else { return position == 0 }
    guard "+/-_".utf8.contains(text[position - 1]) else { return true }
    let start = text.startIndex(of: .base64, before: position - 1, notBefore: max(0, position - 64))
    let before = String(decoding: text[start..<position - 1], as: UTF8.self)
    // Much of Base64 can be zeros. A path has words.
    return !before.looksRandom() && (before.utf8.count < 48 || before.pieces(at: "/").contains { String($0).isWords })
  }

  private mutating func end(of set: ByteSet, from position: Int) -> Int {
    if let run = runs[set], run.contains(position) { return run.upperBound }
    let end = text.firstIndex(notIn: set, from: position)
    runs[set] = position..<end
    return end
  }

  private mutating func range(of shape: Shape, at position: Int, _ isStart: Bool) -> Range<Int>? {
    var start = position
    if let before = shape.before {
      start = text.startIndex(of: before, before: position, notBefore: max(0, position - shape.counts.upperBound - 1))
      guard shape.counts.contains(position - start) else { return nil }
    } else if !isStart {
      return nil
    }
    let rest = position + shape.text.utf8.count
    var end = end(of: shape.set, from: rest)
    if shape.set == .address { return secretSegment(in: rest..<end) }
    // The full stop of a sentence, or an ellipsis.
    for _ in 0..<3 where end > rest && text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard end - rest >= shape.least else { return nil }
    if shape.text == "eyJrIjoi" {
      let key = Data(base64OfAnyKind: String(decoding: text[start..<end], as: UTF8.self)) ?? Data()
      return String(decoding: key, as: UTF8.self).contains("\"n\":") ? start..<end : nil
    }
    let isName = shape.least > 0 && String(decoding: text[rest..<min(end, rest + 200)], as: UTF8.self).isWords
    return isName ? nil : start..<end
  }

  /// The last segment of an address, if it is no word. What comes before it tells the request from others.
  private func secretSegment(in range: Range<Int>) -> Range<Int>? {
    let segments = SecretText(text)[range].pieces(at: .slash)
    guard let secret = segments.last(where: { $0.bytes.count >= 5 && !$0.string.isUUID }) else { return nil }
    return secret.string.isWords ? nil : secret.origins(0..<secret.bytes.count)
  }

  /// A JSON Web Token, with or without a signature, or an encrypted one.
  private func token(_ start: Int) -> Range<Int>? {
    guard text.has("eyJ", at: start), start == 0 || !"-_.".utf8.contains(text[start - 1]) else { return nil }
    var ends = [text.firstIndex(notIn: .word, from: start)]
    while ends.count < 5, let end = ends.last, end < text.count, text[end] == UInt8(ascii: ".") {
      ends.append(text.firstIndex(notIn: .word, from: end + 1))
    }
    guard ends.count > 1, ends[0] - start >= 12 else { return nil }
    // Without a second object it is what a server signs without a header, or encrypted.
    var last = 4
    if text.has("ey", at: ends[0] + 1) {
      last = min(2, ends.count - 1)
    } else if ends[ends.count - 1] - ends[ends.count - 2] > 20 {
      last = ends.count - 1
    }
    return last < ends.count && ends[last] - ends[0] > 8 ? start..<ends[last] : nil
  }

  /// What stands between the first and the last line of a private key.
  private func privateKey(_ position: Int) -> Range<Int>? {
    guard text.has("-----BEGIN ", at: position),
      let start = text.firstIndex(of: "-----", from: position + 11, to: position + 86).map({ $0 + 5 }),
      String(decoding: text[position..<start], as: UTF8.self).contains("PRIVATE KEY")
    else { return nil }
    let key = SecretText(text)[start..<(text.firstIndex(of: "-----END", from: start) ?? text.count)].trimmed
    return key.origins(0..<key.bytes.count)
  }

  // MARK: The table

  /// A text, the least number of characters of a set after it, and what stands before it for shapes that don't begin
  /// with it.
  private typealias Shape = (text: String, set: ByteSet, least: Int, before: ByteSet?, counts: ClosedRange<Int>)

  private static func shapes(
    _ set: ByteSet, _ least: Int, _ texts: String, after before: ByteSet? = nil, _ counts: ClosedRange<Int> = 0...0
  ) -> [Shape] {
    texts.pieces(at: " ").map { (String($0), set, least, before, counts) }
  }

  /// How the values of services begin, and how many characters of which kind follow at least.
  ///
  /// The sources are public rule sets: gitleaks (config/gitleaks.toml), trufflehog (pkg/detectors) and detect-secrets,
  /// whose rules bear the names of the services, and what services say themselves: on GitHub's page "Supported secret
  /// scanning patterns", on Microsoft's about identifiable keys, and in their documents.
  private static let known = [
    // Databricks, ElevenLabs, Firecrawl, Google Calendar, Klaviyo, Mailgun, Shippo, Shopify, Twilio; Bannerbear, GitHub
    // (older), Inngest.
    shapes(.hexadecimal, 32, "dapi key- shpat_ shpca_ shppa_ shpss_ SK dkea pk_ shippo_live_ shippo_test_ sk_ fc-"),
    // Linear, OpenAI, LiteLLM.
    shapes(.alphanumeric, 32, "lin_wh_ ek_"),
    shapes(.word, 20, "sk-"),
    shapes(.hexadecimal, 32, "signkey-prod- signkey-test- v1. bb_pr_ bb_ma_ private-"),
    // DigitalOcean, E2B, Packagist, Rootly, Sentry, Sourcegraph, Trello.
    shapes(.hexadecimal, 40, "dop_v1_ doo_v1_ dor_v1_ sntryu_ slk_ rootly_ e2b_ packagist_uut_ packagist_ack_ ATTA"),
    // LaunchDarkly, Robinhood, WakaTime.
    shapes(.uuid, 36, "api- sdk- mob- rh-api- waka_"),
    // Stripe; New Relic, Trigger.dev.
    shapes(.alphanumeric, 10, "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_ NRBR- tr_dev_ tr_prod_"),
    // Alibaba, Anyscale, Fleetbase, Pagar.me, Razorpay, SettleMint.
    shapes(.alphanumeric, 14, "rzp_live_ rzp_test_ sm_aat_ sm_pat_ sm_sat_ LTAI esecret_ flb_live_ ak_live_"),
    // Adafruit, Adobe, Cerebras, crates.io, DeepSeek, Deno, Groq, Hugging Face, Infracost, OpenAI, Render, Tencent,
    // Xata.
    shapes(.alphanumeric, 28, "aio_ p8e- sk- gsk_ hf_ api_org_ ico- AKID rnd_ xau_ csk- sess- cio ddp_ ddw_"),
    // Apify, Buildkite, ClickHouse, Cloudflare, GitHub, Linear, npm, Notion, Prefect, Pulumi, RubyGems, SonarQube,
    // Supabase.
    shapes(
      .alphanumeric, 36, "apify_api_ ghp_ gho_ ghu_ ghs_ ghr_ npm_ pnu_ bkua_ cfk_ cfut_ cfat_ lin_api_ ntn_ pul-"),
    // Artifactory, Clojars, EasyPost, Facebook, Ramp, ReadMe.
    shapes(.alphanumeric, 36, "secret_ rubygems_ squ_ sqp_ sqa_ sbp_ bkct_ bkpt_ oy2 lin_oauth_ 4b1d napi_ AKCp EZAK"),
    // Keys of wallets (BIP 32).
    shapes(.alphanumeric, 100, "xprv tprv"),
    shapes(.alphanumeric, 48, "CLOJARS_ EZTK ramp_sec_ rdme_ sqco_ EAAM EAAC"),
    // Flutterwave, Slack; Aiven.
    shapes(.word, 10, "FLWSECK- FLWSECK_TEST- xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xapp- xoxc- xoxd- AVNS_"),
    // Docker, Google, Honeycomb, New Relic, Square, Tailscale, Vault, Vercel.
    shapes(.word, 22, "dckr_pat_ dckr_oat_ NRIQ- NRII- EAAA sq0atp- sq0csp- tskey- hvs. hvb. GOCSPX- hcaik_ hcalk_"),
    shapes(.word, 22, "hvr. NRRA- vcp_ vci_ vca_ vcr_ vck_ glrtr- glwt-"),
    // Anthropic, Fireworks, Google, LangFuse, LangSmith, Netlify, NVIDIA, OpenAI, OpenRouter, Perplexity, Replicate,
    // Resend, Supabase, Tavily, Together, xAI, Yandex.
    shapes(.word, 30, "sk-ant- AIza ya29. sk-lf- lsv2_pt_ lsv2_sk_ nfp_ nfc_ nfo_ nfu_ nfb_ nvapi- sk-proj-"),
    shapes(.word, 30, "sk-svcacct- sk-service- sk-admin- sk-or-v1- pplx- r8_ xai- sk-None- 1//0 tvly- fw_ re_"),
    shapes(.word, 30, "sb_secret_ tgp_v1_ AQVN"),
    // CircleCI, Contentful, Figma, Flexport, HubSpot, MongoDB, OpenShift, Plaid, PostHog, Scalingo, Sourcegraph, W&B.
    shapes(.word, 36, "CFPAT- figd_ figp_ figor_ figur_ figoh_ figuh_ pat-na1- pat-na2- pat-eu1- pat-ap1- sha256~"),
    shapes(.word, 36, "access-production- access-sandbox- access-development- phx_ tk-us- sgp_ figo_ figu_ shltm_"),
    shapes(.word, 36, "CCIPAT_ CCIPRJ_ mdb_sa_sk_ wandb_v1_"),
    // Brevo, Cloudflare, GitHub, Heroku, Intra 42, Pinecone, Postman, PyPI; Dropbox.
    shapes(
      .word, 50,
      "aW50ZXJhY3Rpb246 xkeysib- v1.0- github_pat_ HRKU- pcsk_ s-s4t2ud- s-s4t2af- PMAK- pypi-AgE xsmtpsib- y0_"),
    shapes(.word, 120, "sl. sl.u."),
    // Matter, GitLab.
    shapes(.dotted, 19, "MT:"),
    shapes(.dotted, 20, "glpat- gldt- glft- glrt- glcbt- glptt- glimt- glagent- gloas- glsoat- glffct- GR1348941"),
    // Doppler, Duffel, Frame.io, PlanetScale, Snyk, Typeform, Voiceflow.
    shapes(.dotted, 32, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. duffel_live_ duffel_test_ fio-u- VF.DM."),
    shapes(.dotted, 32, "VF.WS. pscale_tkn_ pscale_pw_ pscale_oauth_ tfp_ snyk_uat. snyk_sat. bce-v3/"),
    // Dynatrace, Harness, Mapbox, SendGrid, Zoho; PASETO; Airtable.
    shapes(
      .dotted, 60, "dt0c01. pat. sat. sk.eyJ SG. dt0s01. 1000. v2.local. v3.local. v4.local. v2.public. v4.public."),
    shapes(.dotted, 79, "pat"),
    // AWS; 1Password, Age, ClickUp, Google, New Relic, Octopus Deploy.
    shapes(.upper, 16, "AKIA ASIA ABIA ACCA"),
    shapes(.upper, 26, "A3- API- NRAK- AGE-SECRET-KEY-1 pk_ GOOG1E API_KEY"),
    // Atlassian and Bitbucket, Grafana, Slack.
    shapes(.token, 24, "ATATT3 ATCTT3 ATBB BBDC- glc_ glsa_ eyJrIjoi xoxe.xox"),
    // 1Password, Artifactory, AWS Bedrock, Elastic, Fernet, Fly.io, Intercom, JWT in Base64, Sentry.
    shapes(
      .token, 40, "cmVmd fo1_ fm1a_ fm1r_ fm2_ sntrys_ ops_eyJ ABSK bedrock-api-key- essu_ gAAAAAB dG9rO ZXlKaGJHY2lPaU"
    ),
    // A key of Laravel.
    shapes(.token, 43, "base64:"),
    // Hashes of passwords (bcrypt).
    shapes(.token, 53, "$2a$08$ $2b$08$ $2a$10$ $2b$10$ $2y$10$ $2a$11$ $2b$11$ $2a$12$ $2b$12$ $2y$12$ $2b$13$"),
    // Twitter, whose tokens contain escapes.
    shapes(.escaped, 50, "AAAAAAAAAAAAAAAAAAAAA"),
    // Addresses that are secrets: those of Alchemy, Discord, Dropbox, Infura, Microsoft Teams, Slack,
    // Stripe and Zapier.
    shapes(.address, 0, "hooks.slack.com/ hooks.zapier.com/hooks/catch/ webhook.office.com/webhookb2/"),
    shapes(.address, 0, "discord.com/api/webhooks/ discordapp.com/api/webhooks/ discord.com/api/v10/webhooks/"),
    shapes(.address, 0, "g.alchemy.com/v2/ infura.io/v3/ dl.dropboxusercontent.com/cd/0/"),
    shapes(.address, 0, "pay.stripe.com/receipts/ invoice.stripe.com/i/"),
    // Those with a part before the text: Azure, HashiCorp Terraform, Mailchimp, MaxMind, New Relic, Stripe, Telegram;
    // Authress; Firebase; Salesforce; Asana.
    shapes(.tilde, 31, "Q~", after: .tilde, 4...5),
    shapes(.alphanumeric, 6, "+ASt +ASb +AEh +ARm +ABa +ACR ACDb AzFu AzSe AZDO JQQJ99", after: .base64, 33...80),
    shapes(.dotted, 40, ".atlasv1.", after: .word, 10...20),
    shapes(.dotted, 40, ".acc_ .acc-", after: .dotted, 12...50),
    shapes(.hexadecimal, 1, "-us", after: .hexadecimal, 32...32),
    shapes(.word, 0, "_mmk FFFFNRAL -NRMA", after: .word, 26...42),
    shapes(.alphanumeric, 16, "_secret_", after: .word, 10...60),
    shapes(.word, 32, ":AA :APA91b", after: .word, 5...30),
    shapes(.dotted, 80, "!A", after: .alphanumeric, 15...18),
    // An encrypted value of Bitwarden.
    shapes(.token, 20, "==|", after: .dotted, 24...24),
    shapes(.hexadecimal, 31, ":0 :1 :2 :3 :4 :5 :6 :7 :8 :9 :a :b :c :d :e :f", after: .digit, 14...19),
  ]

  /// The shapes by the first two bytes. Those of keys, tokens and credentials have rules of their own.
  private static let byStart = Dictionary(grouping: known.joined()) { pair($0.text) }
    .merging(["--", "ey", "be", "Be", "BE", "ba", "Ba", "BA"].map { (pair($0), []) }) { known, _ in known }

  private static func pair(_ text: String) -> Int { text.utf8.prefix(2).reduce(0) { $0 << 8 | Int($1) } }

  /// The first bytes of what can begin in a word.
  private static let inner = ByteSet(
    known.joined().filter { $0.before != nil }.map { $0.text.prefix(1) }.joined() + "-$")
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a letter or a digit of any alphabet ends before an index.
  func isLetter(before index: Int) -> Bool {
    guard index > 0, self[index - 1] >= 0x80 else { return index > 0 && self[index - 1].isAlphanumeric }
    var start = index - 1
    while start > 0, index - start < 4, self[start] & 0xC0 == 0x80 { start -= 1 }
    let properties = String(decoding: self[start..<index], as: UTF8.self).unicodeScalars.last?.properties
    return properties.map { $0.isAlphabetic || $0.numericType != nil } ?? false
  }
}
