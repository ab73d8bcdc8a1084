import Foundation
import StubKit

extension Chapter {
  static let ranges = Chapter(
    "A download that resumes, with ranges and an entity tag",
    code: #"""
      stub(condition: isPath("/song"),
           response: .text("do re mi fa so la ti")
             .acceptingRanges().conditional(etag: "v1"), name: "song")
      """#
  ) { page in
    stub(
      condition: isPath("/song"),
      response: .text("do re mi fa so la ti")
        .acceptingRanges().conditional(etag: "v1"), name: "song")

    let rest = try await Reply.get(
      "https://cdn.example.com/song", headers: ["Range": "bytes=9-", "If-Range": "\"v1\""])
    page.show("Range: bytes=9-, If-Range: \"v1\"")
    page.show(rest)
    page.expect(rest.status == 206 && rest.text == "fa so la ti", "the rest of the song")
    let known = try await Reply.get("https://cdn.example.com/song", headers: ["If-None-Match": "\"v1\""])
    page.show("If-None-Match: \"v1\"")
    page.show(known)
    page.expect(known.status == 304 && known.text.isEmpty, "nothing new")
  }
}
