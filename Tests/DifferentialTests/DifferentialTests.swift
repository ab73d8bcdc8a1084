import Foundation
import Testing

@Suite("A stub is told from a server by nothing")
struct DifferentialTests {
  /// Writes what the native loader does in every cell to the file that the environment names: the specification to read.
  @Test(
    "Native transcripts", .enabled(if: NativeTranscripts.file != nil),
    arguments: Matrix.groups)
  func nativeTranscripts(group: CellGroup) async throws {
    try await NativeTranscripts.write(group)
  }
}
