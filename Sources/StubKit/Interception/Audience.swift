/// Who learns what a task sends and receives, besides a completion handler.
enum Audience {
  /// It can't be determined.
  case unknown
  case nobody
  case listener(TaskListener)
}
