import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A photo album", .inTurn)
struct PhotoAlbumTests {
  private let jpeg = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  private let asksWhoOneIs = StubResponse.status(401).header("WWW-Authenticate", "Basic realm=\"Album\"")
  private let isAnn = hasBasicAuth(user: "ann", password: "secret")

  @Test("signs in when it is asked to, uploads the photo, and follows to what became of it")
  func add() async throws {
    let (photo, statuses) = try await withStubs {
      stub(condition: isHost("album.example.com"), response: asksWhoOneIs)
      stub(
        condition: isMethodPOST() && isPath("/photos") && isAnn && hasBody(jpeg),
        response: .redirect(to: "/photos/7", status: 303))
      stub(condition: isMethodGET() && isPath("/photos/7") && isAnn, response: .json(["id": 7, "title": "Harbour"]))
      let photo = try await PhotoAlbum(user: "ann", password: "secret").add(jpeg, title: "Harbour")
      return (photo, StubRegistry.current.journal.entries.compactMap(\.outcome.status))
    }
    #expect(photo == Photo(id: 7, title: "Harbour"))
    #expect(statuses == [401, 303, 200])
  }

  @Test("gives up when its password is refused, after one attempt")
  func refused() async {
    await withStubs {
      let login = stub(condition: isHost("album.example.com"), response: asksWhoOneIs)
      await #expect(throws: PhotoAlbumError.signInRefused) {
        try await PhotoAlbum(user: "ann", password: "guess").add(jpeg, title: "Harbour")
      }
      #expect(login.callCount == 2)
    }
  }

  @Test("tells the server what it uploads: the photo's bytes, title and type")
  func upload() async throws {
    try await withStubs {
      stub(condition: isPath("/photos")) { request in
        guard request.value(forHTTPHeaderField: "Content-Type") == "image/jpeg" else { return .status(415) }
        let title = request.value(forHTTPHeaderField: "X-Title") ?? ""
        return .json(["id": .init(request.stubBody?.count ?? 0), "title": .init(title)], status: 201)
      }
      let photo = try await PhotoAlbum(user: "ann", password: "secret").add(jpeg, title: "Harbour")
      #expect(photo == Photo(id: jpeg.count, title: "Harbour"))
    }
  }

  @Test("finds a photo's file where the server says it is now, though it comes in pieces")
  func download() async throws {
    let file = try await withStubs {
      stub(condition: isPath("/photos/7.jpg"), response: .redirect(to: "https://cdn.example.com/7.jpg", status: 301))
      stub(condition: isHost("cdn.example.com"), response: .data(jpeg).chunked(by: 16_000))
      return try await PhotoAlbum(user: "ann", password: "secret").jpeg(of: Photo(id: 7, title: "Harbour"))
    }
    #expect(file.elementsEqual(jpeg))
  }

  @Test("says when only a part of the file came")
  func interrupted() async {
    await withStubs {
      stub(condition: isPath("/photos/7.jpg"), response: .data(jpeg).failing(afterBytes: 30_000))
      await #expect(throws: PhotoAlbumError.incomplete) {
        try await PhotoAlbum(user: "ann", password: "secret").jpeg(of: Photo(id: 7, title: "Harbour"))
      }
    }
  }
}
