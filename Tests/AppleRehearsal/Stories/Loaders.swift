import Foundation
import Testing

#if canImport(URLLoading)
  import URLLoading
#endif

/// Plays each story with both of the system's loaders, one after the other. The stand-in has one at a time, that of
/// `REHEARSAL_LOADER`.
struct EachLoader: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  /// Whether the sessions of the running story use the classic loader, or `nil` where there is no choice.
  @TaskLocal static var isClassic: Bool?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Once for a test case, and not again for the suite around it.
    guard testCase != nil else { return try await function() }
    for isClassic in Self.played {
      let hasFailed = Locked(false)
      let watch = IssueHandlingTrait.compactMapIssues { issue in
        hasFailed.withLock { $0 = true }
        return issue
      }
      do {
        try await watch.provideScope(for: test, testCase: testCase) {
          guard !Self.all.isEmpty else { return try await function() }
          try await Self.$isClassic.withValue(isClassic) { try await function() }
        }
      } catch {
        hasFailed.withLock { $0 = true }
        Issue.record(error)
      }
      Report.end(test.displayName ?? test.name, isClassic: isClassic, hasPassed: !hasFailed.current)
    }
  }

  /// The loaders with which this process plays stories: whether each is the classic one.
  static var played: [Bool] { all.isEmpty ? [Stage.isClassic] : all }

  private static var all: [Bool] {
    #if canImport(URLLoading)
      return []
    #else
      guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else { return [] }
      return [true, false]
    #endif
  }
}

extension Trait where Self == EachLoader {
  static var inEachLoader: Self { EachLoader() }
}

extension Trait where Self == ConditionTrait {
  /// Skips a story of one of the loaders where only the other one plays, so that the run doesn't say that it holds.
  static func onlyInLoader(classic isClassic: Bool) -> Self {
    .enabled(if: EachLoader.played.contains(isClassic), "A story of the \(isClassic ? "classic" : "new") loader.")
  }
}

extension URLSessionConfiguration {
  /// An ephemeral configuration with the loader of the running story.
  static var staged: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *), let isClassic = EachLoader.isClassic
    {
      configuration.usesClassicLoadingMode = isClassic
    }
    return configuration
  }
}

extension Stage {
  /// Whether sessions use the classic loader.
  static var isClassic: Bool {
    guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else { return true }
    return URLSessionConfiguration.staged.usesClassicLoadingMode
  }
}
