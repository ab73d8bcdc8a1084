/// What a test in a process of its own throws when something is not as it should be: the process prints it as it ends.
struct WrongAnswer: Error { let what: String }
