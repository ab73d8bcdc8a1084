/// Something wrong in the caller's code, as a sentence that says what to write instead.
///
/// It is a value and not a trap, so that a typo fails its test and not the whole run.
package struct UsageMistake: Error, Hashable {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

/// Throws a mistake unless a condition on the caller's code is met.
package func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String
) throws(UsageMistake) {
  guard condition else { throw UsageMistake(sentence()) }
}

/// Stops the process with a sentence that says what is wrong in the caller's code and what to write instead.
///
/// Unlike `preconditionFailure`, it prints the sentence in every build. With `-O`, the compiler strips the message of
/// a precondition, and the crash would say nothing.
package func mistake(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}
