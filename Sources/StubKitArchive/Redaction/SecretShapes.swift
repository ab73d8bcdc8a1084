import Foundation
import StubKitFormats

/// Values that are recognised wherever they stand: keys and tokens whose services publish how they begin, bearer credentials,
/// JSON Web Tokens and private keys.
struct SecretShapes {
  typealias Finding = (range: Range<Int>, name: String)

  let text: UnsafeBufferPointer<UInt8>

  var findings: [Finding] {
    var (findings, position) = ([Finding](), 0)
    while position < text.count {
      let end = findings.last?.range.upperBound ?? 0
      if Self.isFirst[Int(text[position])], let finding = finding(at: position), finding.range.lowerBound >= end {
        findings.append(finding)
        position = finding.range.upperBound
      } else {
        position += 1
      }
    }
    return findings
  }

  private func finding(at position: Int) -> Finding? {
    let rest = text[position...]
    let isStart = position == 0 || !text[position - 1].isAlphanumeric
    for shape in Self.byFirst[text[position]] ?? [] where rest.starts(with: shape.text) {
      if let range = range(of: shape, at: position, isStart) {
        return (range, "\(String(decoding: shape.text, as: UTF8.self))…")
      }
    }
    if let range = privateKey(rest) { return (range, "private key") }
    guard isStart else { return nil }
    if let range = token(position) { return (range, "JSON Web Token") }
    for (scheme, least) in [("bearer ", 16), ("basic ", 12)] where rest.lazy.map(\.lowercased).starts(with: scheme.utf8)
    {
      let start = position + scheme.utf8.count
      let end = text[start...].firstIndex { !$0.isBase64 && !".~=".utf8.contains($0) } ?? text.count
      let value = String(decoding: text[start..<end], as: UTF8.self)
      if value.looksRandom(atLeast: least) { return (start..<end, "\(scheme)credentials") }
    }
    return nil
  }

  private func range(of shape: Shape, at position: Int, _ isStart: Bool) -> Range<Int>? {
    var start = position
    while let set = shape.before, start > 0, set(text[start - 1]) { start -= 1 }
    guard shape.before == nil ? isStart : shape.counts.contains(position - start) else { return nil }
    let rest = position + shape.text.count
    var end = text[rest...].firstIndex { !shape.set($0) } ?? text.count
    // The full stop of a sentence.
    while end > rest, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    let isName = shape.least > 0 && String(decoding: text[rest..<end], as: UTF8.self).isWords
    return end - rest < shape.least || isName ? nil : start..<end
  }

  /// A JSON Web Token, with or without a signature, or an encrypted one.
  private func token(_ start: Int) -> Range<Int>? {
    guard text[start...].starts(with: "eyJ".utf8) else { return nil }
    let end = text[start...].firstIndex { !$0.isWord && $0 != UInt8(ascii: ".") } ?? text.count
    let parts = text[start..<end].split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].count >= 12 else { return nil }
    let last = parts[1].starts(with: "ey".utf8) ? min(2, parts.count - 1) : 4
    return last < parts.count && parts[last].endIndex - parts[0].endIndex > 8 ? start..<parts[last].endIndex : nil
  }

  /// What stands between the first and the last line of a private key.
  private func privateKey(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Range<Int>? {
    guard rest.starts(with: "-----BEGIN ".utf8),
      let start = rest.dropFirst(11).prefix(70).firstRange(of: Array("-----".utf8))?.upperBound,
      String(decoding: rest[..<start], as: UTF8.self).contains("PRIVATE KEY")
    else { return nil }
    let end = text[start...].firstRange(of: Array("-----END".utf8))?.lowerBound ?? text.count
    let key = SecretText(text)[start..<end].trimmed
    return key.origins(0..<key.bytes.count)
  }

  // MARK: The table

  private typealias Characters = @Sendable (UInt8) -> Bool

  /// A text, the least number of characters after it, and what stands before it for shapes that don't begin with it.
  private typealias Shape = (text: [UInt8], set: Characters, least: Int, before: Characters?, counts: ClosedRange<Int>)

  private static func shapes(
    _ set: @escaping Characters, _ least: Int, _ texts: String, after before: Characters? = nil,
    _ counts: ClosedRange<Int> = 0...0
  ) -> [Shape] {
    texts.pieces(at: " ").map { (Array($0.utf8), set, least, before, counts) }
  }

  /// How the values of services begin, and how many characters of which kind follow at least.
  ///
  /// The sources are public rule sets: gitleaks (config/gitleaks.toml) and trufflehog (pkg/detectors), whose rules bear the
  /// names of the services. What stands below "documents" is in neither of them, but in the documents of the service, and in
  /// GitHub's page "Supported secret scanning patterns".
  private static let known = [
    // Databricks, ElevenLabs, Klaviyo, Mailgun, Shippo, Shopify, Twilio. Documents: dkea of Databricks.
    shapes(\.isHexadecimal, 32, "dapi key- shpat_ shpca_ shppa_ shpss_ SK dkea pk_ shippo_live_ shippo_test_ sk_"),
    // DigitalOcean, Sentry, Sourcegraph.
    shapes(\.isHexadecimal, 64, "dop_v1_ doo_v1_ dor_v1_ sntryu_ slk_"),
    // Stripe. Documents: whsec_ of Stripe.
    shapes(\.isAlphanumeric, 10, "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_"),
    // Alibaba, Razorpay, SettleMint.
    shapes(\.isAlphanumeric, 14, "rzp_live_ rzp_test_ sm_aat_ sm_pat_ sm_sat_ LTAI"),
    // Adafruit, Adobe, DeepSeek, Groq, Hugging Face, Infracost, OpenAI. Documents: AKID of Tencent, vcp_ of Vercel, rnd_
    // of Render.
    shapes(\.isAlphanumeric, 28, "aio_ p8e- sk- gsk_ hf_ api_org_ ico- AKID vcp_ rnd_"),
    // Apify, GitHub, npm, Prefect.
    shapes(\.isAlphanumeric, 36, "apify_api_ ghp_ gho_ ghu_ ghs_ ghr_ npm_ pnu_"),
    // Buildkite, Cloudflare, Linear, Notion, Pulumi, RubyGems, SonarQube, Supabase. Documents: bkct_
    // and bkpt_ of Buildkite,
    // oy2 of NuGet, lin_oauth_ of Linear.
    shapes(\.isAlphanumeric, 40, "bkua_ cfk_ cfut_ cfat_ lin_api_ ntn_ pul- secret_ rubygems_ squ_ sqp_ sqa_"),
    shapes(\.isAlphanumeric, 40, "sbp_ bkct_ bkpt_ oy2 lin_oauth_"),
    // Artifactory, Clojars, EasyPost, Ramp, ReadMe.
    shapes(\.isAlphanumeric, 48, "AKCp CLOJARS_ EZAK EZTK ramp_sec_ rdme_"),
    // Facebook.
    shapes(\.isAlphanumeric, 100, "EAAM EAAC"),
    // Flutterwave, Slack. Documents: xoxc- and xoxd- of Slack.
    shapes(\.isWord, 10, "FLWSECK- FLWSECK_TEST- xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xapp- xoxc- xoxd-"),
    // Docker, New Relic, Square, Tailscale, Vault. Documents: GOCSPX- of Google, hcaik_ and hcalk_ of Honeycomb, hvr. of
    // Vault,
    // NRRA- of New Relic.
    shapes(\.isWord, 22, "dckr_pat_ dckr_oat_ NRIQ- NRII- EAAA sq0atp- sq0csp- tskey- hvs. hvb. GOCSPX- hcaik_ hcalk_"),
    shapes(\.isWord, 22, "hvr. NRRA-"),
    // Anthropic, Google, LangFuse, LangSmith, Netlify, NVIDIA, OpenAI, OpenRouter, Perplexity, Replicate, xAI. Documents:
    // sk-None-
    // of OpenAI, 1//0 of Google, tvly- of Tavily, fw_ of Fireworks, re_ of Resend, sb_secret_ of Supabase.
    shapes(\.isWord, 30, "sk-ant- AIza ya29. sk-lf- lsv2_pt_ lsv2_sk_ nfp_ nvapi- sk-proj- sk-svcacct- sk-admin-"),
    shapes(\.isWord, 30, "sk-service- sk-or-v1- pplx- r8_ xai- sk-None- 1//0 tvly- fw_ re_ sb_secret_"),
    // Contentful, Figma, HubSpot, OpenShift, Plaid, PostHog, Scalingo, Sourcegraph. Documents: figo_ and figu_ of Figma.
    shapes(\.isWord, 36, "CFPAT- figd_ figp_ figor_ figur_ figoh_ figuh_ pat-na1- pat-eu1- sha256~ access-production-"),
    shapes(\.isWord, 36, "access-sandbox- access-development- phx_ tk-us- sgp_ figo_ figu_"),
    // Brevo, Cloudflare, GitHub, Heroku, Intra 42, Pinecone, Postman, PyPI. Documents: xsmtpsib- of Brevo.
    shapes(\.isWord, 50, "xkeysib- v1.0- github_pat_ HRKU- pcsk_ s-s4t2ud- s-s4t2af- PMAK- pypi-AgE xsmtpsib-"),
    // Dropbox.
    shapes(\.isWord, 120, "sl. sl.u."),
    // GitLab. Documents: glrtr- and glwt- of GitLab.
    shapes(\.isDotted, 20, "glpat- gldt- glft- glrt- glcbt- glptt- glimt- glagent- gloas- glsoat- glffct- GR1348941"),
    shapes(\.isDotted, 20, "glrtr- glwt-"),
    // Doppler, Duffel, Frame.io, PlanetScale, Typeform. Documents: Snyk.
    shapes(\.isDotted, 32, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. duffel_live_ duffel_test_ fio-u-"),
    shapes(\.isDotted, 32, "pscale_tkn_ pscale_pw_ pscale_oauth_ tfp_ snyk_uat. snyk_sat."),
    // Dynatrace, Harness, Mapbox, SendGrid. Documents: dt0s01. of Dynatrace.
    shapes(\.isDotted, 60, "dt0c01. pat. sat. sk.eyJ SG. dt0s01."),
    // Airtable.
    shapes(\.isDotted, 79, "pat"),
    // AWS.
    shapes(\.isUpper, 16, "AKIA ASIA ABIA ACCA"),
    // 1Password, Age, ClickUp, Octopus Deploy, New Relic.
    shapes(\.isUpper, 26, "A3- API- NRAK- AGE-SECRET-KEY-1 pk_"),
    // Atlassian and Bitbucket, Grafana, Slack.
    shapes(\.isToken, 24, "ATATT3 ATCTT3 ATBB BBDC- glc_ glsa_ eyJrIjoi xoxe.xox"),
    // 1Password, Artifactory, AWS Bedrock, Fly.io, Sentry.
    shapes(\.isToken, 40, "cmVmd fo1_ fm1a_ fm1r_ fm2_ sntrys_ ops_eyJ ABSK"),
    // Twitter, whose tokens contain escapes.
    shapes({ $0.isAlphanumeric || $0 == UInt8(ascii: "%") }, 50, "AAAAAAAAAAAAAAAAAAAAA"),
    // Addresses that are secrets: those of Slack and Discord.
    shapes(\.isToken, 40, "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/"),
    shapes(\.isToken, 60, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"),
    // Those with a part before the text: Azure, HashiCorp Terraform, Mailchimp, MaxMind, New Relic, Stripe, Telegram.
    shapes({ $0.isDotted || $0 == 0x7E }, 31, "Q~", after: { $0.isWord || ".~".utf8.contains($0) }, 4...5),
    shapes(\.isDotted, 40, ".atlasv1.", after: \.isWord, 10...20),
    shapes(\.isDigit, 1, "-us", after: \.isHexadecimal, 32...32),
    shapes(\.isWord, 0, "_mmk", after: \.isWord, 36...36),
    shapes(\.isWord, 0, "FFFFNRAL", after: \.isAlphanumeric, 32...32),
    shapes(\.isAlphanumeric, 16, "_secret_", after: \.isWord, 10...60),
    shapes(\.isWord, 32, ":AA", after: \.isDigit, 5...16),
  ]

  private static let byFirst = Dictionary(grouping: known.joined()) { $0.text[0] }

  /// Whether a shape begins with a byte.
  private static let isFirst = (0..<256).map { "bBe-".utf8.contains(UInt8($0)) || byFirst[UInt8($0)] != nil }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool { hexadecimalDigit != nil }
  fileprivate var isUpper: Bool { isUppercase || isDigit || "-_".utf8.contains(self) }
  fileprivate var isWord: Bool { isAlphanumeric || "-_".utf8.contains(self) }
  fileprivate var isDotted: Bool { isWord || ".=".utf8.contains(self) }
  fileprivate var isToken: Bool { isBase64 || ".=".utf8.contains(self) }
}
