/// Who hears, beside a completion handler, of what a task sends and receives.
enum Audience {
  /// It can't be found out.
  case unknown
  case nobody
  case listener(TaskListener)
}
