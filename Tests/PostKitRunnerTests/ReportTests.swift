// What a report reckons; its forms are read by independent readers in Tests/Clients.

import PostKitEvaluate
import PostKitHTTP
import Testing

@testable import PostKitRunner

@Suite struct ReportTests {
  private func outcome(milliseconds: Int64) -> RunOutcome {
    var exchange = Exchange(
      id: "1", startedAt: 0, file: "a.http", line: 1, template: "GET /",
      request: SentRequest(method: "GET", url: "http://a.test/", headers: [:]), state: .done)
    exchange.timings.total = milliseconds * 1_000
    return RunOutcome(
      id: "1", place: .init(block: 0), title: "one", line: 1, method: "GET",
      url: "http://a.test/", exchange: exchange, masked: exchange)
  }

  /// 0.1 + 0.2 is 0.30000000000000004 in binary, and 0.00005 is written 5e-05; schemas allow neither.
  @Test(arguments: [
    ([100, 200], "0.300"), ([1, 2, 4], "0.007"), ([], "0.000"), ([61_234, 1_000], "62.234"),
  ] as [([Int64], String)])
  func `times are whole milliseconds`(times: [Int64], sum: String) {
    let report = RunReport(RunResult(outcomes: times.map(outcome)), path: "a.http")
    let text = String(decoding: report.bytes(.junit), as: UTF8.self)
    #expect(text.contains(" time=\"\(sum)\">"))
  }
}
