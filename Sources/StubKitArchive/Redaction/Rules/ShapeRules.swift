import StubKit

/// How the keys and tokens of some services look. A test makes their examples, and words in their place that stay.
/// Written here, scanners of code would take an example for a live key.
struct ShapeRule: Sendable {
  /// The characters of a part of a key.
  enum Characters: Sendable {
    case alphanumeric, base64, digit, dotted, hexadecimal, random, tilde, token, upper, uuid, word
  }

  /// The texts with which they begin, what follows them, and the least number of that.
  let texts: [String], characters: Characters, least: Int
  /// What is before the texts, and how many of it. Most begin where a word does.
  let before: Characters, counts: ClosedRange<Int>

  init(
    _ texts: [String], _ characters: Characters, atLeast least: Int, after before: Characters = .alphanumeric,
    _ counts: ClosedRange<Int> = 0...0
  ) {
    (self.texts, self.characters, self.least, self.before) = (texts, characters, least, before)
    self.counts = counts
  }
}

/// The rules about shapes. CONTRIBUTING says how to add one.
enum ShapeRules {
  static let all: [ShapeRule] = [
    ShapeRule(
      [
        "dapi", "key-", "shpat_", "shpca_", "shppa_", "shpss_", "SK", "dkea", "pk_", "shippo_live_",
        "shippo_test_", "sk_", "fc-", "signkey-prod-", "signkey-test-", "v1.", "bb_pr_", "bb_ma_", "private-",
      ],
      .hexadecimal, atLeast: 32),
    ShapeRule(
      ["lin_wh_", "ek_"],
      .alphanumeric, atLeast: 32),
    ShapeRule(
      ["sk-"],
      .word, atLeast: 20),
    ShapeRule(
      [
        "dop_v1_", "doo_v1_", "dor_v1_", "sntryu_", "slk_", "rootly_", "e2b_", "packagist_uut_",
        "packagist_ack_", "ATTA",
      ],
      .hexadecimal, atLeast: 40),
    ShapeRule(
      ["api-", "sdk-", "mob-", "rh-api-", "waka_"],
      .uuid, atLeast: 36),
    ShapeRule(
      [
        "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_", "NRBR-", "tr_dev_",
        "tr_prod_",
      ],
      .alphanumeric, atLeast: 10),
    ShapeRule(
      [
        "rzp_live_", "rzp_test_", "sm_aat_", "sm_pat_", "sm_sat_", "LTAI", "esecret_", "flb_live_",
        "ak_live_",
      ],
      .alphanumeric, atLeast: 14),
    ShapeRule(
      [
        "aio_", "p8e-", "gsk_", "hf_", "api_org_", "ico-", "AKID", "rnd_", "xau_", "csk-", "sess-",
        "cio", "ddp_", "ddw_",
      ],
      .alphanumeric, atLeast: 28),
    ShapeRule(
      [
        "apify_api_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "pnu_", "bkua_", "cfk_", "cfut_",
        "cfat_", "lin_api_", "ntn_", "pul-", "secret_", "rubygems_", "squ_", "sqp_", "sqa_", "sbp_", "bkct_", "bkpt_",
        "oy2", "lin_oauth_", "4b1d", "napi_", "AKCp", "EZAK",
      ],
      .alphanumeric, atLeast: 36),
    ShapeRule(
      ["xprv", "tprv"],
      .alphanumeric, atLeast: 100),
    ShapeRule(
      ["CLOJARS_", "EZTK", "ramp_sec_", "rdme_", "sqco_", "EAAM", "EAAC", "EAAB", "EAAG"],
      .alphanumeric, atLeast: 48),
    ShapeRule(
      [
        "FLWSECK-", "FLWSECK_TEST-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xapp-",
        "xoxc-", "xoxd-", "AVNS_",
      ],
      .word, atLeast: 10),
    ShapeRule(
      [
        "dckr_pat_", "dckr_oat_", "NRIQ-", "NRII-", "EAAA", "sq0atp-", "sq0csp-", "tskey-", "hvs.", "hvb.",
        "GOCSPX-", "hcaik_", "hcalk_", "hvr.", "NRRA-", "vcp_", "vci_", "vca_", "vcr_", "vck_", "glrtr-", "glwt-",
      ],
      .word, atLeast: 22),
    ShapeRule(
      [
        "AIza", "ya29.", "lsv2_pt_", "lsv2_sk_", "nfp_", "nfc_", "nfo_", "nfu_", "nfb_",
        "nvapi-", "pplx-", "r8_", "xai-",
        "1//0", "tvly-", "fw_", "re_", "sb_secret_", "tgp_v1_", "AQVN",
      ],
      .word, atLeast: 30),
    ShapeRule(
      [
        "CFPAT-", "figd_", "figp_", "figor_", "figur_", "figoh_", "figuh_", "pat-na1-", "pat-na2-", "pat-eu1-",
        "pat-ap1-", "sha256~", "access-production-", "access-sandbox-", "access-development-", "phx_", "tk-us-", "sgp_",
        "figo_", "figu_", "shltm_", "CCIPAT_", "CCIPRJ_", "mdb_sa_sk_", "wandb_v1_",
      ],
      .word, atLeast: 36),
    ShapeRule(
      [
        "aW50ZXJhY3Rpb246", "xkeysib-", "v1.0-", "github_pat_", "HRKU-", "pcsk_", "s-s4t2ud-", "s-s4t2af-",
        "PMAK-", "pypi-AgE", "xsmtpsib-", "y0_",
      ],
      .word, atLeast: 50),
    ShapeRule(
      ["sl.", "sl.u."],
      .word, atLeast: 120),
    ShapeRule(
      ["-----BEGIN"],
      .word, atLeast: 0),
    ShapeRule(
      ["eyJ"],
      .dotted, atLeast: 20, after: .word, 0...0),
    ShapeRule(
      ["MT:"],
      .dotted, atLeast: 19),
    ShapeRule(
      [
        "glpat-", "gldt-", "glft-", "glrt-", "glcbt-", "glptt-", "glimt-", "glagent-", "gloas-", "glsoat-",
        "glffct-", "GR1348941",
      ],
      .dotted, atLeast: 20),
    ShapeRule(
      [
        "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "duffel_live_", "duffel_test_",
        "fio-u-", "VF.DM.", "VF.WS.", "pscale_tkn_", "pscale_pw_", "pscale_oauth_", "tfp_", "snyk_uat.", "snyk_sat.",
        "bce-v3/",
      ],
      .dotted, atLeast: 32),
    ShapeRule(
      [
        "dt0c01.", "pat.", "sat.", "sk.eyJ", "SG.", "dt0s01.", "1000.", "v2.local.", "v3.local.", "v4.local.",
        "v2.public.", "v4.public.",
      ],
      .dotted, atLeast: 60),
    ShapeRule(
      ["pat"],
      .dotted, atLeast: 79),
    ShapeRule(
      ["AKIA", "ASIA", "ABIA", "ACCA"],
      .upper, atLeast: 16),
    ShapeRule(
      ["A3-", "API-", "NRAK-", "AGE-SECRET-KEY-1", "pk_", "GOOG1E", "API_KEY"],
      .upper, atLeast: 26),
    ShapeRule(
      ["ATATT3", "ATCTT3", "ATBB", "BBDC-", "glc_", "glsa_", "eyJrIjoi", "xoxe.xox"],
      .token, atLeast: 24),
    ShapeRule(
      [
        "cmVmd", "fo1_", "fm1a_", "fm1r_", "fm2_", "sntrys_", "ops_eyJ", "ABSK", "bedrock-api-key-", "essu_",
        "gAAAAAB", "dG9rO", "ZXlKaGJHY2lPaU",
      ],
      .token, atLeast: 40),
    ShapeRule(
      ["base64:"],
      .token, atLeast: 43),
    ShapeRule(
      [
        "$2a$08$", "$2b$08$", "$2a$10$", "$2b$10$", "$2y$10$", "$2a$11$", "$2b$11$", "$2a$12$", "$2b$12$",
        "$2y$12$", "$2b$13$",
      ],
      .token, atLeast: 53),
    ShapeRule(
      ["AAAAAAAAAAAAAAAAAAAAA"],
      .random, atLeast: 50),
    ShapeRule(
      ["Q~"],
      .tilde, atLeast: 31, after: .tilde, 4...5),
    ShapeRule(
      ["+ASt", "+ASb", "+AEh", "+ARm", "+ABa", "+ACR", "ACDb", "AzFu", "AzSe", "AZDO", "JQQJ99"],
      .alphanumeric, atLeast: 6, after: .base64, 33...80),
    ShapeRule(
      [".atlasv1."],
      .dotted, atLeast: 40, after: .word, 10...20),
    ShapeRule(
      [".acc_", ".acc-"],
      .dotted, atLeast: 40, after: .dotted, 12...50),
    ShapeRule(
      ["-us"],
      .hexadecimal, atLeast: 1, after: .hexadecimal, 32...32),
    ShapeRule(
      ["_mmk", "FFFFNRAL", "-NRMA"],
      .word, atLeast: 0, after: .word, 26...42),
    ShapeRule(
      ["_secret_"],
      .alphanumeric, atLeast: 16, after: .word, 10...60),
    ShapeRule(
      [":AA", ":APA91b"],
      .word, atLeast: 32, after: .word, 5...30),
    ShapeRule(
      ["!A"],
      .dotted, atLeast: 80, after: .alphanumeric, 15...18),
    ShapeRule(
      ["==|"],
      .token, atLeast: 20, after: .dotted, 24...24),
    ShapeRule(
      [":0", ":1", ":2", ":3", ":4", ":5", ":6", ":7", ":8", ":9", ":a", ":b", ":c", ":d", ":e", ":f"],
      .hexadecimal, atLeast: 31, after: .digit, 14...19),
  ]
}
