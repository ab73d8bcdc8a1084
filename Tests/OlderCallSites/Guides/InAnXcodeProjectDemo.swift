#if DEBUG
  import StubKit

  enum Demo {
    static func start() {
      HTTPStubs.removeAllStubs()
      stub(
        .get, "https://api.example.com/users",
        response: .json([["name": "Ann"], ["name": "Ben"]])
          .delay(.milliseconds(300)))
      stub(
        .get, "https://api.example.com/films",
        response: .failure(.notConnectedToInternet))
    }
  }
#endif
