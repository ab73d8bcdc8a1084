import Foundation
import StubKit

func policies(r: StubRegistry) {
  r.unmatched = .passThrough
  r.unmatched = .respond { request in .json(["path": "\(request.url!.path)"]) }
  for entry in r.journal.entries { print(entry.stub?.name ?? "-", entry.body as Any) }
  _ = r.journal.requests(matching: isHost("x")).count
}
