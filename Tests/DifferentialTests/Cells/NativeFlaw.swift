extension Cell {
  /// Whether the native loader can't be compared with, because it traps, or never comes to an end.
  var hasNativeFlaw: Bool {
    // Without a delegate and a stored credential, a challenge is never answered.
    let isNeverAnswered =
      ["401", "redirect to a 401"].contains(exchange.name)
      && (style != .sessionDelegate && style != .completionHandlerBesideDelegate || replies.name == "default handling")
    // An upload that was suspended after its body was sent is sent again without it, or never ends.
    return isNeverAnswered || disturbance == .suspendDuringWait && kind != .data && kind != .download
  }
}
