/// Elements by a number of each. Nothing is sorted before somebody asks for the order, so that registering stubs costs
/// the same in any order. A removed element leaves a hole, and the holes are closed when they are the majority.
struct StubList<Element> {
  struct Slot {
    let number: UInt64
    /// The element, or `nil` if it was removed.
    var element: Element?
  }

  /// The elements and the holes, in any order. The last slot is never a hole.
  private var slots: [Slot] = []
  private(set) var count = 0
  private var isSorted = true

  /// The slots in ascending order of their numbers.
  var sorted: [Slot] {
    mutating get {
      sort()
      return slots
    }
  }

  private mutating func sort() {
    if !isSorted { slots.sort { $0.number < $1.number } }
    isSorted = true
  }

  mutating func insert(_ element: Element, _ number: UInt64) {
    isSorted = isSorted && slots.last?.number ?? 0 <= number
    slots.append(Slot(number: number, element: element))
    count += 1
  }

  /// Returns the greatest number below another one, or `nil` if there is none.
  mutating func greatest(below bound: UInt64) -> UInt64? {
    sort()
    if let last = slots.last, last.number < bound { return last.number }
    return slots[..<place(from: bound)].last { $0.element != nil }?.number
  }

  /// Returns the slots with numbers from one on and below another one: their positions in the list.
  mutating func slots(from number: UInt64, below bound: UInt64) -> (slots: [Slot], positions: Range<Int>) {
    let end = place(from: bound)
    return (slots, (end > 1 ? place(from: number) : 0)..<end)
  }

  /// Returns the position of the first slot with a number or a greater one.
  private mutating func place(from number: UInt64) -> Int {
    sort()
    if slots.last?.number ?? 0 < number { return slots.count }
    var range = slots.indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = slots[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Returns the position of an element, or `nil` if there is none with the number.
  private mutating func place(of number: UInt64) -> Int? {
    // A stub with several alternatives can be in a list more than once.
    slots[place(from: number)...].prefix { $0.number == number }.firstIndex { $0.element != nil }
  }

  subscript(number: UInt64) -> Element? {
    mutating get { place(of: number).flatMap { slots[$0].element } }
    set { if let place = place(of: number) { slots[place].element = newValue } }
  }

  /// Removes an element, and returns it if it was there.
  @discardableResult
  mutating func remove(_ number: UInt64) -> Element? {
    guard let place = place(of: number) else { return nil }
    let element = slots[place].element.take()
    count -= 1
    while let last = slots.last, last.element == nil { slots.removeLast() }
    if slots.count > 16 && count < slots.count / 2 { slots.removeAll { $0.element == nil } }
    return element
  }
}
