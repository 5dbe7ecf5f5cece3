// `postkit history` changes what filters find, and asks where that is much.

import PostKitJSON
import PostKitStore
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct HistoryChangeTests {
  private func filled() async throws -> Bench {
    let bench = try Bench([
      "a.http": "### a\n# @name a\nGET $URL/a\n\n### b\n# @name b\nPOST $URL/b\n"
    ])
    for _ in 0..<2 { _ = try await bench.postkit("run", "a.http", "--all") }
    return bench
  }

  /// A history of many exchanges, half of which have the name `even`.
  private func crowded(_ count: Int) async throws -> Bench {
    let bench = try await filled()
    let template = try #require(try await bench.history().first?["id"]?.string)
    let location = StoreLocation(directory: bench.store)
    let store = try await Store.open(location)
    let sample = try #require(try await store.exchange(id: template))
    for number in 0..<count {
      var exchange = sample
      exchange.id = Identifier.next()
      exchange.requestName = number.isMultiple(of: 2) ? "even" : "odd"
      store.enqueue(exchange)
    }
    try await store.flush()
    _ = await store.conclude()
    return bench
  }

  @Test func `marks are made on all that filters find`() async throws {
    let bench = try await filled()
    for (words, said) in [
      (["pin", "--method", "POST"], "Marked 2 exchanges."),
      (["label", "first words", "--name", "a"], "Marked 2 exchanges."),
      (["note", "seen", "--label", "first words", "--pinned"], "Marked 0 exchanges."),
      (["unpin", "--name", "b"], "Marked 2 exchanges."),
    ] {
      let result = try await bench.postkit(["history"] + words)
      #expect(result.status == 0 && result.output == said + "\n", "\(words)")
    }
    let list = try await bench.history()
    #expect(list.map { $0["label"]?.string } == [nil, "first words", nil, "first words"])
    #expect(list.allSatisfy { $0["pinned"] == false && $0["note"] == .null })
  }

  @Test func `exchanges are forgotten by any filter`() async throws {
    let bench = try await filled()
    let until = try await bench.postkit("history", "forget", "--until", "1h")
    #expect(until.output == "Forgot 0 exchanges.\n")
    let some = try await bench.postkit(
      "history", "forget", "--name", "b", "--status", "2xx", "--since", "1h")
    #expect(some.output == "Forgot 2 exchanges.\n")
    #expect(try await bench.history().map { $0["name"]?.string } == ["a", "a"])
    _ = try await bench.postkit("history", "save-search", "mine", "--path", "/a")
    let saved = try await bench.postkit("history", "forget", "--saved", "mine")
    #expect(saved.output == "Forgot 2 exchanges.\n")
  }

  @Test(arguments: [
    (["pin"], "at least one id, or a filter"), (["label", "--host", "h"], "needs a text"),
    (["pin", "--host", ""], "`--host` is empty"), (["forget", "--search", ""], "is empty"),
    (["forget"], "what should be forgotten"),
    (["forget", "0123456789", "--host", "h"], "not both; leave out `--host`"),
    (["label", "text", "0123456789", "--host", "h"], "not both; leave out `--host`"),
    (["forget", "--all", "--host", "h"], "`--all` forgets everything"),
    (["forget", "--all", "0123456789"], "`--all` forgets everything"),
    (["forget", "--min-size", "2", "--max-size", "1"], "nothing can match"),
  ])
  func `what is unclear changes nothing`(words: [String], message: String) async throws {
    let bench = try await filled()
    let result = try await bench.postkit(["history"] + words)
    #expect(result.status == 2 && result.errorOutput.contains(message), "\(result.errorOutput)")
    #expect(try await bench.history().count == 4)
  }

  @Test func `a saved search without a filter changes nothing`() async throws {
    let bench = try await filled()
    _ = try await bench.postkit("history", "save-search", "sorted", "--sort", "ms")
    let result = try await bench.postkit("history", "forget", "--saved", "sorted")
    #expect(result.status == 2 && result.errorOutput.contains("it would forget everything"))
    #expect(try await bench.history().count == 4)
  }

  @Test func `a hundred are changed only where somebody agrees`() async throws {
    let bench = try await crowded(200)
    let refused = try await bench.postkit("history", "forget", "--name", "even")
    #expect(refused.status == 2)
    #expect(refused.errorOutput.contains("100 exchanges match, and nothing was changed; `--yes`"))
    #expect(try await bench.postkit("history", "--count").output == "204\n")
    let marked = try await bench.postkit("history", "pin", "--name", "odd", "--yes")
    #expect(marked.output == "Marked 100 exchanges.\n")
    guard try Require.tool("script", reason: "it makes a terminal") != nil else { return }
    for (answer, left) in [("n", "204"), ("", "204"), ("y", "104")] {
      let asked = try await bench.shell(
        "echo '\(answer)' | script -qec '\"$POSTKIT\" history forget --name even' /dev/null")
      #expect(asked.output.contains("Forget 100 exchanges? [y/N]"), "\(asked.output)")
      #expect(try await bench.postkit("history", "--count").output == left + "\n", "\(answer)")
    }
  }

  @Test func `fewer than a hundred are only told`() async throws {
    let bench = try await crowded(198)
    let forgotten = try await bench.postkit("history", "forget", "--name", "even")
    #expect(forgotten.status == 0 && forgotten.output == "Forgot 99 exchanges.\n")
  }
}
