import Foundation

/// What StubKit relies on of Apple's URL loading system. Each behaviour of the stand-in without which a story fails
/// asks for its fact. Beside these, the stand-in is as strict as the system is.
///
/// A fact can be turned round, to see which stories notice: `REHEARSAL_TURNED=suspensionIsUntold` in the environment.
public enum Fact: String, CaseIterable, Sendable {
  /// `resume()` is a method that can be exchanged on the classes that implement it.
  case resumeCanBeExchanged
  /// A session is made by a class method that can be exchanged, on the caller's thread.
  case factoriesCanBeExchanged
  /// A task is made by a method that can be exchanged, and gets its handler there.
  case taskMakersCanBeExchanged
  /// The classes are asked with the task, on a queue of the session's, and again for each redirect.
  case classesAreAskedWithTheTask
  /// The classic loader starts and stops a load on one thread, which has a running run loop, and is to be told there.
  case classicLoaderHasARunLoop
  /// The new loader has none, and takes calls on any thread.
  case newLoaderHasNoRunLoop
  /// It starts and stops a load on the session's delegate queue.
  case newLoaderUsesTheDelegateQueue
  /// Suspending and resuming a task is not told to the loader; what it says meanwhile is held back.
  case suspensionIsUntold
  /// A redirect that is followed starts another load, and stops the old one.
  case redirectsStartAnotherLoad
  /// After a redirect the old load goes on; what it says counts if the redirect is refused.
  case refusedRedirectAnswers
  /// The new loader takes what comes while the delegate decides for the answer. If nothing comes and the redirect is
  /// refused, the answer is the redirect itself, without a body.
  case newLoaderAnswersByItself
  /// A redirect of a server drops `Authorization` and five more fields of the request. The request that a `URLProtocol`
  /// redirects to is taken as it is.
  case redirectsDropAuthorization
  /// The error of a load is made anew from its domain, its code and its user info. The new loader puts it under one of
  /// its own.
  case errorIsRebuilt
  /// A request's body arrives as a stream, whichever way it was given.
  case bodyIsAStream
  /// The headers of the session's configuration are in the loader's request.
  case sessionHeadersAreShown
  /// A WebSocket's request has the scheme `http` when it asks who loads it.
  case webSocketsAskByHTTP
  /// A task's session can be read by key-value coding.
  case sessionCanBeRead
  /// A task of the new loader has no such property, but a variable of that name.
  case newTasksHaveAVariable
  /// What a `URLProtocol` says of a download task becomes a file.
  case downloadsAreFiles
  /// A load without a task, as that of NSURLConnection, asks with its request.
  case tasklessLoadsAskByRequest
  /// A session asks the getter of its configuration for the classes, for each task.
  case classesAreAskedPerTask

  private static let turned = Set(
    (ProcessInfo.processInfo.environment["REHEARSAL_TURNED"] ?? "").split(separator: ",").map(String.init))

  var holds: Bool { !Self.turned.contains(rawValue) }
}

/// A rule of the loading system was broken, for which Apple's crashes or loses something.
func violation(_ rule: String) -> Never { fatalError("Apple's URL loading system: \(rule)") }
