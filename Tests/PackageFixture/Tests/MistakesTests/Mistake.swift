import Foundation
import StubKit
import StubKitOHHTTPStubs

/// Something in a test's own text that traps, and a piece of what StubKit says about it.
enum Mistake: String, CaseIterable, Codable, Sendable {
  case schemeWithColon, hostWithScheme, hostWithSlash, hostWithQuery, hostWithUser, hostWithPort, portOutOfRange
  case emptyMethod, extensionWithDot, extensionOfTwoParts, pathWithQuery, pathWithFragment
  case noURL, urlWithoutScheme, urlWithoutHost, urlWithPlaces, baseWithQuery, invalidURLPattern, invalidValuePattern
  case templateWithQuery, templateLeftOpen, templateNotOpened, templateInTemplate, placeWithoutName, placeTwice
  case placesSideBySide, invalidPattern
  case placeWithBadExpression, placeWithOpenExpression, placeWithoutExpression, groupTwice, restBeforeEnd,
    restBesideText,
    restWithoutName
  case emptyHeader, headerWithSpace, cookieWithValue, userWithColon
  case unencodableBody, bodyKeyTwice, literalKeyTwice, responseKeyTwice, infiniteNumber, notJSON, pointerEscape,
    openBracket
  case noTimes, noResponses, negativeCount, negativeWait, negativeLimit
  case noBandwidth, negativeLatency, lossRateAboveOne, flakyAboveOne, timeGoesBack

  var sentence: String {
    switch self {
    case .schemeWithColon: #"isScheme("https:") matches nothing: write the scheme alone"#
    case .hostWithScheme: #"isHost("https://a.example") has a scheme: write the host alone"#
    case .hostWithSlash: #"isHost("a.example/users") has a slash: write the host alone"#
    case .hostWithQuery: #"hostEndsWith("a.example?q") has a query: write the host alone"#
    case .hostWithUser: #"isHost("ann@a.example") has user information: write the host alone"#
    case .hostWithPort: #"isHost("a.example:80") has a port: write the host alone"#
    case .portOutOfRange: "isPort(65536) matches nothing: a port is a number from 0 to 65535."
    case .emptyMethod: #"isMethod("") matches nothing: write a method"#
    case .extensionWithDot: #"isExtension(".png") has a leading dot: write isExtension("png")."#
    case .extensionOfTwoParts: #"isExtension("tar.gz") is not a valid path extension: write what follows the last dot"#
    case .pathWithQuery: #"isPath("/users?page=2") has a query: write the path alone"#
    case .pathWithFragment: ##"pathEndsWith("/users#top") has a fragment: write the path alone"##
    case .noURL: #"isURL("") is not a valid URL: write one, as in isURL("https://api.example.com/users")."#
    case .urlWithoutScheme: #"isURL("/users") has no scheme: write an absolute URL"#
    case .urlWithoutHost: #"isUnder("file:///users") has no host: write an absolute URL"#
    case .urlWithPlaces: #"isURL("https://a.example/users/{id}") has a brace in its path, but isn't a template"#
    case .baseWithQuery: #"isUnder("https://a.example/v1?key=1") has a query: a base URL ends with its path."#
    case .invalidURLPattern: #"urlMatches("(") is not a regular expression"#
    case .invalidValuePattern: #"queryMatches("[") is not a regular expression"#
    case .templateWithQuery: #"The template "/users?page={page}" has a ? or #"#
    case .templateLeftOpen: #"The template "/users/{id" has a { without a }"#
    case .templateNotOpened: #"The template "/users/id}" has a } without a {"#
    case .templateInTemplate: #"The template "/users/{i{d}" has a { inside { }"#
    case .placeWithoutName: #"The template "/users/{}" has a placeholder without a name"#
    case .placeTwice: #"The template "/users/{id}/{id}" has {id} twice"#
    case .placesSideBySide: #"The template "/users/{a}{b}" has two adjacent placeholders after {a}"#
    case .placeWithBadExpression:
      #"The template "/users/{id:[0-9}" has {id:[0-9}, and "[0-9" is not a regular expression"#
    case .placeWithOpenExpression: #"and a single brace in an expression as \{ or \}."#
    case .placeWithoutExpression: #"The template "/users/{id:}" has {id:} without an expression"#
    case .groupTwice: #"The template "/{id}/{a:(?<id>x)}" has (?<id>…) twice"#
    case .restBeforeEnd: #"The template "/{rest...}/x" has {rest...} before its end: write it as the last segment."#
    case .restBesideText: #"The template "/v{rest...}" has {rest...} beside other text"#
    case .restWithoutName: #"The template "/{...}" has a placeholder without a name: write {name}, not {...}."#
    case .invalidPattern: #"pathMatches("/users/(") is not a regular expression"#
    case .emptyHeader: #"hasHeaderNamed("") has an empty name"#
    case .headerWithSpace: #"hasHeaderNamed("X Key")"#
    case .cookieWithValue: #"hasCookie("a=b") is not a valid cookie name"#
    case .userWithColon: #"hasBasicAuth(user: "ann:x", …) has a colon in the user name"#
    case .unencodableBody: "can't encode its value"
    case .bodyKeyTwice: #"has the key "id" twice. Remove one of them."#
    case .literalKeyTwice, .responseKeyTwice: #"This JSON object has the key "id" twice. Remove one of them."#
    case .infiniteNumber: "JSON can't represent the number inf. Write nil or a string instead."
    case .notJSON: "hasJsonBody received a value that is not JSON"
    case .pointerEscape: #"The JSON Pointer "/a~b" has an invalid ~"#
    case .openBracket: #"The JSON path "a[0" has"#
    // A stub knows where it was written.
    case .noTimes: "times: must be at least 1, but it is 0 at MistakesTests/Mistake.swift:7."
    case .noResponses: "responses: is empty at MistakesTests/Mistake.swift:8."
    case .negativeCount: "-1 is not a valid number of calls."
    case .negativeWait: "-1 is not a valid number of calls to wait for."
    case .negativeLimit: "A journal's limit can't be negative. Write 0 to keep no requests."
    case .noBandwidth: "Bandwidth.kilobytesPerSecond(0.0) is not a valid bandwidth"
    case .negativeLatency: "Neither can be negative"
    case .lossRateAboveOne: "NetworkConditions(lossRate: 1.5) is not a valid share of the requests."
    case .flakyAboveOne: "flaky(2.0) is not a valid share of the requests."
    case .timeGoesBack: "advance(by: -1.0 seconds) would move a ManualClock back"
    }
  }

  func make() async throws {
    let id = 1
    switch self {
    case .schemeWithColon: _ = isScheme("https:")
    case .hostWithScheme: _ = isHost("https://a.example")
    case .hostWithSlash: _ = isHost("a.example/users")
    case .hostWithQuery: _ = hostEndsWith("a.example?q")
    case .hostWithUser: _ = isHost("ann@a.example")
    case .hostWithPort: _ = isHost("a.example:80")
    case .portOutOfRange: _ = isPort(65536)
    case .emptyMethod: _ = isMethod("")
    case .extensionWithDot: _ = isExtension(".png")
    case .extensionOfTwoParts: _ = isExtension("tar.gz")
    case .pathWithQuery: _ = isPath("/users?page=2")
    case .pathWithFragment: _ = pathEndsWith("/users#top")
    case .noURL: _ = isURL("")
    case .urlWithoutScheme: _ = isURL("/users")
    case .urlWithoutHost: _ = isUnder("file:///users")
    case .urlWithPlaces: _ = isURL("https://a.example/users/{id}")
    case .baseWithQuery: _ = isUnder(URL(string: "https://a.example/v1?key=1")!)
    case .invalidURLPattern: _ = urlMatches("(")
    case .invalidValuePattern: _ = queryMatches("page", "[")
    case .templateWithQuery: _ = isPath(template: "/users?page={page}")
    case .templateLeftOpen: _ = isPath(template: "/users/{id")
    case .templateNotOpened: _ = isPath(template: "/users/id}")
    case .templateInTemplate: _ = isPath(template: "/users/{i{d}")
    case .placeWithoutName: _ = isPath(template: "/users/{}")
    case .placeTwice: _ = isPath(template: "/users/{id}/{id}")
    case .placesSideBySide: _ = isPath(template: "/users/{a}{b}")
    case .placeWithBadExpression: _ = isPath(template: "/users/{id:[0-9}")
    case .placeWithOpenExpression: _ = isPath(template: "/users/{id:[0-9]{3}")
    case .placeWithoutExpression: _ = isPath(template: "/users/{id:}")
    case .groupTwice: _ = isPath(template: "/{id}/{a:(?<id>x)}")
    case .restBeforeEnd: _ = isPath(template: "/{rest...}/x")
    case .restBesideText: _ = isPath(template: "/v{rest...}")
    case .restWithoutName: _ = isPath(template: "/{...}")
    case .invalidPattern: _ = pathMatches("/users/(")
    case .emptyHeader: _ = hasHeaderNamed("")
    case .headerWithSpace: _ = hasHeaderNamed("X Key")
    case .cookieWithValue: _ = hasCookie("a=b")
    case .userWithColon: _ = hasBasicAuth(user: "ann:x", password: "secret")
    case .unencodableBody: _ = hasJSONBody(Double.infinity)
    case .bodyKeyTwice: _ = hasJSONBody(["id": id, "id": "\(id)"])
    case .literalKeyTwice: _ = hasJSONBody(["id": 1, "id": 2])
    case .responseKeyTwice: _ = StubResponse.json(["id": id, "id": "\(id)"])
    case .infiniteNumber: _ = JSONValue(Double.infinity)
    case .notJSON: _ = hasJsonBody(["date": Date()])
    case .pointerEscape: _ = hasJSON(at: "/a~b", equals: 1)
    case .openBracket: _ = hasJSON(at: "a[0", equals: 1)
    case .noTimes: stub(condition: .anything, response: .empty(), times: 0, in: StubRegistry(), line: 7)
    case .noResponses: stub(condition: .anything, responses: [], in: StubRegistry(), line: 8)
    case .negativeCount: _ = CallCount.exactly(-1)
    case .negativeWait:
      try await stub(condition: .anything, response: .empty(), in: StubRegistry()).waitForCalls(-1)
    case .negativeLimit: StubRegistry().journal.limit = -1
    case .noBandwidth: _ = Bandwidth.kilobytesPerSecond(0)
    case .negativeLatency: _ = NetworkConditions(latency: .seconds(-1))
    case .lossRateAboveOne: _ = NetworkConditions(lossRate: 1.5)
    case .flakyAboveOne: _ = StubResponse.empty().flaky(2)
    case .timeGoesBack: await ManualClock().advance(by: .seconds(-1))
    }
  }
}
