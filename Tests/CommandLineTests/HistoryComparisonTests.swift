// `postkit history show --diff` and `postkit history timeline`.

import PostKitJSON
import PostKitTestSupport
import Synchronization
import Testing

@Suite struct HistoryComparisonTests {
  /// Sends a request three times; the price is another the last time.
  private func sent() async throws -> (Bench, [String]) {
    let count = Mutex(0)
    let files = [
      "a.http": "# @name price\nGET $URL/price\n", "http-client.env.json": #"{"dev":{}}"#,
    ]
    let bench = try Bench(files) { _ in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      let price = number < 3 ? "12.50" : "12.75"
      return [
        .response(
          headers: ["Content-Type: application/json"], body: #"{"price":\#(price),"n":[1]}"#)
      ]
    }
    for _ in 0..<3 { #expect(try await bench.postkit("run", "a.http").status == 0) }
    return (bench, try await bench.history().reversed().compactMap { $0["id"]?.string })
  }

  @Test func `a response is compared with the one before`() async throws {
    let (bench, ids) = try await sent()
    let result = try await bench.postkit("history", "show", ids[2], "--diff")
    #expect(result.status == 0)
    let heads = result.output.split(separator: "\n").prefix(2)
    #expect(heads.map { $0.prefix(6) } == ["--- 20", "+++ 20"])
    #expect(heads.allSatisfy { !$0.hasSuffix("Z") && $0.hasSuffix("/price") })
    #expect(!ids.contains { result.output.contains($0) })
    #expect(
      result.output.hasSuffix("@@ body, by JSONPath @@\n-$.price: 12.50\n+$.price: 12.75\n"))
    let same = try await bench.postkit("history", "show", ids[1], "--diff")
    #expect(same.output.hasSuffix("# The responses are the same.\n"))
  }

  @Test func `two responses are compared in the order they were sent`() async throws {
    let (bench, ids) = try await sent()
    let result = try await bench.postkit("history", "show", ids[0], "--diff", ids[2], "--json")
    let json = try Bench.json(result.output)
    #expect(json["old"]?["id"]?.string == ids[0] && json["new"]?["id"]?.string == ids[2])
    #expect(json["body"]?["changes"]?.elements.count == 1)
    let path = json["body"]?["changes"]?.elements.first?["new"]
    #expect(path == ["path": "$.price", "value": .number("12.75")])
  }

  @Test func `a timeline tells when the body changed`() async throws {
    let (bench, ids) = try await sent()
    let result = try await bench.postkit("history", "timeline", ids[0])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(ids[2].prefix(23)) && lines[0].hasSuffix("body changed"))
    #expect(lines[0].contains("  200  "))
    #expect(lines[1].hasSuffix("same body"))
    #expect(lines[2].hasPrefix(ids[0].prefix(23)) && !lines[2].contains("body"))
    let json = try Bench.json(
      try await bench.postkit("history", "timeline", ids[2], "--json", "--limit", "2").output)
    #expect(json.elements.map { $0["bodyChanged"] } == [true, false])
  }

  @Test func `a timeline is found by the file, the name and the environment`() async throws {
    let (bench, ids) = try await sent()
    try bench.write("http-client.env.json", #"{"dev": {}}"#)
    #expect(try await bench.postkit("run", "a.http", "-e", "dev").status == 0)
    let byID = try await bench.postkit("history", "timeline", ids[0]).output
    let newest = try await bench.postkit("history", "timeline", "--file", "a.http")
    #expect(newest.output.split(separator: "\n").count == 1, "that of the environment sent last")
    let named = ["history", "timeline", "--file", "a.http", "--name", "price"]
    #expect(try await bench.postkit(named + ["--env", "dev"]).output == newest.output)
    #expect(try await bench.postkit("run", "a.http").status == 0)
    let all = try await bench.postkit(named).output
    #expect(all.split(separator: "\n").count == 4 && all.hasSuffix(byID))
    for (words, message) in [
      (named + ["--env", "none"], "no such request of"),
      (["history", "timeline", ids[0], "--file", "a.http"], "needs one id, or `--file"),
      (["history", "timeline", "--name", "price"], "needs one id, or `--file"),
    ] {
      let result = try await bench.postkit(words)
      #expect(result.status == 2 && result.errorOutput.contains(message), "\(words)")
    }
  }

  @Test func `what can't be compared is said`() async throws {
    let (bench, ids) = try await sent()
    let first = try await bench.postkit("history", "show", ids[0], "--diff")
    #expect(first.status == 2 && first.errorOutput.contains("no earlier response of this request"))
    let unknown = try await bench.postkit("history", "show", ids[0], "--diff", "0123456789")
    #expect(unknown.status == 2 && unknown.errorOutput.contains("exchange `0123456789` not found"))
    #expect(try await bench.postkit("history", "timeline").status == 2)
    #expect(try await bench.postkit("history", "timeline", "0123456789").status == 2)
    #expect(try await bench.postkit("history", "show", ids[0], "--diff", "--body").status == 2)
  }
}
