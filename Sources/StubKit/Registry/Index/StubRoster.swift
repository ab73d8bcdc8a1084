/// Stubs in the order in which they were registered. Appending and removing are amortised O(1): a removed stub leaves
/// a hole, and the holes are closed when they are the majority.
struct StubRoster {
  /// The lists that a stub can be in. It knows its position in each.
  enum Kind {
    case all
    case scanned
  }

  private let kind: Kind
  private(set) var slots: [Stub?] = []
  private var count = 0

  init(_ kind: Kind) { self.kind = kind }

  var stubs: [Stub] { slots.compactMap { $0 } }

  /// The newest stub. The last slot is never a hole.
  var newest: Stub? { slots.last ?? nil }

  func contains(_ stub: Stub) -> Bool {
    let place = Int(stub[positionIn: kind])
    return slots.indices.contains(place) && slots[place] === stub
  }

  /// Inserts a stub by its ordinal: at the end, unless it has a lower priority than others.
  mutating func insert(_ stub: Stub) {
    append(stub)
    var place = slots.count - 1
    while place > 0, let before = slots[..<place].last, (before?.ordinal ?? .max) > stub.ordinal {
      slots.swapAt(place - 1, place)
      before?[positionIn: kind] = Int32(place)
      place -= 1
    }
    stub[positionIn: kind] = Int32(place)
  }

  mutating func append(_ stub: Stub) {
    stub[positionIn: kind] = Int32(slots.count)
    slots.append(stub)
    count += 1
  }

  /// Returns `false` if the stub is not in the roster.
  mutating func remove(_ stub: Stub) -> Bool {
    guard contains(stub) else { return false }
    slots[Int(stub[positionIn: kind])] = nil
    stub[positionIn: kind] = -1
    count -= 1
    while let last = slots.last, last == nil { slots.removeLast() }
    if slots.count > 16 && count < slots.count / 2 { closeHoles() }
    return true
  }

  private mutating func closeHoles() {
    slots.removeAll { $0 == nil }
    for (place, stub) in slots.enumerated() { stub?[positionIn: kind] = Int32(place) }
  }
}

extension Stub {
  // Not a key path, which would take longer than all that is done with the position.
  fileprivate subscript(positionIn kind: StubRoster.Kind) -> Int32 {
    get {
      switch kind {
      case .all: rosterPosition
      case .scanned: scanPosition
      }
    }
    set {
      switch kind {
      case .all: rosterPosition = newValue
      case .scanned: scanPosition = newValue
      }
    }
  }
}
