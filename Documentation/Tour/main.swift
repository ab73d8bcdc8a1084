import Foundation
import StubKit

// Every request of the tour is a real URLSession call. Should a chapter get something other than it ought to, the tour
// says so and exits with status 1.

let chapters: [Chapter] = [
  .plainStub, .fixtureFile, .delayedAnswer, .failureAndRetry, .pathTemplate, .asFromAServer, .slowDownload,
  .virtualRetries, .serverSentEvents, .unmatchedRequest, .journal, .capabilities,
]

print(Terminal.style("StubKit, a tour in \(chapters.count) chapters", .bold))
print("Each request below is a real URLSession call, and none leaves this process.")

var failures = 0
let elapsed = await ContinuousClock().measure {
  // One registry for the whole tour, so that the journal at its end tells all of it.
  await withStubs {
    for (number, chapter) in zip(1..., chapters) {
      HTTPStubs.removeAllStubs()
      (HTTPStubs.clock, HTTPStubs.network) = (.real, nil)
      failures += await chapter.perform(number: number)
    }
  }
}

print()
if failures == 0 {
  print(Terminal.style("✓ All \(chapters.count) chapters went as they should, in \(elapsed.inWords).", .bold, .green))
} else {
  print(Terminal.style("✗ \(failures) of the tour's expectations were not met.", .bold, .red))
  exit(1)
}
