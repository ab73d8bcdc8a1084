import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What is kept of a stream", .inTurn)
struct BodyCollectionTests {
  @Test("is nothing where a delegate gets the chunks, but how many bytes they had")
  func nothing() throws {
    let collection = BodyCollection(.nothing)
    for _ in 1...3 { try collection.append(Data("abc".utf8)) }
    #expect(collection.byteCount == 9 && collection.data.isEmpty)
  }

  @Test("is all of it otherwise, in memory or in a file")
  func all() throws {
    for kind in [BodyCollection.Kind.memory, .file] {
      let collection = BodyCollection(kind)
      for text in ["abc", "", "de"] { try collection.append(Data(text.utf8)) }
      #expect(collection.byteCount == 5)
      #expect(collection.data == Data((kind == .memory ? "abcde" : "").utf8))
      let url = try DeliveryBody.stream(collection).file(unless: CancellationFlag()).handOver()
      #expect(try Data(contentsOf: url) == Data("abcde".utf8))
      try FileManager.default.removeItem(at: url)
    }
  }

  @Test("as a file is gone with the request, unless it was given away")
  func removal() throws {
    func parts() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path).filter {
          $0.hasSuffix(".unfinished")
        })
    }
    var collection: BodyCollection? = BodyCollection(.file)
    let before = try parts()
    try collection?.append(Data("abc".utf8))
    let made = try parts().subtracting(before)
    #expect(!made.isEmpty)
    collection = nil
    #expect(try !made.isSubset(of: parts()))
  }
}
