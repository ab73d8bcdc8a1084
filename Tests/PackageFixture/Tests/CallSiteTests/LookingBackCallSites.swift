import Foundation
import StubKitRecorder

func verifications() async throws {
  let users = stub(condition: isHost("x"), response: .status(204))
  let calls = try await users.waitForCalls(2, timeout: .seconds(1))
  let done = try await users.waitForCompletions(2, timeout: .seconds(1))
  try verify(isHost("x"), called: .exactly(2))
  try verify(isHost("x"), called: .atLeast(1), in: .current)
  try verify(users)
  try verifyInOrder(isPath("/a"), isPath("/b") && isMethod(.post))
  try withStubs(in: .init()) { try verify(isHost("x"), called: .never) }
  _ = (calls[0].curl, done.first?.outcome)
}

func recorded(r: StubRegistry) throws {
  _ = r.journal.count
  for entry in r.journal.entries {
    print(entry.curl, entry.stub?.name ?? "-", entry.body as Any, entry.timeToResponse as Any)
    _ = (entry.response?.status, entry.response?.headers, entry.response?.body)
    let fields: StubHeaders = entry.headerFields
    for (name, value) in entry.response?.headerFields ?? fields { print(name, value, fields.values(of: name)) }
    _ = (entry.headers["Accept"], entry.headerFields.map(\.name), entry.header("Accept"))
    _ = (entry.query["page"], entry.queryItems.map(\.name), entry.form["user"], entry.formItems)
  }
  try r.journal.archive.data.write(to: URL(fileURLWithPath: "/tmp/requests.har"))
}

func observers() {
  HTTPStubs.onRequest { request in print(request.url, request.stub?.name ?? "?", request.outcome) }
  let stopListening = HTTPStubs.onRequest { print($0) }
  stopListening()
}
