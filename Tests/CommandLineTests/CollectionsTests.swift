// `postkit collections`: saving requests of files, changing the tree, and sending from it.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct CollectionsTests {
  private static let file = """
    @page = 2
    ### list
    GET $URL/orders?page={{page}}
    X-Token: {{token}}

    ### make
    # @name make
    POST {{host}}/orders

    < ./order.json

    """

  private func filled() async throws -> Bench {
    let bench = try Bench(["api/a.http": Self.file, "api/order.json": #"{"n":1}"#])
    for (name, target) in [("list", "Shop/orders"), ("make", "Shop")] {
      let saved = try await bench.postkit(
        "collections", "save", "api/a.http", "--name", name, "--to", target)
      #expect(saved.status == 0)
      #expect(saved.output.hasPrefix("Saved \(target)/\(name)  "))
    }
    return bench
  }

  private func tree(_ bench: Bench) async throws -> String {
    try await bench.postkit("collections").output
      .replacingOccurrences(of: String(bench.server.url().dropLast()), with: "$URL")
  }

  private func refused(
    _ bench: Bench, _ arguments: [String], _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await bench.postkit(["collections"] + arguments)
    #expect(result.status == 2, sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
  }

  @Test func `the tree shows what was saved`() async throws {
    let bench = try await filled()
    expect(
      try await tree(bench),
      is: """
        Shop/  (2 requests)
          orders/  (1 request)
            list  (GET $URL/orders?page={{page}})
          make  (POST {{host}}/orders)

        """)
    let json = try Bench.json(try await bench.postkit("collections", "--json").output)
    let shop = try #require(json.elements.first)
    #expect(shop["kind"]?.string == "collection")
    let made = try #require(shop["children"]?.elements.last)
    #expect(made["name"]?.string == "make")
    #expect(made["file"]?.string == bench.directory.path("api/a.http"))
    #expect(shop["requestCount"]?.int == 2 && made["path"]?.string == "Shop/make")
    #expect(made["createdAt"]?.string?.hasSuffix("Z") == true)
    #expect(made["updatedAt"]?.string?.count == 24)
    let shown = try await bench.postkit("collections", "show", made["id"]?.string ?? "")
    expect(
      shown.output,
      is: "### make\n# @name make\nPOST {{host}}/orders\n\n< ./order.json\n")
  }

  @Test func `requests are found by what is in them`() async throws {
    let bench = try await filled()
    func found(_ words: String...) async throws -> String {
      let answer = try await bench.postkit(["collections", "find"] + words)
      #expect(answer.status == 0, "\(answer.errorOutput)")
      return answer.output
        .replacingOccurrences(of: String(bench.server.url().dropLast()), with: "$URL")
    }
    let list = "Shop/orders/list  (GET $URL/orders?page={{page}})\n"
    let make = "Shop/make  (POST {{host}}/orders)\n"
    #expect(try await found() == list + make)
    #expect(try await found("ORDERS", "list") == list)
    #expect(try await found("--method", "post") == make)
    #expect(try await found("--param", "page") == list)
    #expect(try await found("--param", "page=7") == "No stored request matches.\n")
    #expect(try await found("--in", "Shop/orders") == list)
    #expect(try await found("--sort", "name") == list + make)
    #expect(try await found("--favourite") == "No stored request matches.\n")
    let limited = try await bench.postkit("collections", "find", "--limit", "1")
    #expect(limited.output.hasPrefix("Shop/orders/list"))
    #expect(limited.errorOutput.contains("the first 1 of 2 requests"))
    let answer = try await bench.postkit("collections", "find", "make", "--json")
    let json = try Bench.json(answer.output)
    #expect(json.elements.map { $0["path"]?.string } == ["Shop/make"])
    for (words, part) in [
      (["--sort", "size"], "write order, name, updated, created or recent"),
      (["--in", "Nowhere"], "`Nowhere` not found"), (["--in", "Shop/make"], "is a request"),
      (["--header", "=1"], "write NAME or NAME=VALUE"), (["--limit", "0"], "at least 1"),
      (["--force"], "has no option `--force`"),
    ] {
      try await refused(bench, ["find"] + words, part)
    }
  }

  @Test func `saving again brings up to date and says what does not come along`() async throws {
    let bench = try await filled()
    try bench.write("api/a.http", Self.file + "# more\n")
    let again = try await bench.postkit(
      "collections", "save", "api/a.http", "--name", "list", "--to", "Shop/orders")
    #expect(again.output.hasPrefix("Updated Shop/orders/list  "))
    #expect(again.errorOutput.contains("the request uses `page`, defined elsewhere in"))
    #expect(try await tree(bench).split(separator: "\n").count == 4)
  }

  @Test func `what the warning about missing definitions says makes the request complete`()
    async throws
  {
    let bench = try Bench(["a.http": "@host = $URL\n@who = ada\n### a\nGET {{host}}/{{who}}\n"])
    let saved = try await bench.postkit("collections", "save", "a.http", "--to", "My shop/new")
    #expect(saved.status == 0)
    #expect(try await bench.postkit("collections", "send", "My shop/new/a").status == 3)
    let told = saved.errorOutput.split(separator: "`").filter { $0.hasPrefix("postkit coll") }
    #expect(told.count == 3)
    let values = [
      "host=VALUE": "host=\(bench.server.url().dropLast())", "who=VALUE": "who=bob",
      "NAME": "dev", "SHOP": "My shop",
    ]
    for command in told {
      #expect(command.contains("'My shop'"))
      let words = command.replacing("'My shop'", with: "SHOP").split(separator: " ").dropFirst()
        .map(String.init).map { values[$0] ?? $0 }
      #expect(try await bench.postkit(words).status == 0)
    }
    #expect(try await bench.postkit("collections", "send", "My shop/new/a").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/bob"])
  }

  @Test func `a stored request is sent from anywhere like one of its file`() async throws {
    let bench = try await filled()
    let url = String(bench.server.url().dropLast())
    for pair in ["host=\(url)", "token=t-12345", "page=7"] {
      let set = try await bench.postkit(
        "collections", "set", pair, "--collection", "Shop", "--env", "dev")
      #expect(set.status == 0)
    }
    #expect(try await bench.postkit("collections", "use", "Shop", "dev").status == 0)
    #expect(try await bench.postkit("collections", "send", "Shop/orders/list").status == 0)
    #expect(try await bench.postkit("collections", "send", "Shop/make").status == 0)
    let requests = bench.server.requests
    #expect(requests.map(\.target) == ["/orders?page=7", "/orders"])
    #expect(requests.first?.values("X-Token") == ["t-12345"])
    #expect(requests.last.map { String(decoding: $0.body, as: UTF8.self) } == #"{"n":1}"#)
    let newest = try #require(try await bench.history().first)
    #expect(newest["name"]?.string == "make")
    #expect(newest["environment"]?.string == "dev")
    #expect(newest["file"]?.string?.hasPrefix("postkit:/collections/") == true)
  }

  @Test func `of two environments with one name the collection's own wins`() async throws {
    let bench = try Bench(["a.http": "### a\nGET $URL/{{a}}/{{b}}/{{c}}\n"])
    try bench.write("http-client.env.json", #"{"dev": {"a": "f", "b": "f", "c": "f"}}"#)
    for arguments in [
      ["save", "a.http", "--to", "Shop"], ["set", "a=g", "--env", "dev"],
      ["set", "b=g", "--env", "dev"], ["set", "a=c", "--env", "dev", "--collection", "Shop"],
    ] { #expect(try await bench.postkit(["collections"] + arguments).status == 0) }
    #expect(try await bench.postkit("collections", "send", "Shop/a", "-e", "dev").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/c/g/f"])
    let unknown = try await bench.postkit("collections", "send", "Shop/a", "-e", "live")
    #expect(unknown.status == 2)
    #expect(unknown.errorOutput.contains("live"))
  }

  @Test func `things are renamed, moved, copied and put in order`() async throws {
    let bench = try await filled()
    for arguments in [
      ["rename", "Shop/make", "create"], ["duplicate", "Shop/create"],
      ["move", "Shop/create", "--before", "Shop/orders/list"],
      ["create", "Notes/ideas"], ["move", "Shop/orders", "--to", "Notes"],
      ["rename", "Shop", "Store"], ["move", "Notes", "--index", "0"],
    ] {
      let result = try await bench.postkit(["collections"] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
    }
    expect(
      try await tree(bench),
      is: """
        Notes/  (2 requests)
          ideas/  (0 requests)
          orders/  (2 requests)
            create  (POST {{host}}/orders)
            list  (GET $URL/orders?page={{page}})
        Store/  (1 request)
          create copy  (POST {{host}}/orders)

        """)
  }

  @Test func `what is not empty is deleted by force alone, and the history stays`() async throws {
    let bench = try await filled()
    _ = try await bench.postkit("collections", "set", "host=\(bench.server.url())", "--env", "all")
    _ = try await bench.postkit(
      "collections", "send", "Shop/orders/list", "-V", "token=t", "-V", "page=1")
    try await refused(
      bench, ["delete", "Shop"], "`Shop` is not empty: this also deletes 1 folder, 2 requests")
    let deleted = try await bench.postkit("collections", "delete", "Shop", "--force")
    expect(
      deleted.output,
      is: "Deleted Shop with 1 folder, 2 requests. `postkit collections undo` takes it back.\n")
    #expect(try await bench.history().count == 1)
    #expect(try await tree(bench).hasPrefix("No collections yet."))
  }

  @Test func `environments are listed, changed and deleted`() async throws {
    let bench = try await filled()
    for arguments in [
      ["set", "a=1", "--env", "dev", "--collection", "Shop"],
      ["set", "a=2", "--env", "dev", "--collection", "Shop"], ["set", "b=x=y", "--env", "all"],
      ["use", "Shop", "all"], ["rename", "every", "--env", "all"],
    ] { #expect(try await bench.postkit(["collections"] + arguments).status == 0) }
    expect(
      try await bench.postkit("collections", "environments").output,
      is: "Shop/dev\n  a                     2\nevery  (global)\n  b                     x=y\n")
    try await refused(bench, ["delete", "--env", "every", "--force"], "is active in `Shop`")
    for arguments in [
      ["use", "Shop"], ["delete", "--env", "every", "--force"],
      ["unset", "a", "--env", "dev", "--collection", "Shop"],
    ] { #expect(try await bench.postkit(["collections"] + arguments).status == 0) }
    let json = try Bench.json(try await bench.postkit("collections", "environments", "--json").output)
    #expect(json.elements.map { $0["environment"]?.string } == ["dev"])
    #expect(json.elements.first?["variables"]?.elements.isEmpty == true)
  }

  @Test func `what is not there or not clear is refused with what to do`() async throws {
    let bench = try await filled()
    try await refused(bench, ["show", "Shop/none"], "`Shop/none` not found")
    try await refused(bench, ["create", "Shop"], "already exists")
    try await refused(bench, ["rename", "Shop", " "], "A name is needed")
    try await refused(bench, ["save", "api/a.http", "--to", "Shop"], "api/a.http has 2 requests")
    try await refused(bench, ["save", "api/a.http"], "needs `--to PATH`")
    try await refused(bench, ["move", "Shop"], "needs `--to`, or one of")
    try await refused(bench, ["set", "a", "--env", "b"], "usage: `postkit collections set")
    try await refused(bench, ["unset", "a", "--env", "b"], "there is no environment `b`")
    try await refused(bench, ["dance"], "`collections` lists, or can `find`")
    try await refused(bench, ["show"], "usage: `postkit collections show")
    try await refused(bench, ["show", "Shop", "--force"], "has no option `--force`")
    _ = try await bench.postkit("collections", "create", "Shop/orders/x")
    _ = try await bench.postkit("collections", "duplicate", "Shop/orders/x")
    _ = try await bench.postkit("collections", "rename", "Shop/orders/x copy", "x")
    try await refused(bench, ["show", "Shop/orders/x"], "`Shop/orders/x` is ambiguous")
  }

  @Test(arguments: [
    (["Shop/none"], 2, "request-not-found"), (["Shop/none", "--seed", "x"], 2, "usage"),
    (["Shop/none", "--store", "/dev/null/x"], 5, "store"),
  ])
  func `a report tells why nothing could be sent`(
    words: [String], status: Int32, error: String
  ) async throws {
    let bench = try await filled()
    let sent = try await bench.postkit(
      ["collections", "send"] + words + ["--report", "json=r.json"])
    #expect(sent.status == status, "\(sent.errorOutput)")
    let report = try bench.json("r.json")
    #expect(report["error"]?.string == error, "\(report)")
    #expect(bench.server.requests.isEmpty)
  }
}
