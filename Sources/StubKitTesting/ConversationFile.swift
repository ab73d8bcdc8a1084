import Foundation
import StubKit
import Testing
import XCTest

/// A file with the requests and the responses of a test.
package struct ConversationFile: Sendable {
  let name: String
  let data: @Sendable () -> Data

  /// - Parameters:
  ///   - name: The name of the file.
  ///   - data: Returns its bytes. It is called if somebody wants them.
  package init(_ name: String, data: @escaping @Sendable () -> Data) { (self.name, self.data) = (name, data) }
}

/// What makes the files: StubKitTranscripts, whose class is found by its name, because a process need not contain it.
package protocol ConversationWriter: AnyObject, Sendable {
  /// - Parameters:
  ///   - requests: The requests, in the order in which they were made.
  ///   - names: Those of the suites and of the test. A test of Swift Testing runs here, so its case is known.
  static func files(_ requests: [RecordedRequest], of names: [String]) -> [ConversationFile]
}

extension AttachmentPolicy {
  private static let writer =
    NSClassFromString("StubKitTranscripts.ConversationFiles") as? any ConversationWriter.Type

  /// Returns the files that a test attaches.
  ///
  /// - Parameters:
  ///   - names: Those of the suites and of the test.
  ///   - registry: That of the test, which is over.
  ///   - hasFailed: Whether the test has failed.
  func files(of names: [String], _ registry: StubRegistry, hasFailed: Bool) -> [ConversationFile] {
    guard self == .always || self == .onFailure && hasFailed, let writer = Self.writer else { return [] }
    let requests = registry.journal.entries
    return requests.isEmpty ? [] : writer.files(requests, of: names)
  }
}

// MARK: Attaching

extension ConversationFile {
  /// Attaches the file to the test of Swift Testing that runs here.
  func attach(to test: Test) {
    if let sink = RunningTest.sink { return sink(name) }
    Attachment.record(Attached(file: self), named: name, sourceLocation: test.sourceLocation)
  }

  /// Swift Testing asks for the bytes only if it has a place for them.
  private struct Attached: Attachable {
    let file: ConversationFile

    func withUnsafeBytes<R>(
      for attachment: borrowing Attachment<Self>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R { try file.data().withUnsafeBytes(body) }
  }

  /// Attaches the file to a test of XCTest.
  ///
  /// - Parameter keeps: Whether it is kept if the test passes.
  func attach(to test: XCTestCase, keeps: Bool) {
    #if canImport(ObjectiveC)
      // Safe because XCTest invokes tests on the main thread. It declares attachments for the main actor.
      nonisolated(unsafe) let test = test
      MainActor.assumeIsolated {
        let attachment = XCTAttachment(data: data(), uniformTypeIdentifier: "public.data")
        attachment.name = name
        if keeps { attachment.lifetime = .keepAlways }
        test.add(attachment)
      }
    #else
      writeIntoFolder()
    #endif
  }

  /// Writes the file where the test framework has no attachments, if a folder is set for it.
  func writeIntoFolder() {
    guard let path = Self.folder, !path.isEmpty else { return }
    let folder = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try data().write(to: folder.appendingPathComponent(name), options: .atomic)
    } catch {
      let isFirst = Self.failedFolders.withLock { $0.insert(path).inserted }
      guard isFirst else { return }
      Self.tell(
        """
        The requests of failed tests can't be written into STUBKIT_ATTACHMENTS=\(path): \(error.localizedDescription) \
        Set it to a folder that can be written.
        """)
    }
  }

  /// The value of `STUBKIT_ATTACHMENTS`, except in StubKit's own tests.
  @TaskLocal static var folder = ProcessInfo.processInfo.environment["STUBKIT_ATTACHMENTS"]

  /// Writes to standard error, except in StubKit's own tests.
  @TaskLocal static var tell: @Sendable (String) -> Void = RunningTest.tell

  /// The folders that have been named on standard error.
  private static let failedFolders = Protected<Set<String>>([])
}
