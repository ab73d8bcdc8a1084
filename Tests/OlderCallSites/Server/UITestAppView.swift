#if canImport(SwiftUI)
  import SwiftUI

  struct ContentView: View {
    @State private var users: [User] = []

    var body: some View {
      List(users, id: \.name) { user in
        Text(user.name)
      }
      .task { users = (try? await API.users()) ?? [] }
    }
  }
#endif
