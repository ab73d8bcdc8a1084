import Foundation
import Testing

/// What StubKit assumes of Apple's URL loading system: a fact, and what is to be changed where it doesn't hold.
///
/// The stories that notice stand in `turned-facts`. A fact holds for a loader if each of its stories passed there.
struct AssumedFact: Sendable {
  /// Its name in the stand-in, and in `turned-facts`.
  let name: String
  let sentence: String
  /// What to change if it doesn't hold.
  let change: String

  static let all = [
    AssumedFact(
      name: "resumeCanBeExchanged", sentence: "`resume()` can be exchanged on each class that implements it",
      change: "`ResumeHook` in AppleHooks.swift: find the class that has it. Without it, scopes reach no request."),
    AssumedFact(
      name: "factoriesCanBeExchanged", sentence: "a session is made by a class method, on the caller's thread",
      change: "`SessionFactoryHook` in AppleHooks.swift. Without it, a session isn't its creator's."),
    AssumedFact(
      name: "taskMakersCanBeExchanged", sentence: "a task gets its handler in a method that can be exchanged",
      change: "`HandlerHook` in AppleHooks.swift. Without it, what a handler asks for next belongs to nobody."),
    AssumedFact(
      name: "classicLoaderHasARunLoop", sentence: "the classic loader is told in a running run loop",
      change: "`ClientRunLoop` and `Platform.enter` in ApplePlatform.swift."),
    AssumedFact(
      name: "newLoaderHasNoRunLoop", sentence: "the new loader has no run loop, and takes calls on any thread",
      change: "`ClientRunLoop` and `RedirectQuestion` in ApplePlatform.swift."),
    AssumedFact(
      name: "suspensionIsUntold", sentence: "suspending and resuming a task isn't told to its load",
      change: "`desiredState(isStart:)` and `willStop()` in ApplePlatform.swift."),
    AssumedFact(
      name: "refusedRedirectAnswers", sentence: "a refused redirect leaves the old load's response",
      change: "`RedirectQuestion` in ApplePlatform.swift: what is said after the redirect, and when."),
    AssumedFact(
      name: "newLoaderAnswersByItself", sentence: "the new loader answers a refused redirect by itself",
      change: "`RedirectQuestion` in ApplePlatform.swift: what the new loader is told."),
    AssumedFact(
      name: "redirectsDropAuthorization", sentence: "a server's redirect drops `Authorization` and five more fields",
      change: "`FollowUp` in Exchange/FollowUp.swift: the fields that go on."),
    AssumedFact(
      name: "bodyIsAStream", sentence: "a body arrives as a stream, however it was given",
      change: "`readBody(of:)` in ApplePlatform.swift."),
    AssumedFact(
      name: "sessionHeadersAreShown", sentence: "the headers of the configuration are in the loader's request",
      change: "`addedHeaders(to:)` in ApplePlatform.swift."),
    AssumedFact(
      name: "webSocketsAskByHTTP", sentence: "a WebSocket asks with the scheme `http`",
      change: "`Platform.canIntercept` in ApplePlatform.swift: which classes of tasks are left alone."),
    AssumedFact(
      name: "sessionCanBeRead", sentence: "a task's session can be read by key-value coding",
      change: "`SessionByKey` in TaskNote.swift. Without it, cookies and timeouts of a session are unknown."),
    AssumedFact(
      name: "newTasksHaveAVariable", sentence: "a task of the new loader has its session in a variable",
      change: "`SessionByKey` in TaskNote.swift."),
    AssumedFact(
      name: "classesAreAskedPerTask", sentence: "a session asks for `protocolClasses` for each task",
      change: "`ConfigurationGetterHook` in AppleHooks.swift. Without it, an older session isn't intercepted."),
  ]

  /// A fact without a story of StubKit's that can fail, because the system ends the process: this one sees it itself.
  private static let seen = [
    "suspensionIsUntold": "suspending and resuming is not told, and what is said meanwhile is held back"
  ]

  /// Returns the stories of each fact and loader: pairs of the loader's name and the name of a story.
  static func stories() throws -> [String: [(loader: String, story: String)]] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("turned-facts")
    var stories: [String: [(loader: String, story: String)]] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3 else { continue }
      stories[words[0], default: []].append((words[1], words[2] == "crash" ? seen[words[0]] ?? words[2] : words[2]))
    }
    return stories
  }

  /// Returns a line for the report, from what became of the stories, by loader and name.
  ///
  /// - Parameter stories: Of the fact.
  func line(_ stories: [(loader: String, story: String)], _ passed: [String: Bool]) -> String {
    let told = stories.map { (loader: $0.loader, story: $0.story, passed: passed["\($0.loader) \($0.story)"]) }
    let failed = told.filter { $0.passed == false }
    if !failed.isEmpty {
      let names = failed.map { "\"\($0.story)\" (\($0.loader) loader)" }.joined(separator: ", ")
      return "| \(sentence) | **DOES NOT HOLD**: \(names) | \(change) |"
    }
    let loaders = Set(told.filter { $0.passed == true }.map(\.loader)).sorted()
    return "| \(sentence) | \(loaders.isEmpty ? "not seen" : "holds, \(loaders.joined(separator: " and ")) loader") | |"
  }
}

@Suite("The facts that are assumed")
struct AssumedFactStories {
  @Test("have a line and stories each")
  func complete() throws {
    let stories = try AssumedFact.stories()
    #expect(Set(AssumedFact.all.map(\.name)) == Set(stories.keys))
  }

  @Test("hold if their stories have passed, and say what to change if one has failed")
  func lines() {
    let fact = AssumedFact(name: "x", sentence: "x is so", change: "Change y.")
    let stories = [(loader: "classic", story: "a"), (loader: "new", story: "b")]
    #expect(fact.line(stories, [:]) == "| x is so | not seen | |")
    #expect(fact.line(stories, ["new b": true]) == "| x is so | holds, new loader | |")
    #expect(
      fact.line(stories, ["classic a": false, "new b": true])
        == "| x is so | **DOES NOT HOLD**: \"a\" (classic loader) | Change y. |")
  }
}
