/// Stops the process with a sentence that says what is wrong in the caller's code and what to write instead.
///
/// Unlike `preconditionFailure`, it prints the sentence in every build. With `-O`, the compiler strips the message of
/// a precondition, and the crash would say nothing. The sentence names the caller's file and line where they are
/// known.
package func mistake(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}

/// Stops the process unless a condition on the caller's code is met. See ``mistake(_:file:line:)``.
package func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  guard condition else { mistake(sentence(), file: file, line: line) }
}
