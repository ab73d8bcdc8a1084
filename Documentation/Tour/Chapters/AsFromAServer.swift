import Foundation
import StubKit

extension Chapter {
  static let asFromAServer = Chapter(
    "A challenge, a redirect and a download, as with a real server",
    code: #"""
      stub(condition: isPath("/film"),
           response: .status(401)
             .header("WWW-Authenticate", "Basic realm=\"Films\""), name: "login")
      stub(condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"),
           response: .redirect(to: "https://cdn.example.com/1.mp4"), name: "film")
      stub(condition: isHost("cdn.example.com"),
           response: .data(film).chunked(by: 100_000), name: "cdn")
      """#
  ) { page in
    let film = Data(count: 250_000)
    stub(
      condition: isPath("/film"),
      response: .status(401)
        .header("WWW-Authenticate", "Basic realm=\"Films\""), name: "login")
    stub(
      condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"),
      response: .redirect(to: "https://cdn.example.com/1.mp4"), name: "film")
    stub(
      condition: isHost("cdn.example.com"),
      response: .data(film).chunked(by: 100_000), name: "cdn")

    page.show("The delegate of a download task receives:\n")
    let ann = URLCredential(user: "ann", password: "x", persistence: .none)
    let (told, length) = await Transfer.download("https://api.example.com/film", as: ann)
    for line in told { page.show(line) }
    page.expect(length == film.count, "the whole film to be in the file")
    let kinds = told.map { $0.prefix { $0 != " " } }
    page.expect(
      kinds == ["challenge", "redirect", "progress", "progress", "progress", "complete"],
      "the events of a download, in the order of a real server")
  }
}
