// What Swift Testing has only in later versions: the lines that end in the version in which it is an error, and no others
// (.ci/apple).
import Testing

func location(_ location: SourceLocation) -> String {
  location.filePath  // 6.2
}

func warning() {
  Issue.record("a warning", severity: .warning)  // 6.2
}

func isFailure(_ issue: Issue) -> Bool {
  issue.isFailure  // 6.2
}

func cancel() throws {
  try Test.cancel()  // 6.2
}

func right(_ location: SourceLocation) -> String {
  #if compiler(>=6.3)
    location.filePath
  #else
    location._filePath
  #endif
}
