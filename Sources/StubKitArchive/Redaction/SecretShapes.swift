import Foundation
import StubKitFormats

/// Values that are recognised wherever they stand: keys and tokens whose services publish how they begin, bearer credentials,
/// JSON Web Tokens and private keys.
struct SecretShapes {
  struct Finding {
    let range: Range<Int>
    let name: String
    var isToken = false
  }

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var findings: [Finding] {
    var (findings, position) = ([Finding](), 0)
    while position < text.count {
      let byte = text[position]
      guard Self.firsts[Int(byte)], let finding = finding(at: position, byte),
        finding.range.lowerBound >= (findings.last?.range.upperBound ?? 0)
      else {
        position += 1
        continue
      }
      findings.append(finding)
      position = max(position + 1, finding.range.upperBound)
    }
    return findings
  }

  private func finding(at position: Int, _ byte: UInt8) -> Finding? {
    if byte == UInt8(ascii: "-"), let key = privateKey(position) { return key }
    let isStart = position == 0 || !text[position - 1].isAlphanumeric
    if isStart, byte | 0x20 == UInt8(ascii: "b"), let finding = credentials(position) { return finding }
    if isStart, byte == UInt8(ascii: "e"), let token = token(position) { return token }
    for shape in Self.shapes[byte] ?? [] where text[position...].starts(with: shape.text) {
      if let range = range(of: shape, at: position, isStart) { return Finding(range: range, name: shape.name) }
    }
    return nil
  }

  private func range(of shape: Shape, at position: Int, _ isStart: Bool) -> Range<Int>? {
    var start = position
    if let before = shape.before {
      while start > 0, before.set.contains(text[start - 1]) { start -= 1 }
      guard before.count.contains(position - start) else { return nil }
    } else if !isStart {
      return nil
    }
    let rest = position + shape.text.count
    var end = rest
    while end < text.count, shape.set.contains(text[end]) { end += 1 }
    // The full stop of a sentence.
    while end > rest, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard end - rest >= shape.least, shape.least == 0 || !String(decoding: text[rest..<end], as: UTF8.self).isWords
    else { return nil }
    return start..<end
  }

  /// `Bearer` or `Basic`, and what follows.
  private func credentials(_ position: Int) -> Finding? {
    for scheme in ["bearer ", "basic "] where text[position...].lazy.map(\.lowercased).starts(with: scheme.utf8) {
      let start = position + scheme.utf8.count
      let end = text[start...].firstIndex { !($0.isBase64 || ".~=".utf8.contains($0)) } ?? text.count
      let value = String(decoding: text[start..<end], as: UTF8.self)
      if let token = token(start) { return token }
      return value.looksRandom(atLeast: scheme.utf8.count == 7 ? 16 : 12)
        ? Finding(range: start..<end, name: "\(scheme)credentials") : nil
    }
    return nil
  }

  /// A JSON Web Token, with or without a signature, or an encrypted one.
  private func token(_ position: Int) -> Finding? {
    guard text[position...].starts(with: "eyJ".utf8) else { return nil }
    var (end, dots) = (position, [Int]())
    while end < text.count {
      if text[end] == UInt8(ascii: "."), dots.count < 4 {
        dots.append(end)
      } else if !text[end].isBase64 || "+/".utf8.contains(text[end]) {
        break
      }
      end += 1
    }
    guard let first = dots.first, first - position >= 12 else { return nil }
    let isSigned = text[(first + 1)...].starts(with: "ey".utf8)
    // The full stop of a sentence isn't an empty signature if there is one already.
    if dots.count > 2, dots.last == end - 1 { end -= 1 }
    guard end - first > 8, isSigned || dots.count == 4 else { return nil }
    return Finding(range: position..<end, name: "JSON Web Token", isToken: isSigned)
  }

  /// What stands between the first and the last line of a private key.
  private func privateKey(_ position: Int) -> Finding? {
    guard text[position...].starts(with: "-----BEGIN ".utf8) else { return nil }
    let label = text[(position + 11)...].prefix { $0.isUppercase || $0.isDigit || $0 == 0x20 }
    guard label.count <= 64, String(decoding: label, as: UTF8.self).contains("PRIVATE KEY"),
      text[label.endIndex...].starts(with: "-----".utf8)
    else { return nil }
    var (start, end) = (label.endIndex + 5, text.count)
    if let last = text[start...].firstRange(of: Array("-----END".utf8)) { end = last.lowerBound }
    func isBreak(_ place: Int) -> Bool { text[place] <= 0x20 || text[place] == UInt8(ascii: "\\") }
    while start < end,
      isBreak(start) || start > 0 && text[start - 1] == UInt8(ascii: "\\") && "nr".utf8.contains(text[start])
    { start += 1 }
    while end > start,
      isBreak(end - 1) || end > start + 1 && text[end - 2] == UInt8(ascii: "\\") && "nr".utf8.contains(text[end - 1])
    { end -= 1 }
    return start < end ? Finding(range: start..<end, name: "private key") : nil
  }

  // MARK: The table

  private enum Characters {
    case hex, alphanumeric, uppercase, word, dotted, any, percent, digits

    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .hex: byte.hexadecimalDigit != nil
      case .alphanumeric: byte.isAlphanumeric
      case .uppercase: byte.isUppercase || byte.isDigit
      case .word: byte.isAlphanumeric || byte == 0x5F || byte == 0x2D
      case .dotted: byte.isAlphanumeric || "_-.=".utf8.contains(byte)
      case .any: byte.isBase64 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "=")
      case .percent: byte.isAlphanumeric || byte == UInt8(ascii: "%")
      case .digits: byte.isDigit
      }
    }
  }

  private struct Shape {
    let text: [UInt8]
    let name: String
    let set: Characters
    /// The least number of characters after the text.
    let least: Int
    /// What stands before the text, for shapes that don't begin with it.
    var before: (set: Characters, count: ClosedRange<Int>)?
  }

  /// The beginnings, and what follows them.
  ///
  /// The sources are public rule sets: gitleaks (config/gitleaks.toml), trufflehog (pkg/detectors), and GitHub's page "Supported
  /// secret scanning patterns". Where a service documents a format itself, its name stands beside it.
  private static let known: [(set: Characters, least: Int, prefixes: String)] = [
    // gitleaks: github-*, npm, gcp-api-key; docs.github.com, "About authentication to GitHub".
    (.alphanumeric, 36, "ghp_ gho_ ghu_ ghs_ ghr_ npm_"), (.word, 60, "github_pat_"), (.word, 35, "AIza"),
    // gitleaks: gitlab-*; docs.gitlab.com, "Token overview".
    (
      .dotted, 20,
      "glpat- gldt- glft- glrt- glrtr- glcbt- glptt- glimt- glagent- gloas- glsoat- glffct- glwt- GR1348941"
    ),
    // gitleaks: slack-*; api.slack.com, "Token types".
    (.word, 10, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xapp-"), (.any, 20, "xoxe.xox"),
    // gitleaks: stripe, square, squarespace; trufflehog: stripe, razorpay, paystack, plaid, coinbase.
    (.alphanumeric, 10, "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_"),
    (.word, 22, "sq0atp- sq0csp- sq0idp- EAAA"), (.alphanumeric, 14, "rzp_live_ rzp_test_"),
    (.word, 36, "access-production- access-sandbox- access-development-"),
    (.word, 12, "FLWSECK- FLWSECK_TEST- duffel_live_ duffel_test_"), (.hex, 40, "shippo_live_ shippo_test_"),
    (.alphanumeric, 40, "EZAK EZTK"),
    // gitleaks: openai, anthropic, huggingface, perplexity; trufflehog: groq, xai, replicate, deepseek, tavily, langsmith.
    (.word, 30, "sk-proj- sk-svcacct- sk-admin- sk-None- sk-ant- sk-or-v1- xai- pplx- tvly- fw_"),
    (.alphanumeric, 32, "sk- gsk_ r8_ hf_ api_org_ nvapi- lsv2_pt_ lsv2_sk_"),
    // gitleaks: aws-*, alibaba; AWS, "Understanding unique ID prefixes"; trufflehog: tencent.
    (.uppercase, 16, "AKIA ASIA ABIA ACCA"), (.alphanumeric, 20, "LTAI"), (.alphanumeric, 32, "AKID"),
    (.any, 100, "ABSK"),
    // trufflehog: gcp, google oauth; developers.google.com, "Using OAuth 2.0".
    (.word, 30, "ya29. 1//0"), (.word, 24, "GOCSPX-"),
    // gitleaks: sendgrid, sendinblue, mailgun, mailchimp; trufflehog: twilio, resend, postmark.
    (.dotted, 60, "SG."), (.word, 64, "xkeysib- xsmtpsib-"), (.hex, 32, "key- SK"), (.word, 30, "re_"),
    // gitleaks: pypi, rubygems, clojars; trufflehog: docker, nuget, artifactory.
    (.word, 50, "pypi-AgE"), (.hex, 48, "rubygems_"), (.alphanumeric, 60, "CLOJARS_ AKCp"),
    (.word, 24, "dckr_pat_ dckr_oat_"),
    (.alphanumeric, 43, "oy2"), (.any, 55, "cmVmd"),
    // gitleaks: shopify, digitalocean, databricks, heroku, flyio, supabase, netlify, vercel, planetscale, scalingo.
    (.hex, 32, "shpat_ shpca_ shppa_ shpss_ dapi dkea"), (.hex, 64, "dop_v1_ doo_v1_ dor_v1_"), (.word, 50, "HRKU-"),
    (.any, 40, "fo1_ fm1a_ fm1r_ fm2_"), (.hex, 40, "sbp_"), (.alphanumeric, 30, "sb_secret_ nfp_ vcp_ rnd_"),
    (.dotted, 32, "pscale_tkn_ pscale_pw_ pscale_oauth_"),
    (.word, 48, "tk-us-"), (.word, 60, "v1.0-"),
    // gitleaks: hashicorp, vault, pulumi, doppler, infracost, prefect, openshift, octopus, harness.
    (.word, 20, "hvs. hvb. hvr."), (.hex, 40, "pul-"), (.dotted, 40, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit."),
    (.alphanumeric, 32, "ico- pnu_"), (.word, 43, "sha256~"), (.uppercase, 26, "API-"), (.dotted, 60, "pat. sat."),
    // gitleaks: grafana, newrelic, sentry, sumologic, dynatrace, posthog; trufflehog: datadog, honeycomb.
    (.any, 32, "glc_ glsa_ eyJrIjoi"), (.uppercase, 27, "NRAK- NRIQ-"), (.hex, 32, "NRRA- NRII- NRAL-"),
    (.any, 40, "sntrys_"), (.hex, 64, "sntryu_"),
    (.dotted, 64, "dt0c01. dt0s01."), (.alphanumeric, 40, "phx_"), (.word, 22, "hcaik_ hcalk_"),
    // gitleaks: notion, linear, postman, atlassian, typeform, frameio, readme, airtable, figma; trufflehog: asana, clickup.
    (.alphanumeric, 40, "ntn_ secret_ lin_api_ lin_oauth_"), (.word, 50, "PMAK- fio-u-"),
    (.word, 24, "ATATT3 ATCTT3 ATBB BBDC-"),
    (.dotted, 40, "tfp_"), (.alphanumeric, 70, "rdme_"), (.word, 40, "figd_ figo_ figu_"), (.dotted, 79, "pat"),
    (.alphanumeric, 30, "pk_"),
    // gitleaks: sourcegraph, snyk, 1password, age, adobe, intra42, settlemint, mapbox, adafruit.
    (.word, 40, "sgp_"), (.dotted, 50, "snyk_uat. snyk_sat."), (.any, 100, "ops_eyJ"),
    (.uppercase, 50, "AGE-SECRET-KEY-1"), (.alphanumeric, 32, "p8e-"),
    (.word, 64, "s-s4t2ud- s-s4t2af-"), (.alphanumeric, 16, "sm_aat_ sm_pat_ sm_sat_"), (.dotted, 60, "sk.eyJ"),
    (.alphanumeric, 28, "aio_"),
    // gitleaks: facebook-page, twitter; trufflehog: dropbox, hubspot, contentful, telegram, discord, buildkite, tailscale.
    (.alphanumeric, 100, "EAAM EAAC"), (.percent, 50, "AAAAAAAAAAAAAAAAAAAAA"), (.word, 120, "sl."),
    (.word, 36, "pat-na1- pat-eu1-"),
    (.word, 43, "CFPAT-"), (.alphanumeric, 40, "bkua_ bkct_ bkpt_"),
    (.word, 20, "tskey-auth- tskey-api- tskey-client-"), (.uppercase, 28, "A3-"),
    // Addresses that are secrets. gitleaks: slack-webhook-url; trufflehog: discordwebhook, microsoftteamswebhook, zapier.
    (.any, 40, "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/"),
    (.any, 60, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"),
  ]

  /// Shapes with a part before the text that is recognised.
  private static let others: [Shape] = [
    // gitleaks: telegram-bot-api-token, hashicorp-tf-api-token, maxmind-license-key; Stripe's client secrets; docs.gitlab.com.
    Shape(text: Array(":AA".utf8), name: "Telegram", set: .word, least: 32, before: (.digits, 5...16)),
    Shape(text: Array(".atlasv1.".utf8), name: "atlasv1", set: .dotted, least: 40, before: (.alphanumeric, 10...20)),
    Shape(text: Array("_mmk".utf8), name: "MaxMind", set: .word, least: 0, before: (.word, 36...36)),
    Shape(text: Array("_secret_".utf8), name: "Stripe", set: .alphanumeric, least: 16, before: (.word, 10...60)),
    // gitleaks: azure-ad-client-secret, authress; trufflehog: mailchimp (-us1 to -us21).
    Shape(text: Array("Q~".utf8), name: "Azure", set: .dotted, least: 31, before: (.word, 4...5)),
    Shape(text: Array("-us".utf8), name: "Mailchimp", set: .digits, least: 1, before: (.hex, 32...32)),
  ]

  private static let shapes: [UInt8: [Shape]] = {
    var shapes: [UInt8: [Shape]] = [:]
    for row in known {
      for prefix in row.prefixes.pieces(at: " ") {
        let text = Array(prefix.utf8)
        shapes[text[0], default: []].append(Shape(text: text, name: "\(prefix)…", set: row.set, least: row.least))
      }
    }
    for shape in others { shapes[shape.text[0], default: []].append(shape) }
    return shapes
  }()

  /// Whether a shape begins with a byte.
  private static let firsts: [Bool] = (0..<256).map { "bBe-".utf8.contains(UInt8($0)) || shapes[UInt8($0)] != nil }
}
