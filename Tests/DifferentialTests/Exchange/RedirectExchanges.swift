import Foundation

extension Exchange {
  static let redirectStatuses = [301, 302, 303, 307, 308]

  /// One hop to `/end`.
  static func redirect(_ status: Int) -> Exchange { redirect("redirect \(status)", status, to: "/end") }

  private static func redirect(
    _ name: String, _ status: Int = 302, to location: String, headers: [(name: String, value: String)] = [],
    body: [String] = ["moved"]
  ) -> Exchange {
    Exchange(
      name,
      [
        Route("/start", Answer(status: status, headers: [("Location", location)] + headers, body: body)),
        Route("/end", .text("the end")),
        Route("/elsewhere", .text("elsewhere")),
      ])
  }

  /// Redirects that are special by something else than their status.
  static let redirects: [Exchange] = [
    redirect("redirect to a relative path", to: "end"),
    Exchange(
      "redirect relative to a folder",
      [
        Route("/folder/start", Answer(status: 302, headers: [("Location", "end")], body: ["moved"])),
        Route("/folder/end", .text("the end")),
        Route("/end", .text("elsewhere")),
      ]
    ).with { $0.target = "/folder/start" },
    redirect("redirect to a path with query and fragment", to: "/end?a=1&b=%20#part"),
    redirect("redirect that sets a cookie", to: "/end", headers: [("Set-Cookie", "hop=1; Path=/")]),
    redirect("redirect without a body", to: "/end", body: []),
    redirect("redirect with session header fields", to: "/end").with { $0.sessionHeaders = ["X-Session": "s"] },
    redirect("redirect with authorization", to: "/end").with { $0.requestHeaders["Authorization"] = "Bearer token" },
    redirect("redirect with a user in the URL", to: "/end").with { $0.user = "ann:secret@" },
    redirect("redirect to a mail address", to: "mailto:ann@a.example"),
    redirect("redirect to data", to: "data:text/plain,end"),
    redirect("redirect to an empty location", to: ""),
    redirect("redirect to no URL", to: "http://[bad/"),
    Exchange("redirect without a location", Answer(status: 302, headers: [], body: ["nowhere"])),
    Exchange("redirect loop", Answer(status: 302, headers: [("Location", "/start")])),
    Exchange(
      "three hops",
      [
        Route("/start", Answer(status: 301, headers: [("Location", "/second")])),
        Route("/second", Answer(status: 302, headers: [("Location", "/third")])),
        Route("/third", Answer(status: 307, headers: [("Location", "/end")])),
        Route("/end", .text("the end")),
      ]),
    Exchange(
      "redirect to a failure",
      [
        // On a connection of its own: on one that was good before, the transport would ask again once.
        Route("/start", Answer(status: 302, headers: [("Location", "/end")], framing: .close)),
        Route("/end", Answer(ending: .droppedBeforeHead)),
      ]),
  ]

  private static let authorization = "Basic dXNlcjpzZWNyZXQ="

  /// Wants `user` and `secret`.
  static let challenge = Exchange(
    "401",
    [
      Route("/start", .header("Authorization", authorization), .text("secret")),
      Route("/start", .text("who?").with(status: 401, ("WWW-Authenticate", "Basic realm=\"Cellar\""))),
    ])

  /// The credential is asked for where the redirect leads.
  static let redirectToChallenge = Exchange(
    "redirect to a 401",
    [
      Route("/start", .header("Authorization", authorization), .text("started over")),
      Route("/start", Answer(status: 302, headers: [("Location", "/end")])),
      Route("/end", .header("Authorization", authorization), .text("secret")),
      Route("/end", .text("who?").with(status: 401, ("WWW-Authenticate", "Basic realm=\"Cellar\""))),
    ])

  /// 401 without a challenge that the native loader understands: it is a response like any other.
  static let unauthorized: [Exchange] = [
    Exchange("401 without a challenge", .text("who?").with(status: 401)),
    Exchange(
      "401 with a bearer challenge",
      .text("who?").with(status: 401, ("WWW-Authenticate", "Bearer realm=\"Cellar\""))),
  ]
}
