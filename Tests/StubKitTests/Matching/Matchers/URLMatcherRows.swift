import Foundation
import StubKit

private func any(_ url: String) -> RequestMatcher { RequestMatcher(.any, url) }

/// The rows of the table of matchers that are about a URL, or a part of one in front of its query.
extension MatcherTableTests {
  static let urls = [
    MatcherRow(
      isScheme("foo"), isScheme("Foo"), at: "foo: foo:// foo://bar/baz FOO://bar",
      not: "foobar:// fo://foo bar://foo/foo /foo: foo"),
    MatcherRow(
      isHost("foo"), isHost("FOO"), at: "bar://foo bar://foo/baz bar://FOO:80/baz bar://u:p@foo?q //foo/bar",
      not: "foo: foo:// foo://bar bar://foo@bar/ bar://foo.com foo bar://xfoo bar:///foo"),
    MatcherRow(
      isHost("münchen.de"), isHost("MÜNCHEN.de"), isHost("xn--mnchen-3ya.de"), isHost("XN--MNCHEN-3YA.de"),
      isHost("mu\u{308}nchen.de"), at: "http://münchen.de/ http://xn--mnchen-3ya.de/", not: "http://munchen.de/"),
    MatcherRow(isHost("é.com"), at: "http://%C3%A9.com/"),
    MatcherRow(
      isHost("[::1]"), isHost("::1"), at: "http://[::1]/ http://[::1]:8080/x http://u@[::1]", not: "http://[::2]/"),
    MatcherRow(
      hostEndsWith(".example.com"), hostEndsWith(".EXAMPLE.com"),
      at: "http://api.example.com/ http://API.example.COM:81/", not: "http://example.com/ http://a.com/.example.com"),
    MatcherRow(hostEndsWith("example.com"), at: "http://badexample.com"),
    MatcherRow(hostEndsWith("nchen.de"), at: "", not: "http://münchen.de"),
    MatcherRow(
      hostEndsWith(".münchen.de"), hostEndsWith(".xn--mnchen-3ya.de"),
      at: "http://a.xn--mnchen-3ya.de http://a.münchen.de"),
    MatcherRow(hostEndsWith("com"), at: "", not: "foo:com"),
    MatcherRow(
      isPort(80), at: "http://a.com/ HTTP://a.com http://a.com:/", not: "https://a.com http://a.com:8080/ foo://a.com"),
    MatcherRow(isPort(8080), at: "http://a.com:8080/80"),
    MatcherRow(isPort(81), at: "http://[::1]:81/"),
    MatcherRow(isPort(0), at: "http://a:0"),
    MatcherRow(
      .absoluteURL("http://a.com/p?x=1&y=2#f"), at: "http://a.com/p?x=1&y=2#f",
      not:
        "http://a.com/p?y=2&x=1#f http://a.com/p?x=1&y=2 http://a.com/p?x=1&y=2#g http://a.com/p/?x=1&y=2#f https://a.com/p?x=1&y=2#f"
    ),
    MatcherRow(
      .absoluteURL("http://a.com/é b"), .absoluteURL("http://a.com/%C3%A9%20b"),
      at: "http://a.com/%C3%A9%20b"),
    MatcherRow(
      isLoopback(),
      at: """
        http://localhost/ http://LOCALHOST:8080/a http://api.localhost/ http://127.0.0.1:80/ http://127.255.0.3/ \
        http://[::1]:8080/ http://localhost./ http://[0:0:0:0:0:0:0:1]/
        """,
      not: """
        http://[1::]/ http://[1::1]/ http://localhost.example.com/ http://128.0.0.1/ http://127.0.0/ \
        http://127.0.0.256/ http://[::2]/ http://notlocalhost/ file:///a
        """),
  ]

  static let wholeURLs = [
    MatcherRow(
      any("/s?tag=a&tag=a&b"), at: "http://a/s?tag=a&b&tag=a http://a/s?b&tag=a&tag=a&tag=a&c",
      not: "http://a/s?tag=a&b http://a/s?tag=a&tag=b&b http://a/s?tag=a&tag=a http://a/s?tag=aa&b"),
    MatcherRow(any("/s?tag=a&tag=b"), at: "http://a/s?tag=b&tag=a", not: "http://a/s?tag=a http://a/s?tag=a&tag=a"),
    MatcherRow(any("/s?f&f"), at: "http://a/s?f&f", not: "http://a/s?f http://a/s?f=&f"),
    MatcherRow(
      isURL("https://api.a.com/v1/users"), isURL(URL(string: "https://API.a.com:443/v1/users/#top")!),
      at: """
        https://api.a.com/v1/users HTTPS://API.a.com/v1/users/ https://api.a.com:443/v1/users \
        https://api.a.com/v1/%75sers https://ann:pw@api.a.com/v1/users https://api.a.com/v1/users?page=2#top
        """,
      not: """
        http://api.a.com/v1/users http://api.a.com:443/v1/users https://api.a.com:8443/v1/users \
        https://www.a.com/v1/users https://api.a.com/v1/users/42 https://api.a.com/v1 /v1/users
        """),
    MatcherRow(
      isURL("https://a.com/?a=1&a=1&b"), at: "https://a.com/?a=1&b&a=1 https://a.com/?b&a=1&a=%31",
      not: """
        https://a.com/?a=1&b https://a.com/?a=1&b&a=1&a=1 https://a.com/?a=1&b=&a=1 https://a.com/?a=1&b&a=1&c \
        https://a.com/
        """),
    MatcherRow(isURL("https://a.com?"), at: "https://a.com/ https://a.com/?", not: "https://a.com/?a"),
    MatcherRow(
      isURL("https://a.com"), isURL("https://a.com/"), hasBaseURL("https://a.com"), at: "https://a.com/ https://a.com"),
    MatcherRow(
      isURL("https://bücher.example/é b"), hasBaseURL("https://bücher.example/é b"),
      at: "https://xn--bcher-kva.example/%C3%A9%20b"),
    MatcherRow(isURL("http://[::1]:8080/a"), hasBaseURL("http://[::1]:8080/a"), at: "http://[::1]:8080/a/"),
    MatcherRow(isURL("app+x://host/a"), hasBaseURL("app+x://host/a"), at: "APP+X://HOST/a"),
    MatcherRow(
      hasBaseURL("https://api.a.com/v1"), hasBaseURL("https://api.a.com/v1/"),
      hasBaseURL(URL(string: "https://API.a.com/v1")!),
      at: """
        https://api.a.com/v1 https://api.a.com/v1/ https://api.a.com/v1/users?page=2 https://api.a.com:443/v1//users
        """,
      not: """
        https://api.a.com/v10 https://api.a.com/v https://api.a.com/ https://api.a.com/V1/users \
        http://api.a.com/v1/users https://a.com/v1/users https://api.a.com:80/v1/users
        """),
    MatcherRow(hasBaseURL("https://a.com/cafe"), at: "https://a.com/cafe/%CC%81", not: "https://a.com/cafe%CC%81"),
    MatcherRow(hasBaseURL("https://a.com"), at: "https://a.com/%CC%81"),
    // In a URL, %2F is no slash between two segments.
    MatcherRow(
      isURL("https://a.com/f/a%2Fb"), isURL(URL(string: "https://a.com/f/a%2fb/")!), any("https://a.com/f/a%2Fb"),
      at: "https://a.com/f/a%2Fb https://a.com/f/a%2fb/?q https://a.com/f/%61%2Fb",
      not: "https://a.com/f/a/b https://a.com/f/a%252Fb https://a.com/f%2Fa%2Fb https://a.com/f/a%2Fb/c"),
    MatcherRow(
      isURL("https://a.com/f/a/b"), any("https://a.com/f/a/b"), at: "https://a.com/f/a/b https://a.com/f/a/b?a%3Db%26",
      not: "https://a.com/f/a%2Fb https://a.com/f%2Fa%2Fb https://a.com/f/a%2Fb?a%26"),
    MatcherRow(
      hasBaseURL("https://a.com/f/a"), at: "https://a.com/f/a/b%2Fc https://a.com/f/a https://a.com/f/a?%26",
      not: "https://a.com/f/a%2Fb https://a.com/f%2Fa/b"),
    MatcherRow(hasBaseURL("https://a.com/f/a%2Fb"), at: "https://a.com/f/a%2Fb/c", not: "https://a.com/f/a/b/c"),
    MatcherRow(hasBaseURL("https://a.com"), at: "https://a.com/a%2Fb"),
    MatcherRow(
      isURL("https://a.com/a/../b/./c"), hasBaseURL("https://a.com/x/../b"), any("https://a.com/./b/c"),
      any("/x/../b/{c}"), isPath("/b/c"), isPath(template: "/b/{c}"), pathStartsWith("/b/"), pathEndsWith("/c"),
      at: "https://a.com/b/c https://a.com/b/./c https://a.com/a/../b/c https://a.com/../b/d/../c/."),
    // What looks like one isn't one, and an encoded one is sent.
    MatcherRow(
      isPath("/.b/..c/d."), pathStartsWith("/."), pathStartsWith("/.b/.."), pathEndsWith("/d."),
      at: "http://a.com/.b/..c/d."),
    MatcherRow(pathMatches(#"^/a/\.\./b$"#), at: "http://a.com/a/%2e%2E/b", not: "http://a.com/a/../b"),
    MatcherRow(hasPathExtension("b"), at: "http://a.com/./x.b http://a.com/a.b/c/.."),
  ]

  /// Stubs for a method and a URL.
  static let stubbedURLs = [
    MatcherRow(any("/users"), at: "http://a/users/?page=2", not: "http://a/user"),
    MatcherRow(any("/users?page=2"), at: "http://a/users?sort=a&page=2", not: "http://a/users"),
    MatcherRow(any("/users?tag=a&tag=b"), at: "http://a/users?tag=b&tag=a", not: "http://a/users?tag=b"),
    MatcherRow(any("/users?"), at: "http://a/users", not: "http://a/users?page=2"),
    MatcherRow(
      RequestMatcher(.post, "/users?a=1", where: hasJSONBody(["id": 1]) && !hasHeader("X")), at: "",
      not: "http://a/users?a=1"),
    MatcherRow(
      RequestMatcher(.any, "/users/{id}", where: containsQuery("a") || isPort(81)),
      at: "http://a/users/1?a http://a:81/users/1", not: "http://a/users/1 http://a/users?a"),
    MatcherRow(
      any(#"/a/{id:\{[0-9]+}?page=2"#), at: "http://a/a/%7B1?page=2", not: "http://a/a/%7B1 http://a/a/1?page=2"),
    MatcherRow(any(#"/a?filter={"id":1}"#), at: "http://a/a?filter=%7B%22id%22:1%7D"),
    MatcherRow(
      any("/files/a%2Fb"), isPath(template: "/files/a%2fb"), at: "http://a/files/a%2Fb", not: "http://a/files/a/b"),
    MatcherRow(
      any("/files/a/b"), isPath(template: "/files/a/b"), at: "http://a/files/a/b", not: "http://a/files/a%2Fb"),
    MatcherRow(
      any("https://A.example:443/users"), any("https://a.example/users#top"), at: "https://a.example/users",
      not: "http://a.example/users"),
    MatcherRow(any("https://a.example/users/{id}?page=2"), at: "https://a.example/users/42?page=2"),
    MatcherRow(any("https://a.example/{id:[a?]+}?page=2"), at: "https://a.example/a?page=2"),
    MatcherRow(any("/a%20b/{id}"), any("/a b/{id}"), at: "http://a/a%20b/1", not: "http://a/aab/1 http://a/a%20b/1/2"),
    MatcherRow(any("/v1/files:upload"), at: "http://a/v1/files:upload"), MatcherRow(any("/%3Aid"), at: "http://a/:id"),
    MatcherRow(any("/%2A/{id}"), at: "http://a/*/1"),
  ]

  static let paths = [
    MatcherRow(
      isPath("/foo/bar"), isPath("/foo/bar/"),
      at: "http://a.com/foo/bar http://a.com/foo/bar/ http://a.com/foo/bar?q=1#f /foo/bar",
      not: """
        http://a.com/foo/bar;param http://a.com/foo/bar/baz http://a.com/baz/foo/bar http://a.com/?q=/foo/bar \
        http://a.com/#/foo/bar foo/bar
        """),
    MatcherRow(isPath("/foo/bar;param"), at: "http://a.com/foo/bar;param?q"),
    MatcherRow(isPath(""), isPath("/"), at: "http://a.com/ http://a.com http://a.com?q", not: "http://a.com/a/%E9/?q"),
    MatcherRow(isPath(""), at: "foo:"), MatcherRow(isPath("/a b/é"), at: "http://a.com/a%20b/%C3%A9"),
    MatcherRow(isPath("/a/b"), at: "http://a.com/a%2Fb"), MatcherRow(isPath("/A"), at: "", not: "http://a.com/a"),
    // Not UTF-8: stays as it is.
    MatcherRow(isPath("/a/%E9"), at: "http://a.com/a/%E9/?q"),
    MatcherRow(isPath("/a/%e9"), isPath("/a"), at: "", not: "http://a.com/a/%E9/?q"),
    // No character is taken for another with the same low 16 bits.
    MatcherRow(
      isPath("/\u{14C}"), pathStartsWith("/\u{14C}"), at: "http://h/%C5%8C",
      not: "http://h/%F0%90%81%8F%CC%84 http://h/%F0%B0%81%8F%CC%84"),
    MatcherRow(isPath("/\u{1004F}\u{304}"), at: "http://h/%F0%90%81%8F%CC%84", not: "http://h/O%CC%84"),
    MatcherRow(containsQuery("\u{14C}"), at: "http://h/?%C5%8C", not: "http://h/?%F0%90%81%8F%CC%84"),
    MatcherRow(
      pathStartsWith("/foo"),
      at: "http://a.com/foo http://a.com/foo/bar?q http://a.com/foobar http://a.com/foo;p/x",
      not: "http://a.com/bar/foo http://a.com/?/foo http://a.com/#/foo"),
    MatcherRow(pathMatches("^foo"), at: "foo/bar"), MatcherRow(pathStartsWith("/"), at: "http://a.com"),
    MatcherRow(pathStartsWith("/foo/"), at: "", not: "http://a.com/foobar"),
    MatcherRow(
      pathEndsWith("/bar"),
      at: "http://a.com/foo/bar http://a.com/foo/bar?q http://a.com/foo/bar#a http://a.com/path;/foo/bar",
      not: "http://a.com/foo/bar;p http://a.com/?q=/bar http://a.com/#/bar"),
    MatcherRow(pathEndsWith("bar"), at: "foo/bar"),
    MatcherRow(pathMatches("/foo/\\d+"), at: "http://a.com/x/foo/12/y"),
    MatcherRow(
      pathMatches("^/foo/\\d+$"),
      at: "http://a.com/foo/12?q", not: "http://a.com/foo/12;p"),
    MatcherRow(pathMatches("^/foo$"), at: "http://a.com/foo", not: "http://a.com/FOO"),
    MatcherRow(pathMatches("^/$"), at: "http://a.com/", not: "http://a.com/a"),
    MatcherRow(pathMatches("\\A/$"), at: "http://a.com/", not: "http://a.com/a"),
    MatcherRow(pathMatches("^/foo$", options: .caseInsensitive), at: "http://a.com/FOO"),
    MatcherRow(pathMatches("foo"), at: "", not: "http://foo.com/?foo#foo"),
    MatcherRow(
      hasPathExtension("txt"),
      at:
        "http://a.com/bar.txt http://a.com/bar.txt?q=1 http://a.com/bar.txt/ bar.txt http://a.com/a.b.txt#c.d http://a.com/a.%74xt",
      not: """
        http://a.com/bar.baz?q=wizz.txt txt://a.com/bar http://a.com/bar.TXT http://a.txt/ http://a.com/x.txt/bar \
        http://a.com/.txt
        """),
  ]

  /// Paths that differ from another one in a single byte, wherever that is.
  static let lengths = [2, 4, 8, 16, 33].map { count in
    let path = String(repeating: "a", count: count)
    let others = (0..<count).map { "http://a.com/\(path.prefix($0))b\(path.dropFirst($0 + 1))" }
    return MatcherRow(isPath("/\(path)"), at: "http://a.com/\(path)", not: others.joined(separator: " "))
  }
}
