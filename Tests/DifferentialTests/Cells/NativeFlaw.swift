/// A reason why the native loader can't be compared with: it traps, or never comes to an end.
struct NativeFlaw: Sendable {
  let reason: String
  let isIn: @Sendable (Cell) -> Bool

  static func first(in cell: Cell) -> NativeFlaw? { all.first { $0.isIn(cell) } }

  static let all: [NativeFlaw] = [
    NativeFlaw(reason: "Without a delegate and a stored credential, a challenge is never answered.") { cell in
      ["401", "redirect to a 401"].contains(cell.exchange.name)
        && (cell.style != .sessionDelegate && cell.style != .completionHandlerBesideDelegate
          || cell.replies.name == "default handling")
    },
    NativeFlaw(reason: "An upload that was suspended after its body was sent is sent again without it, or never ends.")
    {
      $0.disturbance == .suspendDuringWait && $0.kind != .data && $0.kind != .download
    },
  ]
}
