#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The slot of a class's member", .inTurn)
  struct ClassSlotTests {
    private class Base {
      var first: Int { 1 }
      var number: Int {
        get { 2 }
        set {}
      }
      func last() -> Int { 3 }
    }
    private class Inert: Base {}
    private class Hook: Base {
      override var number: Int {
        get { 20 + super.number }
        set {}
      }
    }
    private class HookOfTwo: Base {
      override var first: Int { 10 }
      override var number: Int {
        get { 20 }
        set {}
      }
    }
    private class HookOfNone: Base {}
    private class Stranger {}

    @Test("is found, replaced and given back")
    func installs() throws {
      let object = Base()
      let slot = try ClassSlot(base: Base.self, inert: Inert.self, hook: Hook.self)
      slot.install()
      #expect(Self.number(of: object) == 22)
      slot.uninstall()
      #expect(Self.number(of: object) == 2)
    }

    /// Through the method table, whatever the optimiser knows of the object.
    @inline(never)
    @_optimize(none)
    private static func number(of object: Base) -> Int { object.number }

    @Test("is refused where anything looks different")
    func refuses() {
      let rows: [(inert: AnyClass, hook: AnyClass, accessors: Int)] = [
        (Inert.self, HookOfTwo.self, 3), (Inert.self, HookOfNone.self, 3), (Hook.self, Hook.self, 3),
        (Stranger.self, Hook.self, 3), (Inert.self, Hook.self, 1), (Inert.self, Hook.self, 4),
      ]
      for row in rows {
        #expect(throws: MissingInternal.self, "\(row)") {
          try ClassSlot(base: Base.self, inert: row.inert, hook: row.hook, accessors: row.accessors)
        }
      }
    }

    @Test("of a method is one word")
    func method() {
      class HookOfMethod: Base {
        override func last() -> Int { 30 }
      }
      #expect(throws: Never.self) {
        try ClassSlot(base: Base.self, inert: Inert.self, hook: HookOfMethod.self, accessors: 1)
      }
      #expect(throws: MissingInternal.self) {
        try ClassSlot(base: Base.self, inert: Inert.self, hook: HookOfMethod.self, accessors: 3)
      }
    }
  }
#endif
