// `postkit collections`: deletions that are taken back, favourites, defaults and backups.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct CollectionKeepingTests {
  private static let file = """
    ### list
    GET $URL/orders

    ### make
    GET $URL/made
    X-Own: 1
    Authorization: Bearer own

    """

  private func filled() async throws -> Bench {
    let bench = try Bench(["a.http": Self.file])
    for (name, target) in [("list", "Shop/orders"), ("make", "Shop")] {
      let saved = try await bench.postkit(
        "collections", "save", "a.http", "--name", name, "--to", target)
      #expect(saved.status == 0, "\(saved.errorOutput)")
    }
    return bench
  }

  private func output(
    _ bench: Bench, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await bench.postkit(["collections"] + arguments)
    #expect(result.status == 0, "\(result.errorOutput)", sourceLocation: sourceLocation)
    return result.output
  }

  private func refused(
    _ bench: Bench, _ arguments: String..., says words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await bench.postkit(["collections"] + arguments)
    #expect(result.status == 2, sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
  }

  @Test func `a deletion is taken back, listed and made final`() async throws {
    let bench = try await filled()
    let before = try await output(bench, "--json")
    _ = try await output(bench, "delete", "Shop", "--force")
    #expect(try await output(bench, "undo", "--list").hasSuffix("  collection  Shop  with 2 requests\n"))
    expect(try await output(bench, "undo"), is: "Took back Shop.\n")
    expect(try await output(bench, "--json"), is: before)
    try await refused(bench, "undo", says: "there is nothing to take back")

    _ = try await output(bench, "delete", "Shop/orders/list")
    _ = try await output(bench, "delete", "Shop/make")
    _ = try await output(bench, "undo", "list")
    let json = try Bench.json(try await output(bench, "undo", "--json"))
    #expect(json.elements.compactMap { $0["name"]?.string } == ["make"])
    expect(try await output(bench, "undo", "--purge"), is: "Deleted 1 deletion for good.\n")
    try await refused(bench, "undo", says: "there is nothing to take back")
    try await refused(bench, "undo", "nowhere", says: "No deletion of the last 30 days has the id")
  }

  @Test func `what was made again is not replaced by what was deleted`() async throws {
    let bench = try await filled()
    _ = try await output(bench, "delete", "Shop", "--force")
    _ = try await output(bench, "create", "Shop")
    try await refused(bench, "undo", says: "There is a collection `Shop` again")
    expect(try await output(bench), is: "Shop/  (0 requests)\n")
  }

  @Test func `of two requests with one name the deleted one comes back`() async throws {
    let bench = try Bench(["a.http": "GET $URL/same\n"])
    _ = try await output(bench, "save", "a.http", "--to", "Shop")
    _ = try await output(bench, "duplicate", try #require(try await paths(bench).first))
    let before = try await output(bench, "--json")
    _ = try await output(bench, "delete", try #require(try await paths(bench).last))
    _ = try await output(bench, "undo")
    expect(try await output(bench, "--json"), is: before)
  }

  /// The ids of the requests of the first collection.
  private func paths(_ bench: Bench) async throws -> [String] {
    let all = try Bench.json(try await output(bench, "--json"))
    return all.elements[0]["children"]?.elements.compactMap { $0["id"]?.string } ?? []
  }

  @Test func `favourites and what was sent last are found`() async throws {
    let bench = try await filled()
    expect(try await output(bench, "favourite", "Shop/make"), is: "make is a favourite.\n")
    #expect(try await output(bench, "find", "--favourite").hasPrefix("Shop/make  ("))
    expect(
      try await output(bench, "favourite", "Shop/make", "--off"),
      is: "make is no favourite any more.\n")
    #expect(try await output(bench, "find", "--favourite") == "No stored request matches.\n")
    try await refused(bench, "favourite", "Shop", says: "A collection can't be a favourite")
    #expect(try await output(bench, "recent").hasPrefix("No stored request has been sent yet"))
    for path in ["Shop/make", "Shop/orders/list"] { _ = try await output(bench, "send", path) }
    let recent = try Bench.json(try await output(bench, "recent", "--json"))
    #expect(recent.elements.compactMap { $0["name"]?.string } == ["list", "make"])
    try bench.write("postkit.json", #"{"history": {"enabled": false}}"#)
    let off = try await bench.postkit("collections", "recent")
    #expect(off.errorOutput.contains("the history is off"))
  }

  @Test func `requests get what their folders and collection give, the nearest first`()
    async throws
  {
    let bench = try await filled()
    _ = try await output(
      bench, "defaults", "Shop", "--header", "X-Own: shop", "--header", "X-Far: {{far}}",
      "--auth", "Basic user pass", "--variable", "far=shop", "--variable", "apiToken=hush")
    expect(
      try await output(bench, "defaults", "Shop"),
      is: """
        X-Own: shop
        X-Far: {{far}}
        Authorization: Basic ••••••
        @apiToken = ••••••
        @far = shop

        """)
    _ = try await output(
      bench, "defaults", "Shop/orders", "--header", "x-own: orders", "--variable", "far=orders")
    for path in ["Shop/orders/list", "Shop/make"] { _ = try await output(bench, "send", path) }
    let sent = bench.server.requests
    #expect(sent.flatMap { $0.values("x-own") } == ["orders", "1"])
    #expect(sent.flatMap { $0.values("x-far") } == ["orders", "shop"])
    #expect(sent.flatMap { $0.values("authorization") } == ["Basic dXNlcjpwYXNz", "Bearer own"])

    _ = try await output(
      bench, "defaults", "Shop", "--remove-header", "X-OWN", "--auth", "", "--remove-variable",
      "apiToken")
    expect(
      try await output(bench, "defaults", "Shop", "--json"),
      is: #"{"headers":[["X-Far","{{far}}"]],"variables":[["far","shop"]]}"# + "\n")
    try await refused(
      bench, "defaults", "Shop/make", "--auth", "x", says: "is a request; name its folder")
    try await refused(
      bench, "defaults", "Shop", "--header", "a b: c", says: "`a b` is not a valid header name")
    try await refused(
      bench, "defaults", "Shop", "--header", "Authorization: x", says: "is set by `auth`")
  }

  @Test func `credentials of defaults are masked, and warned of in plain text`() async throws {
    let bench = try await filled()
    let words = [
      "collections", "defaults", "Shop", "--auth", "Bearer plain-auth", "--header",
      "Cookie: id=plain-cookie", "--header", "X-Api-Key: plain-key", "--header",
      "X-T: {{apiToken}}", "--variable", "apiToken=plain-token", "--header", "X-Open: open",
    ]
    let set = try await bench.postkit(words)
    #expect(set.status == 0 && !set.output.contains("plain-"), "\(set.output)")
    #expect(
      set.errorOutput.contains(
        "warning: `Authorization`, `Cookie`, `X-Api-Key`, `apiToken` are kept in plain text"),
      "\(set.errorOutput)")
    let again = try await bench.postkit(
      "collections", "defaults", "Shop", "--header", "X-Open: other", "--auth", "Bearer {{a}}",
      "--variable", "a=b")
    #expect(again.status == 0 && again.errorOutput == "", "\(again.errorOutput)")
    _ = try await bench.postkit(words)
    let sent = try await bench.postkit(
      "collections", "send", "Shop/orders/list", "--report", "json=r.json", "--report",
      "junit=r.xml")
    #expect(sent.status == 0 && !sent.errorOutput.contains("plain-"), "\(sent.errorOutput)")
    #expect(bench.server.requests.last?.values("x-t") == ["plain-token"])
    let id = try #require(try await bench.history().first?["id"]?.string)
    var shown = [try bench.directory.read("r.json"), try bench.directory.read("r.xml")]
    for words in [
      ["history", "show", id, "--json"], ["history", "show", id],
      ["collections", "defaults", "Shop", "--json"], ["collections", "--json"],
    ] { shown.append(try await bench.postkit(words).output) }
    for text in shown { #expect(!text.contains("plain-"), "\(text)") }
    let exported = try await bench.postkit("collections", "export", "--all", "all.json")
    #expect(exported.errorOutput.contains("credentials in plain text, of the defaults of `Shop`"))

    try await refused(
      bench, "defaults", "Shop", "--remove-header", "X-None",
      says: "has no default header `X-None`")
    try await refused(
      bench, "defaults", "Shop", "--remove-variable", "none",
      says: "has no default variable `none`")
    try await refused(bench, "defaults", "Shop/make", says: "is a request; name its folder")
    try await refused(
      bench, "defaults", "Shop", "--header", "X-A: b\r\nX-Injected: c",
      says: "must be a single line")
  }

  @Test func `a backup that is not whole changes nothing, and says where it is wrong`()
    async throws
  {
    let bench = try await filled()
    for words in [
      ["set", "host=a", "--env", "dev", "--collection", "Shop"],
      ["set", "port=1", "--env", "dev", "--collection", "Shop"],
    ] { #expect(try await bench.postkit(["collections"] + words).status == 0) }
    _ = try await output(bench, "export", "--all", "all.json")
    let whole = try bench.directory.read("all.json")
    let before = try await output(bench, "--json")
    let ids = try await paths(bench)
    let request = try #require(ids.last)
    for (old, new, words) in [
      (#""name": "Shop""#, #""name": "a\nb""#, "`collections[0].name` must be a line of text"),
      (#""name": "dev""#, #""name": "$shared""#, "`environments[0].name` can't be the name"),
      (#""isSecret": false"#, #""isSecret": "no""#, "`variables[0].isSecret` must be true"),
      (#""key": "port""#, #""key": "host""#, "`variables[1].key` is there twice"),
      (request, "nobody", "must be a UUID in lower case"),
      (#""source""#, #""text""#, "`requests[0].source` must be a text"),
      (#""defaults": null"#, #""defaults": {"headers": [["a b", "c"]]}"#, "`a b` is not a valid"),
      (#""version": 1"#, #""version": 0"#, "has no `version` that a backup can have"),
    ] {
      let text = whole.replacing(old, with: new)
      #expect(text != whole, "\(old)")
      try bench.write("bad.json", text)
      try await refused(bench, "restore", "bad.json", says: words)
    }
    try bench.write("half.json", String(whole.prefix(whole.count / 2)))
    try await refused(bench, "restore", "half.json", says: "half.json is not JSON")
    expect(try await output(bench, "--json"), is: before)
  }

  @Test func `a backup beside collections of the same names tells what is there twice`()
    async throws
  {
    let bench = try await filled()
    let set = ["set", "host=a", "--env", "dev", "--collection", "Shop"]
    #expect(try await bench.postkit(["collections"] + set).status == 0)
    _ = try await output(bench, "export", "--all", "all.json")
    _ = try await bench.postkit("collections", "unset", "host", "--env", "dev", "--collection", "Shop")
    let mine = ["set", "host=mine", "--env", "dev", "--collection", "Shop"]
    #expect(try await bench.postkit(["collections"] + mine).status == 0)
    let kept = try await bench.postkit("collections", "restore", "all.json")
    #expect(
      kept.errorOutput.contains("keep the values that they have: `host` of `Shop/dev`"),
      "\(kept.errorOutput)")
    #expect(try await output(bench, "environments").contains("mine"))

    _ = try await output(bench, "delete", "Shop", "--force")
    _ = try await output(bench, "create", "Shop")
    let twice = try await bench.postkit("collections", "restore", "all.json")
    #expect(twice.status == 0)
    #expect(twice.errorOutput.contains("more than one collection `Shop`"), "\(twice.errorOutput)")
  }

  @Test func `requests that need themselves keep their folder from being sent`() async throws {
    let bench = try Bench([
      "a.http": "### one\nGET $URL/one\n\n### again\n# @name again\nrun ./a.http\n"
    ])
    for name in ["one", "again"] {
      _ = try await output(bench, "save", "a.http", "--name", name, "--to", "Shop")
    }
    for words in [["collections", "send", "Shop"], ["run", "--collection", "Shop"]] {
      let sent = try await bench.postkit(words)
      #expect(sent.status == 3, "\(sent.errorOutput)")
      #expect(sent.errorOutput.contains("Remove one of the references. Nothing was sent."))
    }
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `all collections go into a file and come back from it`() async throws {
    let bench = try await filled()
    for words in [
      ["set", "host=a", "--env", "dev", "--collection", "Shop"],
      ["set", "pin=hush", "--secret", "--env", "dev", "--collection", "Shop"],
      ["use", "Shop", "dev"], ["defaults", "Shop", "--header", "X-A: 1"],
      ["favourite", "Shop/make"],
    ] { #expect(try await bench.postkit(["collections"] + words).status == 0) }
    let before = try await output(bench, "--json")
    let written = try await bench.postkit("collections", "export", "--all", "all.json")
    expect(
      written.output,
      is: "Wrote 1 collection with 1 folder, 2 requests, 1 environment, 2 variables to all.json.\n")
    #expect(written.errorOutput.contains("1 secret variable is not in it"))
    let text = try bench.directory.read("all.json")
    #expect(!text.contains("hush"))
    try await refused(bench, "export", "--all", "all.json", says: "`--force` replaces it")

    _ = try await output(bench, "delete", "Shop", "--force")
    _ = try await output(bench, "undo", "--purge")
    let restored = try await bench.postkit("collections", "restore", "all.json")
    #expect(restored.output.hasPrefix("Restored 1 collection with 1 folder, 2 requests"))
    #expect(restored.errorOutput.contains("`pin` of `Shop/dev`"))
    expect(try await output(bench, "--json"), is: before)
    _ = try await output(bench, "restore", "all.json")
    expect(try await output(bench, "--json"), is: before)

    try bench.write("other.json", #"{"format": "postkit-collections", "version": 2}"#)
    try await refused(bench, "restore", "other.json", says: "a newer PostKit")
    try await refused(bench, "restore", "a.http", says: "a.http is not JSON")
  }

  @Test func `a folder or a collection is sent in its order, with one report`() async throws {
    let bench = try await filled()
    for words in [["collections", "send", "Shop"], ["run", "--collection", "Shop"]] {
      let sent = try await bench.postkit(words + ["--report", "json=report.json"])
      #expect(sent.status == 0, "\(sent.errorOutput)")
      #expect(sent.errorOutput.contains("2 requests: 2 ok"), "\(sent.errorOutput)")
      let report = try bench.json("report.json")
      #expect(report["requests"]?.elements.compactMap { $0["name"]?.string } == ["list", "make"])
    }
    #expect(bench.server.requests.map(\.target) == ["/orders", "/made", "/orders", "/made"])
    let stored = try await bench.history("--limit", "1")
    #expect(stored.first?["name"]?.string == "make")
    #expect(try await bench.history("--stored", "Shop/orders/list").count == 2)
    _ = try await output(bench, "create", "Empty")
    try await refused(bench, "send", "Empty", says: "`Empty` has no requests")
    let both = try await bench.postkit("run", "a.http", "--collection", "Shop")
    #expect(both.status == 2)
    #expect(both.errorOutput.contains("can't be combined with a file"))
  }

  @Test func `the first failure ends it where that is asked for`() async throws {
    let bench = try Bench(["a.http": "### a\nGET http://127.0.0.1:1/\n\n### b\nGET $URL/b\n"])
    for name in ["a", "b"] {
      _ = try await output(bench, "save", "a.http", "--name", name, "--to", "Shop")
    }
    #expect(try await bench.postkit("collections", "send", "Shop").status == 4)
    #expect(bench.server.requests.count == 1)
    #expect(try await bench.postkit("collections", "send", "Shop", "--fail-fast").status == 4)
    #expect(bench.server.requests.count == 1)
  }

  @Test func `what the defaults give is neither missed nor copied`() async throws {
    let bench = try Bench(["a.http": "@page = 2\n@size = 3\n### a\nGET $URL/{{page}}?{{size}}\n"])
    _ = try await output(bench, "create", "Shop/in")
    _ = try await output(bench, "defaults", "Shop/in", "--variable", "page=9")
    let words = ["collections", "save", "a.http", "--name", "a", "--to", "Shop/in"]
    let alone = try await bench.postkit(words)
    #expect(alone.errorOutput.contains("the request uses `size`, defined"), "\(alone.errorOutput)")
    let saved = try await bench.postkit(words + ["--with-variables"])
    #expect(saved.output.hasSuffix("Copied `size` into the environment `default`.\n"))
    #expect(saved.errorOutput == "")
    let again = try await bench.postkit(words)
    #expect(again.errorOutput == "", "\(again.errorOutput)")
    _ = try await output(bench, "send", "Shop/in/a")
    #expect(bench.server.requests.map(\.target) == ["/9?3"])
    #expect(try await output(bench, "environments").contains("size"))

    let files = try await bench.postkit("export", "collection", "Shop", "--output", "files")
    #expect(files.status == 0)
    #expect(files.errorOutput.contains("The defaults of `Shop/in` are not written"))
  }

  @Test func `of two who take one deletion back one does it, and the other is told`()
    async throws
  {
    let bench = try await filled()
    let before = try await output(bench, "--json")
    _ = try await output(bench, "delete", "Shop", "--force")
    async let one = bench.postkit("collections", "undo")
    async let other = bench.postkit("collections", "undo")
    let both = try await [one, other]
    #expect(both.map(\.status).sorted() == [0, 2])
    #expect(both.contains { $0.errorOutput.contains("there is nothing to take back") })
    expect(try await output(bench, "--json"), is: before)
    expect(
      try await output(bench, "undo", "--purge"), is: "Nothing was deleted within 30 days.\n")
  }

  @Test func `a request takes the variables of its file along`() async throws {
    let bench = try Bench(["a.http": "@page = 2\n@apiToken = hush\n### a\nGET $URL/{{page}}?{{apiToken}}\n"])
    let words = ["save", "a.http", "--name", "a", "--to", "Shop"]
    let alone = try await bench.postkit(["collections"] + words)
    #expect(alone.errorOutput.contains("Repeat it with `--with-variables`"))
    let saved = try await bench.postkit(["collections"] + words + ["--with-variables"])
    #expect(
      saved.output.hasSuffix("Copied `page`, `apiToken` into the environment `default`.\n"),
      "\(saved.output)")
    #expect(saved.errorOutput == "")
    expect(
      try await output(bench, "environments"),
      is: "Shop/default  (active)\n  page                  2\n  apiToken              ••••••\n")
    _ = try await output(bench, "send", "Shop/a")
    #expect(bench.server.requests.map(\.target) == ["/2?hush"])
  }
}
