/// Traps with a sentence that says what is wrong with the caller's own text, and what to write instead.
///
/// Unlike `preconditionFailure`, it prints the sentence in every build: `-O` strips the message of a precondition, and leaves
/// the reader of a crash with nothing. Names the caller's file and line where they are known, in the sentence.
func mistake(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}

/// Traps unless the caller's own text makes sense. See ``mistake(_:file:line:)``.
@inline(__always)
func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  guard condition else { mistake(sentence(), file: file, line: line) }
}
