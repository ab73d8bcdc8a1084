/// One meeting of a client and an exchange: all that decides what the client is told.
struct Cell: Sendable, CustomStringConvertible {
  enum TaskKind: String, CaseIterable {
    case data = "data task"
    case uploadOfData = "upload of data"
    case uploadOfFile = "upload of a file"
    case streamedUpload = "streamed upload"
    case download = "download"
  }

  enum CallStyle: String, CaseIterable {
    case completionHandler = "completion handler"
    /// A completion handler on a session that has a delegate, which is asked about redirects and challenges.
    case completionHandlerBesideDelegate = "completion handler beside a delegate"
    case asyncCall = "async call"
    case asyncCallWithDelegate = "async call with a delegate"
    case sessionDelegate = "session delegate"

    var hasDelegate: Bool { self != .completionHandler && self != .asyncCall }
    /// Whether the caller holds the task.
    var hasTask: Bool { self != .asyncCall && self != .asyncCallWithDelegate }
  }

  enum Disturbance: String {
    case none = ""
    case cancelBeforeResume = "cancelled before it is resumed"
    case cancelDuringWait = "cancelled during the wait"
    case cancelDuringBody = "cancelled during the body"
    case cancelAfterEnd = "cancelled after the end"
    case suspendBeforeResume = "suspended before it is resumed"
    case suspendDuringWait = "suspended during the wait, and resumed"
    case resumeTwice = "resumed twice"
  }

  var exchange: Exchange
  var method: String
  var kind: TaskKind
  var style: CallStyle
  /// What the delegate says to redirects and challenges.
  var replies = Replies()
  var disturbance = Disturbance.none

  /// The cell's name, by which differences and lists call it.
  var description: String {
    [exchange.name, method, kind.rawValue, style.rawValue, replies.name, disturbance.rawValue]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// What a delegate answers when it is asked.
struct Replies: Sendable {
  enum Redirect {
    case follow, refuse
    /// Another request instead: to `/elsewhere`, with a header field more.
    case change
  }

  enum Challenge {
    case credential(user: String, password: String)
    case cancel, reject, defaultHandling
  }

  var name = ""
  var redirect = Redirect.follow
  /// One after the other; when there are no more, the challenge is cancelled.
  var challenges: [Challenge] = []
}
