/// A fact that is computed when it is first needed, and that can turn out not to exist.
enum Memo<Value: Sendable>: Sendable {
  case unknown
  case known(Value?)
}
