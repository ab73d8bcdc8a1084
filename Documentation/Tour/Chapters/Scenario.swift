import Foundation
import StubKit

extension Chapter {
  static let scenario = Chapter(
    "A scenario: stubs that remember, like a server",
    code: #"""
      let cart = StubScenario(initial: "empty")
      stub(condition: isPath("/cart") && cart.is("empty"),
           response: .json([]), name: "empty")
      stub(condition: isMethod(.post) && isPath("/cart"),
           response: .status(201).moving(cart, to: "full"), name: "add")
      stub(condition: isMethod(.get) && isPath("/cart") && cart.is("full"),
           response: .json(["tea"]), name: "full")
      """#
  ) { page in
    let cart = StubScenario(initial: "empty")
    stub(
      condition: isPath("/cart") && cart.is("empty"),
      response: .json([]), name: "empty")
    stub(
      condition: isMethod(.post) && isPath("/cart"),
      response: .status(201).moving(cart, to: "full"), name: "add")
    stub(
      condition: isMethod(.get) && isPath("/cart") && cart.is("full"),
      response: .json(["tea"]), name: "full")

    let before = try await Reply.get("https://shop.example.com/cart")
    page.show(before)
    page.show(try await Reply.get("https://shop.example.com/cart", method: "POST"))
    let after = try await Reply.get("https://shop.example.com/cart")
    page.show(after)
    page.expect(before.text == "[]" && after.text == #"["tea"]"#, "an empty cart, then a full one")
    page.expect(cart.state == "full", "the scenario to have moved")
  }
}
