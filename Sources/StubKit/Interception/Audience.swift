/// Who learns, besides a completion handler, what a task sends and receives.
enum Audience {
  /// It can't be determined.
  case unknown
  case nobody
  case listener(TaskListener)
}
