import Foundation
import StubKit
import StubKitRecorder
import StubKitServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What the examples in doc comments use without showing it. `.ci/comments` compiles them with these names, and runs
// nothing.

// MARK: The code under test

struct User: Codable {
  var id = 42
  var name = "Ann"
  var createdAt = Date.now
}

struct Client {
  var session = URLSession.shared
  var clock: any Clock<Duration> = ContinuousClock()

  var baseURL: URL { url }
  func signIn(_ user: String = "ann") async throws {}
  func user(_ id: Int = 42) async throws -> User { User() }
  func users() async throws -> [User] { [] }
  func userWithRetries() async throws -> User { User() }
  func loadUser(_ id: Int, completion: (User?) -> Void) {}
  func countUsers() throws -> Int { 0 }
  func get(_ path: String) async throws -> String { "" }
  func download() async throws -> Data { Data() }
  func load() {}
  func loadBoth() async throws {}
  func subscribe() {}
  func unsubscribe() {}
}

/// A model, a view, a player and the like.
final class Screen {
  var isSaving: Bool { false }
  var showsSpinner: Bool { false }
  var image: Data? { nil }
  func load() {}
  func save() {}
  func track(_ event: String) {}
  func download() async throws -> Data { Data() }
}

/// The application of a UI test.
final class App {
  var launchEnvironment: [String: String] = [:]
  func launch() {}
}

struct Page { static let all = [Page()] }

final class LoginTests {}
final class UserTests {}

var client: Client { Client() }
var model: Screen { Screen() }
var view: Screen { Screen() }
var player: Screen { Screen() }
var analytics: Screen { Screen() }
var app: App { App() }

// MARK: What stubs use

/// What tests had before StubKit.
struct Backend {
  func respond(to request: URLRequest) -> (HTTPURLResponse, Data) { (response, Data()) }
  func next() async -> StubResponse { .ok }
  func state(of job: String?) async -> String { "" }
  func user(_ id: String) async throws -> StubResponse { .ok }
}

var users: [User] { [] }
var fault: NetworkFault { .named("lost in mid-body") }

enum Cart { case empty, full }
enum Document { case new, edited }

var mock: Backend { Backend() }
var queue: Backend { Backend() }
var jobs: Backend { Backend() }
var store: Backend { Backend() }
func token() async -> StubResponse { .ok }
@discardableResult func stubUser(_ id: Int, at location: StubLocation) -> Stub { fatalError() }
func run(_ executable: String, _ arguments: String...) throws {}
func makeLines() -> AsyncStream<Data> { lines }

var cart: StubScenario<Cart> { StubScenario(initial: .empty) }
var document: StubScenario<Document> { StubScenario(initial: .new) }
var clock: ManualClock { ManualClock() }
var registry: StubRegistry { StubRegistry() }
var server: StubServer { fatalError() }
var archive: HTTPArchive { HTTPArchive() }
var entry: RecordedRequest { HTTPStubs.requests[0] }
var login: Stub { fatalError() }
var search: Stub { login }
var signUp: Stub { login }
var upload: Stub { login }

// MARK: Values

let (id, row, nextID, nextPage) = (42, 1, 43, Int?.some(2))
let (name, path) = ("Ann", "Fixtures/users.json")
let user = User()
let (png, photo, film, data, expected) = (Data(), Data(), Data(), Data(), Data())
let modified = Date.now
let progress = Progress(totalUnitCount: 1)
let url = URL(string: "https://api.example.com/users")!
let (file, folder) = (URL(fileURLWithPath: "Users.csv"), URL(fileURLWithPath: "Recordings"))
let (page1, page2) = (url, url)
let request = URLRequest(url: url)
let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)!
let session = URLSession.shared
let (lines, sender) = AsyncStream.makeStream(of: Data.self)

extension Bundle { static var module: Bundle { .main } }

// MARK: Alamofire

extension URLSessionConfiguration {
  enum AF { static var `default`: URLSessionConfiguration { .default } }
  static var af: AF.Type { AF.self }
}

struct Session { var configuration: URLSessionConfiguration }
