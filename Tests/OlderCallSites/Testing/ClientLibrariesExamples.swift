import Foundation
import StubKitTesting
import Testing

// Clients that other libraries make, as the guide shows them. This package has no dependencies: each test is compiled
// where its library is. Those of Alamofire, Get and swift-openapi-urlsession were, on Linux.

struct User: Codable {
  let name: String
}

#if canImport(Alamofire)
  import Alamofire

  private struct AlamofireUsers {
    let session: Session

    func user(_ id: Int) async throws -> User {
      try await session.request("https://api.example.com/users/\(id)")
        .validate()
        .serializingDecodable(User.self)
        .value
    }
  }

  @Test(.stubbed) func loadsAUserWithAlamofire() async throws {
    stub(.get, "/users/42", response: .json(["name": "Ann"]))

    let users = AlamofireUsers(session: Session())
    let user = try await users.user(42)
    #expect(user.name == "Ann")
  }
#endif

#if canImport(Moya)
  import Moya

  private enum UserService: TargetType {
    case user(Int)

    var baseURL: URL { URL(string: "https://api.example.com")! }
    var path: String {
      switch self {
      case .user(let id): "/users/\(id)"
      }
    }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
  }

  private struct MoyaUsers {
    let provider: MoyaProvider<UserService>

    func user(_ id: Int) async throws -> User {
      try await withCheckedThrowingContinuation { continuation in
        provider.request(.user(id)) { result in
          let user = Result { try result.get().map(User.self) }
          continuation.resume(with: user)
        }
      }
    }
  }

  @Test(.stubbed) func loadsAUserWithMoya() async throws {
    stub(.get, "/users/42", response: .json(["name": "Ann"]))

    let users = MoyaUsers(provider: MoyaProvider())
    let user = try await users.user(42)
    #expect(user.name == "Ann")
  }
#endif

#if canImport(Get)
  import Get

  @Test(.stubbed) func loadsAUserWithGet() async throws {
    stub(.get, "/users/42", response: .json(["name": "Ann"]))

    let client = APIClient(baseURL: URL(string: "https://api.example.com"))
    let user: User = try await client.send(Request(path: "/users/42")).value
    #expect(user.name == "Ann")
  }
#endif

#if canImport(OpenAPIURLSession)
  import HTTPTypes
  import OpenAPIRuntime
  import OpenAPIURLSession

  @Test(.stubbed) func loadsAUserWithOpenAPI() async throws {
    stub(.get, "/users/42", response: .json(["name": "Ann"]))

    let client = Client(
      serverURL: try Servers.Server1.url(),
      transport: URLSessionTransport())
    let user = try await client.getUser(path: .init(id: 42)).ok.body.json
    #expect(user.name == "Ann")
  }

  private enum Servers {
    enum Server1 {
      static func url() throws -> URL { URL(string: "https://api.example.com")! }
    }
  }

  /// In the place of the client that the generator makes of a document.
  private struct Client {
    struct Path {
      let id: Int
    }
    struct Body {
      let json: User
    }
    struct Answer {
      let body: Body
    }
    struct Output {
      let ok: Answer
    }

    let serverURL: URL
    let transport: any ClientTransport

    func getUser(path: Path) async throws -> Output {
      let (response, body) = try await transport.send(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/users/\(path.id)"), body: nil,
        baseURL: serverURL, operationID: "getUser")
      #expect(response.status == .ok)
      let data = try await Data(collecting: try #require(body), upTo: 1_000_000)
      return Output(ok: Answer(body: Body(json: try JSONDecoder().decode(User.self, from: data))))
    }
  }
#endif

#if canImport(Apollo)
  import Apollo

  // GetUserQuery is what Apollo's generator makes of: query GetUser($id: ID!) { user(id: $id) { name } }
  @Test(.stubbed) func loadsAUserWithApollo() async throws {
    stub(
      .post, "/graphql", where: isGraphQL(operation: "GetUser"),
      response: .json([
        "data": ["user": ["__typename": "User", "name": "Ann"]]
      ]))

    let client = ApolloClient(
      url: URL(string: "https://api.example.com/graphql")!)
    let response = try await client.fetch(query: GetUserQuery(id: "42"))
    #expect(response.data?.user?.name == "Ann")
  }
#endif

/// A picture of one pixel.
private let png = Data(
  base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

#if canImport(Kingfisher)
  import Kingfisher

  @Test(.stubbed) func loadsAnImageWithKingfisher() async throws {
    stub(.get, "/ann.png", response: .data(png))

    let downloader = ImageDownloader(name: "test")
    let url = URL(string: "https://api.example.com/ann.png")!
    let image = try await downloader.downloadImage(with: url).image
    #expect(image.size.width == 1)
  }
#endif

#if canImport(Nuke)
  import Nuke

  @Test(.stubbed) func loadsAnImageWithNuke() async throws {
    stub(.get, "/ann.png", response: .data(png))

    let pipeline = ImagePipeline {
      $0.dataLoader = DataLoader(configuration: .ephemeral)
      $0.imageCache = nil
    }
    let url = URL(string: "https://api.example.com/ann.png")!
    let image = try await pipeline.image(for: url)
    #expect(image.size.width == 1)
  }
#endif
