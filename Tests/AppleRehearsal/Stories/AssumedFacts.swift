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
      name: "classesAreAskedWithTheTask",
      sentence: "`canInit(with:)` is asked with the task, not on the requester's thread, and again for each redirect",
      change:
        "`canInit` in StubURLProtocol.swift, and `TaskNote` in TaskNote.swift: what a load's requester is told by."),
    AssumedFact(
      name: "classicLoaderHasARunLoop", sentence: "the classic loader is told in a running run loop",
      change: "`ClientRunLoop` in AppleTaskClient.swift, and `Platform.enter` in ApplePlatform.swift."),
    AssumedFact(
      name: "newLoaderHasNoRunLoop", sentence: "the new loader has no run loop, and takes calls on any thread",
      change: "`ClientRunLoop` and `RedirectQuestion` in AppleTaskClient.swift."),
    AssumedFact(
      name: "newLoaderUsesTheDelegateQueue", sentence: "the new loader starts a load on the session's delegate queue",
      change: "`ClientRunLoop` in AppleTaskClient.swift: it is the main one there only if the delegate queue is."),
    AssumedFact(
      name: "suspensionIsUntold", sentence: "suspending and resuming a task isn't told to its load",
      change: "`desiredState(isStart:)` in ApplePlatform.swift, and `willStop()` in AppleTaskClient.swift."),
    AssumedFact(
      name: "redirectsStartAnotherLoad",
      sentence: "a redirect that is followed starts another load, and stops the old one",
      change: "`stopLoading` in StubURLProtocol.swift, and `RedirectQuestion` in AppleTaskClient.swift."),
    AssumedFact(
      name: "refusedRedirectAnswers", sentence: "a refused redirect leaves the old load's response",
      change: "`RedirectQuestion` in AppleTaskClient.swift: what is said after the redirect, and when."),
    AssumedFact(
      name: "newLoaderAnswersByItself", sentence: "the new loader answers a refused redirect by itself",
      change: "`RedirectQuestion` in AppleTaskClient.swift: what the new loader is told."),
    AssumedFact(
      name: "redirectsDropAuthorization", sentence: "a server's redirect drops `Authorization` and five more fields",
      change: "`FollowUp` in FollowUp.swift: the fields that go on."),
    AssumedFact(
      name: "errorIsRebuilt",
      sentence: "a load's error keeps its domain, its code and its user info, if below another one",
      change: "`userInfo` and `find` in StubKitError.swift. Without it, nobody learns which stub was missing."),
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
      name: "downloadsAreFiles", sentence: "what is said of a download task becomes a file",
      change: "`TaskClient` in AppleTaskClient.swift: it would have to write the file, as on Linux."),
    AssumedFact(
      name: "tasklessLoadsAskByRequest",
      sentence: "a load without a task, as that of NSURLConnection, asks by its request",
      change: "`canInit` in StubURLProtocol.swift, which declines what has no task."),
    AssumedFact(
      name: "classesAreAskedPerTask", sentence: "a session asks for `protocolClasses` for each task",
      change: "`ConfigurationGetterHook` in AppleHooks.swift. Without it, an older session isn't intercepted."),
  ]

  /// What is assumed, too, and no story sees: why, or what shows it.
  static let unseen = [
    "A task can't be handed back to the system's loader: there is no API for it.",
    "The tasks of AVFoundation raise when they are asked for their requests: they need a film and a device. Only the "
      + "stand-in has them. `interceptedRequest` in ApplePlatform.swift asks for class and session first.",
    "The asynchronous methods of macOS 26 make their tasks in a method of their own: what is exchanged is `resume()`.",
    "Going on after a redirect races with the next load: StubKit says nothing more, so it needs no answer.",
    "`didSendBodyData` isn't called for a URLProtocol, and the system ends a task that takes too long: nothing needs "
      + "either.",
    "A GET with a body fails with -1103: `bodyOfGET` in Exchange+Answering.swift imitates it. What was seen stands "
      + "below.",
    "An upload is sent again after 401, 307 and a lost connection: the story \"that is let through is sent again for a "
      + "credential and after a lost connection\" has the relay in between.",
    "`SourceLocation.filePath` is public from Swift 6.3 on, and everything newer than macOS 13 is guarded: the build.",
    "The cooperative pool of a simulator has one thread: the tests of `ManualClock`, there.",
    "On a device, the folder of `#filePath` doesn't exist, and Xcode runs a test plan in several processes: only "
      + "there.",
    "`sun_path` has 104 bytes, SO_REUSEADDR lets two bind one port, and SO_NOSIGPIPE fails on a reset socket: the "
      + "tests of StubKitServer.",
    "XCTest evaluates a message always, and raises without a running test: the tests of StubKitTesting.",
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

  @Test("name code that there is, where they say what to change")
  func changes() throws {
    let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources/StubKit").standardized
    let files =
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL } ?? []
    for fact in AssumedFact.all {
      let named = fact.change.matches(of: #/([A-Za-z]+)\.swift/#).map { String($0.1) }
      let code = try files.filter { named.contains($0.deletingPathExtension().lastPathComponent) }
        .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
      #expect(!named.isEmpty && !code.isEmpty, "\(fact.change)")
      for name in fact.change.matches(of: #/`(?:[A-Za-z]+\.)?([A-Za-z]+)[^`]*`/#).map(\.1) {
        #expect(code.contains(name), "\(name): \(fact.change)")
      }
    }
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
