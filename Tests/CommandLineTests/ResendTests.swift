// `postkit run --history ID`: requests of the history are sent anew.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct ResendTests {
  private static let file = """
    @path = one
    ### a
    # @name a
    GET $URL/{{path}}
    X-Key: {{key}}
    Authorization: Bearer literal-token

    """

  private static let environments = #"{"dev": {"key": "first-secret"}, "prod": {"key": "other"}}"#

  private func sent() async throws -> (Bench, String) {
    let bench = try Bench([
      "a.http": ResendTests.file, "http-client.private.env.json": ResendTests.environments,
    ])
    #expect(try await bench.postkit("run", "a.http", "-e", "dev").status == 0)
    let id = try #require(try await bench.history().first?["id"]?.string)
    return (bench, id)
  }

  private func last(_ bench: Bench) -> String {
    bench.server.requests.last.map { String(decoding: $0.head, as: UTF8.self) } ?? ""
  }

  @Test func `it is sent with the environment of then and the values of now`() async throws {
    let (bench, id) = try await sent()
    try bench.write("http-client.private.env.json", #"{"dev": {"key": "second-secret"}}"#)
    let result = try await bench.postkit("run", "--history", id)
    #expect(result.status == 0 && result.output == #"{"ok":true}"#)
    #expect(last(bench).hasPrefix("GET /one "))
    #expect(last(bench).contains("X-Key: second-secret\r\n"))
    #expect(last(bench).contains("Authorization: Bearer literal-token\r\n"))
    let list = try await bench.history()
    #expect(list.count == 2 && list[0]["environment"] == "dev" && list[0]["name"] == "a")
    #expect(list[0]["id"]?.string != id)
  }

  @Test func `another environment can be given, and variables`() async throws {
    let (bench, id) = try await sent()
    let result = try await bench.postkit(
      "run", "--history", id, "-e", "prod", "--var", "path=two")
    #expect(result.status == 0)
    #expect(last(bench).hasPrefix("GET /two ") && last(bench).contains("X-Key: other\r\n"))
  }

  @Test func `a mask is never sent`() async throws {
    let (bench, id) = try await sent()
    try FileSystem.remove(bench.directory.path("a.http"))
    let count = bench.server.requests.count
    let result = try await bench.postkit("run", "--history", id)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("a.http is gone"))
    #expect(bench.server.requests.count == count)
  }

  @Test func `without its file it is sent as it was kept, and that is said`() async throws {
    let bench = try Bench(["b.http": "POST $URL/kept\n\nbody\n"])
    #expect(try await bench.postkit("run", "b.http").status == 0)
    let id = try #require(try await bench.history().first?["id"]?.string)
    try FileSystem.remove(bench.directory.path("b.http"))
    let result = try await bench.postkit("run", "--history", id)
    #expect(result.status == 0 && result.errorOutput.contains("b.http is gone"))
    #expect(last(bench).hasPrefix("POST /kept "))
    #expect(bench.server.requests.map(\.body).map { $0 == Array("body".utf8) } == [true, true])
  }

  @Test func `a stored request is sent from its collection, with the secrets of now`()
    async throws
  {
    let bench = try Bench(["a.http": "### pay\nGET $URL/{{path}}\nX-Key: {{token}}\n"])
    let place = ["--env", "live", "--collection", "Shop"]
    for words in [
      ["save", "a.http", "--to", "Shop"], ["set", "path=one"] + place,
      ["set", "token=first-secret", "--secret"] + place, ["send", "Shop/pay", "-e", "live"],
      ["set", "token=second-secret"] + place,
    ] {
      let done = try await bench.postkit(["collections"] + words)
      #expect(done.status == 0, "\(words): \(done.errorOutput)")
    }
    let id = try #require(try await bench.history().first?["id"]?.string)
    let result = try await bench.postkit("run", "--history", id)
    #expect(result.status == 0 && result.errorOutput.contains("200 OK"))
    #expect(!result.errorOutput.contains("gone"), "\(result.errorOutput)")
    #expect(last(bench).hasPrefix("GET /one ") && last(bench).contains("X-Key: second-secret"))
    let names = try await bench.history().map { $0["file"]?.string }
    #expect(names.count == 2 && names[0] == names[1])

    try bench.write("a.http", "### pay\nGET $URL/other\n")
    _ = try await bench.postkit("collections", "save", "a.http", "--to", "Shop")
    let changed = try await bench.postkit("run", "--history", id)
    #expect(changed.status == 0)
    #expect(changed.errorOutput.contains("the stored request `pay` has changed since"))
    #expect(last(bench).hasPrefix("GET /one "))
  }

  @Test func `a stored request that is gone is sent as it was kept, and that is said`()
    async throws
  {
    let bench = try Bench(["a.http": "### pay\nGET $URL/kept\n"])
    for words in [
      ["save", "a.http", "--to", "Shop"], ["send", "Shop/pay"], ["delete", "Shop/pay"],
      ["undo", "--purge"],
    ] {
      #expect(try await bench.postkit(["collections"] + words).status == 0)
    }
    let id = try #require(try await bench.history().first?["id"]?.string)
    let result = try await bench.postkit("run", "--history", id)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("the stored request `pay` is gone"))
    #expect(bench.server.requests.map(\.target) == ["/kept", "/kept"])
  }

  @Test func `a deleted stored request is sent with its collection as long as it can come back`()
    async throws
  {
    let bench = try Bench(["a.http": "### pay\nGET $URL/{{path}}\n"])
    for words in [
      ["save", "a.http", "--to", "Shop/in"],
      ["set", "path=one", "--env", "local", "--collection", "Shop"],
      ["set", "pin=hush-hush", "--secret", "--env", "local", "--collection", "Shop"],
      ["defaults", "Shop", "--header", "X-Pin: {{pin}}"], ["use", "Shop", "local"],
      ["send", "Shop/in/pay"], ["delete", "Shop/in/pay"],
    ] {
      #expect(try await bench.postkit(["collections"] + words).status == 0, "\(words)")
    }
    let id = try #require(try await bench.history().first?["id"]?.string)
    let alone = try await bench.postkit("run", "--history", id)
    #expect(alone.status == 0, "\(alone.errorOutput)")
    #expect(alone.errorOutput.contains("the stored request `pay` is deleted"))
    #expect(!alone.errorOutput.contains("is gone"), "\(alone.errorOutput)")
    // Its folder and its collection are deleted one after the other.
    for words in [["delete", "Shop/in"], ["delete", "Shop", "--force"]] {
      #expect(try await bench.postkit(["collections"] + words).status == 0, "\(words)")
    }
    let all = try await bench.postkit("run", "--history", id)
    #expect(all.status == 0, "\(all.errorOutput)")
    #expect(bench.server.requests.map(\.target) == ["/one", "/one", "/one"])
    #expect(bench.server.requests.flatMap { $0.values("x-pin") }.count == 3)
    let listed = try await bench.postkit("collections", "--json")
    #expect(listed.output == "[]\n", "\(listed.output)")
    #expect(try await bench.postkit("collections", "undo", "--purge").status == 0)
    let gone = try await bench.postkit("run", "--history", id)
    #expect(gone.status == 3, "\(gone.errorOutput)")
    #expect(gone.errorOutput.contains("the stored request `pay` is gone"))
    #expect(bench.server.requests.count == 3)
  }

  @Test func `without its collection's environment it takes variables, and that is said`()
    async throws
  {
    let bench = try Bench(["a.http": "### pay\nGET $URL/{{path}}\n"])
    for words in [
      ["save", "a.http", "--to", "Shop"],
      ["set", "path=one", "--env", "local", "--collection", "Shop"],
      ["send", "Shop/pay", "-e", "local"], ["delete", "Shop/pay"], ["undo", "--purge"],
    ] {
      #expect(try await bench.postkit(["collections"] + words).status == 0, "\(words)")
    }
    let id = try #require(try await bench.history().first?["id"]?.string)
    let missing = try await bench.postkit("run", "--history", id)
    #expect(missing.status == 3, "\(missing.errorOutput)")
    #expect(missing.errorOutput.contains("sent with the environment `local`; give what it needs"))
    #expect(bench.server.requests.map(\.target) == ["/one"])
    let given = try await bench.postkit("run", "--history", id, "--var", "path=two")
    #expect(given.status == 0, "\(given.errorOutput)")
    #expect(bench.server.requests.map(\.target) == ["/one", "/two"])
  }

  @Test func `what does not go together is said`() async throws {
    let (bench, id) = try await sent()
    for (words, message) in [
      (["a.http", "--history", id], "combined with a file or another choice"),
      (["--history", id, "--all"], "combined with a file or another choice"),
      (["--history", "0123456789"], "exchange `0123456789` not found"),
    ] {
      let result = try await bench.postkit(["run"] + words)
      #expect(result.status == 2 && result.errorOutput.contains(message), "\(words)")
    }
  }

  @Test func `bytes that are no UTF-8 are sent again and exported as they were`() async throws {
    let bench = try Bench()
    let path = bench.directory.path("a.http")
    let text = "### a\nPOST \(bench.server.url())a\n\n"
    let body = Array("caf".utf8) + [0xE9] + Array(" au lait".utf8)
    try FileSystem.write(Array(text.utf8) + body + [0x0A], to: path)
    #expect(try await bench.postkit("run", "a.http").status == 0)
    let id = try #require(try await bench.history().first?["id"]?.string)
    let exported = try await bench.postkit(
      "export", "history", "--format", "http", "--output", "b.http")
    #expect(exported.status == 0)
    let same = try await bench.postkit("run", "--history", id)
    #expect(same.status == 0 && !same.errorOutput.contains("sent as it was kept"))
    try FileSystem.remove(path)
    #expect(try await bench.postkit("run", "--history", id).status == 0)
    #expect(try await bench.postkit("run", "b.http").status == 0)
    #expect(bench.server.requests.map(\.body) == Array(repeating: body, count: 4))
  }

  @Test(arguments: [["run", "--history", "0123456789"], ["history", "show", "0123456789"]])
  func `a damaged history is told of, whatever was asked`(words: [String]) async throws {
    let bench = try Bench()
    try FileSystem.makeDirectory(bench.store)
    try bench.directory.write("store/history.sqlite", String(repeating: "no database ", count: 99))
    let result = try await bench.postkit(words)
    #expect(result.status == 2)
    #expect(result.errorOutput.contains("set-aside"), "\(result.errorOutput)")
  }
}
