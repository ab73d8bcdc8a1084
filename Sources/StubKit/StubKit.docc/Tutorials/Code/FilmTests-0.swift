import StubKitTesting
import Testing

@testable import App

@Suite(.stubbed)
struct FilmTests {
}
