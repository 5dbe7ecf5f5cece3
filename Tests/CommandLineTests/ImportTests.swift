// `postkit import` and `postkit export collection`: folders there and back.

import Foundation
import PostKitJSON
import PostKitStore
import PostKitSupport
import PostKitTestSupport
@testable import PostKitTransfer
import Testing

@Suite struct ImportTests {
  private func filled() throws -> Bench {
    try Bench([
      "api/users.http": "@host = $URL\n\n### list\nGET {{host}}/users\n\n### one\nGET {{host}}/1\n",
      "api/deep/health.http": "### health\nGET {{base}}/health\n",
      "api/http-client.env.json": #"{"dev": {"base": "$URL"}}"#, "api/notes.txt": "x",
    ])
  }

  /// The paths and contents of a folder's files.
  private func contents(_ bench: Bench, _ folder: String) async throws -> String {
    try await bench.shell("cd \(folder) && find . -type f | sort | xargs tail -n +1").output
  }

  @Test func `a folder becomes a collection whose requests are sent`() async throws {
    let bench = try filled()
    let result = try await bench.postkit("import", "api")
    #expect(result.status == 0 && result.output == "Imported 3 requests into `api`.\n")
    #expect(result.errorOutput.contains("notes.txt is left out: collections have no place for it"))
    #expect(try await bench.postkit("collections", "send", "api/users/one").status == 0)
    let health = try await bench.postkit("collections", "send", "api/deep/health", "-e", "dev")
    #expect(health.status == 0, "\(health.errorOutput)")
    let lines = bench.server.requests.map { $0.lines.first }
    #expect(lines == ["GET /1 HTTP/1.1", "GET /health HTTP/1.1"])
  }

  @Test func `a text that is no request is refused with what is expected`() async throws {
    let texts = [
      "prose": "Dear diary,\ntoday I wrote code.\n", "end": "Done.\n", "word": "hello\n",
      "postman": #"{"info": {"name": "x"}, "item": []}"#, "page": "<html>a.b</html>\n",
      "comment": "# nothing yet\n", "shout": "HELLO world\n",
    ]
    let bench = try Bench()
    for (name, text) in texts {
      try bench.write("\(name).http", text)
      let result = try await bench.postkit("import", "\(name).http")
      #expect(result.status == 2, "\(name)")
      #expect(
        result.errorOutput
          == "postkit: \(name).http has no request. Give one with a line such as "
          + "`GET https://example.com`, a curl command or a URL.\n")
    }
    try bench.write("notes.txt", "GET https://a.test/\n")
    let other = try await bench.postkit("import", "notes.txt")
    #expect(other.status == 2)
    #expect(other.errorOutput.contains("notes.txt is in no format that PostKit reads"))
    let meant = [
      "get https://a.test/", "curl https://a.test", "localhost:8080/x", "a.test", "{{host}}/a",
      "/orders\nHost: a.test", "PURGE a.test/x", "[::1]:80/",
    ]
    for (number, text) in meant.enumerated() {
      try bench.write("\(number).http", text + "\n")
      #expect(try await bench.postkit("import", "\(number).http").status == 0, "\(text)")
    }
  }

  @Test func `what is exported is imported as the same again`() async throws {
    let bench = try filled()
    _ = try await bench.postkit("import", "api")
    let first = try await bench.postkit("export", "collection", "api", "--output", "out")
    #expect(first.status == 0, "\(first.errorOutput)")
    #expect(FileSystem.mode(bench.directory.path("out/users/list.http")) == 0o600)
    let again = try await bench.postkit("import", "out", "--name", "again")
    #expect(again.status == 0 && again.errorOutput.isEmpty)
    let second = try await bench.postkit("export", "collection", "again", "--output", "out2")
    #expect(second.status == 0)
    let texts = (try await contents(bench, "out"), try await contents(bench, "out2"))
    #expect(texts.0 == texts.1.replacing(#""name": "again""#, with: #""name": "api""#))
  }

  @Test func `an export is brought up to date only when that is asked for`() async throws {
    let bench = try filled()
    _ = try await bench.postkit("import", "api")
    let line = ["export", "collection", "api", "--output", "out"]
    #expect(try await bench.postkit(line).status == 0)
    try bench.write("out/own.txt", "mine")
    let refused = try await bench.postkit(line)
    #expect(refused.status == 2 && refused.errorOutput.contains("`--force`"))
    #expect(try await bench.postkit("collections", "delete", "api/users/one").status == 0)
    #expect(try await bench.postkit(line + ["--force"]).status == 0)
    #expect(!FileSystem.exists(bench.directory.path("out/users/one.http")))
    #expect(FileSystem.exists(bench.directory.path("out/users/list.http")))
    #expect(try bench.directory.read("out/own.txt") == "mine")
  }

  @Test func `others write while an import goes on, and a broken off one goes on`() async throws {
    let bench = try Bench()
    let collection = ImportedCollection(
      name: "Large",
      requests: (0..<1_000).map { ImportedRequest(source: "### r\($0)\nGET /\($0)\n") })
    for file in RequestFolderWriter.files(of: collection).files {
      try bench.directory.write("in/\(file.path)", bytes: file.bytes)
    }
    let store = try await Store.open(StoreLocation(directory: bench.store))
    let importing = CollectionImport(of: collection, into: store) {
      StoredRequestContent(
        source: $0.source, name: String($0.source.dropFirst(4).prefix { $0 != "\n" }),
        method: "GET", url: "/")
    }
    var statuses: [Int32?] = []
    let failure = await #expect(throws: ImportFailure.self) {
      try await importing.run(replaces: false) { progress in
        guard progress.done > 300 else { return }
        let other = try? await bench.postkit("collections", "create", "Other")
        statuses.append(other?.status)
        // As if the process were killed between two transactions.
        await store.close()
      }
    }
    #expect(statuses == [0])
    #expect(failure?.message.contains("of 1000 requests are in the collection `Large`") == true)
    let result = try await bench.postkit("import", "in")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output == "Imported 501 requests into `Large`; 499 existed already.\n")
    let listed = try await bench.postkit("collections", "--json")
    #expect(
      try Bench.json(listed.output).elements.map { $0["name"]?.string } == ["Large", "Other"])
    let refused = try await bench.postkit("import", "in")
    #expect(refused.status == 2 && refused.errorOutput.contains("`--force` overwrites it"))
    let forced = try await bench.postkit("import", "in", "--force")
    #expect(forced.output == "Imported 1000 requests into `Large`.\n")
  }

  @Test func `what has gone from a folder stays in the collection, and is counted`() async throws {
    let bench = try filled()
    #expect(try await bench.postkit("import", "api").status == 0)
    let same = try await bench.postkit("import", "api", "--force")
    #expect(!same.errorOutput.contains("not among those imported"))
    try FileSystem.remove(bench.directory.path("api/deep/health.http"))
    let one = try await bench.postkit("import", "api", "--force")
    #expect(one.status == 0 && one.output == "Imported 2 requests into `api`.\n")
    #expect(
      one.errorOutput.contains(
        "1 request of the collection `api` is not among those imported; it stays until somebody "
          + "deletes it."))
    try bench.write("api/users.http", "### other\nGET $URL/other\n\n### one\nGET $URL/one\n")
    let two = try await bench.postkit("import", "api", "--force")
    #expect(two.errorOutput.contains("2 requests of the collection `api` are not among"))
    #expect(two.errorOutput.contains("until somebody deletes them."))
    #expect(try await bench.postkit("collections", "send", "api/users/one").status == 0)
    #expect(try await bench.postkit("collections", "send", "api/deep/health").status != 2)
    #expect(bench.server.requests.first?.target == "/one")
    #expect(try await bench.postkit("collections", "delete", "api/deep/health").status == 0)
    #expect(try await bench.postkit("collections", "delete", "api/users/list").status == 0)
    let none = try await bench.postkit("import", "api", "--force")
    #expect(!none.errorOutput.contains("not among those imported"))
  }

  @Test func `an interrupted import says how far it came, and a second one adds the rest`()
    async throws
  {
    // An import that has ended before anybody could interrupt it says nothing; the next one is
    // twice as long.
    for attempt in 0..<5 {
      if try await interruptsImport(of: 4_000 << attempt) { return }
    }
    Issue.record("each import has ended before it was interrupted")
  }

  /// Imports so many requests, interrupts that and repeats it; `false` where the first import had
  /// ended before.
  private func interruptsImport(of total: Int) async throws -> Bool {
    let bench = try Bench()
    let body = String(repeating: "x", count: 2_000)
    for number in 0..<total {
      let text = "### r\(number)\nPOST /\(number)\n\n\(body)\n"
      try bench.directory.write("in/r\(number).http", text)
    }
    let store = try await Store.open(StoreLocation(directory: bench.store))
    let status = try await interruptedImport(bench)
    if status.code == 0 { return false }
    #expect(status.code == 130)
    let done = try await store.fetch(FetchDescriptor<Model.HTTPRequest>()).count
    #expect(done > 0 && done < total)
    #expect(
      status.told.contains(
        "The import was cancelled. \(done) of \(total) requests are in the collection `in`; repeat "
          + "the import to add the others."))
    let rest = try await bench.postkit("import", "in")
    #expect(
      rest.output == "Imported \(total - done) requests into `in`; \(done) existed already.\n",
      "\(rest.errorOutput)")
    #expect(try await bench.postkit("export", "collection", "in", "--output", "out").status == 0)
    let differences = try await bench.shell("diff -r -x postkit-folder.json in out")
    #expect(differences.status == 0 && differences.output.isEmpty)
    return true
  }

  /// How an import ends that is interrupted once it has written something, and what it says.
  private func interruptedImport(_ bench: Bench) async throws -> (code: Int32?, told: String) {
    let process = try ChildProcess(
      Bench.program, ["import", "in"], directory: bench.directory.path,
      environment: ProcessEnvironment.all.merging(["POSTKIT_HOME": bench.store]) { $1 })
    defer { for stream in [process.input, process.output, process.error] { close(stream) } }
    // On a thread of its own, as the import doesn't wait for the tests that run beside this one.
    await SerialQueueExecutor().perform {
      let log = bench.store + "/collections.sqlite-wal"
      let end = Clock.monotonicMicroseconds + 60_000_000
      // There is no log at first, and none once the import has ended.
      while (try? FileSystem.size(log)) ?? 0 < 500_000, process.end(withinSeconds: 0) == nil,
        Clock.monotonicMicroseconds < end
      {}
      process.send(signal: SIGSTOP)
    }
    process.send(signal: SIGINT)
    process.send(signal: SIGCONT)
    let code = await SerialQueueExecutor().perform { process.waitForEnd(timeoutSeconds: 60) }
    if code == nil { process.send(signal: SIGKILL) }
    let told = FileHandle(fileDescriptor: process.error, closeOnDealloc: false)
      .readDataToEndOfFile()
    return (code, String(decoding: told, as: UTF8.self))
  }

  @Test func `a killed export leaves nothing once the next one has come`() async throws {
    let bench = try filled()
    _ = try await bench.postkit("import", "api")
    let left = ".postkit-new-019f0a1b-2c3d-7e4f-8a5b-6c7d8e9f0a1c"
    // What is there between the first file and the last.
    try bench.write("\(left)/users/list.http", "GET /\n")
    try bench.write("out/\(left)/users/list.http", "GET /\n")
    let export = ["export", "collection", "api", "--force", "--output"]
    for folder in ["new", "new", "out"] {
      #expect(try await bench.postkit(export + [folder]).status == 0)
    }
    for folder in ["", "out", "new"] {
      let names = try FileSystem.list(bench.directory.path(folder))
      #expect(!names.contains { $0.hasPrefix(".postkit-new") }, "\(folder): \(names)")
    }
    _ = try await bench.shell("ln -s nowhere link")
    let refused = try await bench.postkit(export + ["link"])
    #expect(refused.status == 5 && refused.errorOutput.contains("link is a link to another place"))
  }

  @Test func `values of private variables are kept apart and never exported`() async throws {
    let canary = "canary-of-an-import-55"
    let bench = try Bench([
      "api/pay.http": "### pay\nGET $URL/pay?t={{token}}\n",
      "api/http-client.env.json": #"{"live": {"host": "a.test"}}"#,
      "api/http-client.private.env.json": #"{"live": {"token": "\#(canary)"}}"#,
    ])
    func holds(_ bytes: [UInt8]) -> Bool { String(decoding: bytes, as: UTF8.self).contains(canary) }
    let trace = ["POSTKIT_SQL_TRACE": "1"]
    let imported = try await bench.postkit(["import", "api"], environment: trace)
    #expect(imported.status == 0 && !holds(imported.standardError + imported.standardOutput))
    let sent = try await bench.postkit("collections", "send", "api/pay", "-e", "live")
    #expect(sent.status == 0, "\(sent.errorOutput)")
    #expect(bench.server.requests.map(\.target) == ["/pay?t=\(canary)"])
    let exported = try await bench.postkit("export", "collection", "api", "--output", "out")
    #expect(exported.errorOutput.contains("`token` in `live` are secrets and are not written"))
    #expect(!holds(try Bench.bytes(below: bench.directory.path("out"))))
    #expect(!holds(exported.standardError))
    // Where it is exported to, its value is set anew; here the import finds it again.
    let again = try await bench.postkit("import", "out", "--force")
    #expect(again.status == 0, "\(again.errorOutput)")
    #expect(try await bench.postkit("collections", "send", "api/pay", "-e", "live").status == 0)
    #expect(bench.server.requests.last?.target == "/pay?t=\(canary)")
    let secrets = bench.store + "/secrets.json"
    #expect(holds(try FileSystem.read(path: secrets, limit: 1 << 20)))
    try FileSystem.remove(secrets)
    #expect(!holds(try Bench.bytes(below: bench.store)))
  }

  @Test func `a secret that is set anew stays out of the database`() async throws {
    let canary = "canary-set-anew-19"
    let bench = try Bench([
      "api/pay.http": "### pay\nGET $URL/pay?t={{token}}\n",
      "api/http-client.env.json": #"{"live": {"token": "replace me"}}"#,
      "api/http-client.private.env.json": #"{"live": {"token": "first"}}"#,
    ])
    #expect(try await bench.postkit("import", "api").status == 0)
    let set = try await bench.postkit(
      "collections", "set", "token=\(canary)", "--collection", "api", "--env", "live")
    #expect(set.status == 0, "\(set.errorOutput)")
    #expect(try await bench.postkit("collections", "send", "api/pay", "-e", "live").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/pay?t=\(canary)"])
    try FileSystem.remove(bench.store + "/secrets.json")
    let bytes = try Bench.bytes(below: bench.store)
    #expect(!String(decoding: bytes, as: UTF8.self).contains(canary))
  }

  @Test func `what is of another tool is sent from the store, whatever lay beside it`()
    async throws
  {
    let bench = try Bench([
      "from/a.json": #"{"a": 1}"#,
      "from/shop.har": """
        {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
          {"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "POST",
           "url": "$URL/b", "headers": [{"name": "Content-Type", "value": "application/json"}],
           "postData": {"mimeType": "application/json", "text": "{\\"b\\": \\"{{x}}\\"}"}}}]}}
        """,
      "from/shop.json": """
        {"info": {"name": "Shop",
          "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
         "event": [{"listen": "prerequest", "script": {"exec": ["var a = 1;", "a += 1;"]}}],
         "item": [{"name": "In", "item": [{"name": "A", "request": {"method": "POST",
           "url": "$URL/a", "body": {"mode": "file", "file": {"src": "a.json"}}}}]}]}
        """,
    ])
    for (source, path, body) in [
      ("from/shop.json", "Shop/In/A", #"{"a": 1}"#),
      ("from/shop.har", "Har/\(bench.server.url().dropFirst(7))POST /b", #"{"b": "{{x}}"}"#),
    ] {
      let name = path.prefix { $0 != "/" }
      let made = try await bench.postkit("import", source, "--collection", "--name", "\(name)")
      #expect(made.status == 0, "\(made.errorOutput)")
      let sent = try await bench.postkit("collections", "send", path)
      #expect(sent.status == 0, "\(sent.errorOutput)")
      #expect(bench.server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == body)
    }
  }

  @Test func `an imported request finds the files beside it`() async throws {
    let bench = try Bench([
      "api/deep/two.http": "### a\nPOST $URL/a\n\n< ./a.json\n\n### b\nPOST $URL/b\n\n< ./b.json\n",
      "api/deep/a.json": #"{"a": 1}"#, "api/deep/b.json": #"{"b": 1}"#,
      "one.http": "### c\nPOST $URL/c\n\n< ./c.json\n", "c.json": #"{"c": 1}"#,
    ])
    #expect(try await bench.postkit("import", "api").status == 0)
    #expect(try await bench.postkit("import", "one.http").status == 0)
    for path in ["api/deep/two/a", "api/deep/two/b", "one/c"] {
      let sent = try await bench.postkit("collections", "send", path)
      #expect(sent.status == 0, "\(sent.errorOutput)")
    }
    let bodies = bench.server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == [#"{"a": 1}"#, #"{"b": 1}"#, #"{"c": 1}"#])
  }

  @Test func `remarks about files obey no terminal, and one file can be imported`() async throws {
    let bench = try filled()
    try bench.write("api/\u{1B}[31mred.txt", "x")
    try bench.directory.write("api/wide.http", bytes: [0xFF, 0xFE, 0x47, 0])
    _ = try await bench.shell("ln -s .. api/loop")
    let result = try await bench.postkit("import", "api", "--name", "odd")
    #expect(result.status == 0)
    #expect(result.errorOutput.contains(#"\x1B[31mred.txt is left out"#))
    #expect(result.errorOutput.contains("loop is left out: it is a link to a folder"))
    #expect(result.errorOutput.contains("wide.http is left out: it is UTF-16"))
    let file = try await bench.postkit("import", "api/users.http")
    #expect(file.output == "Imported 2 requests into `users`.\n")
    #expect(try await bench.postkit("collections", "send", "users/one").status == 0)
  }

  @Test func `an export to a place that takes none leaves nothing and says so`() async throws {
    let bench = try filled()
    try bench.write("api/big.http", "POST $URL/\n\n" + String(repeating: "x", count: 200_000))
    _ = try await bench.postkit("import", "api")
    let full = try await bench.shell(
      "ulimit -f 64; \"$POSTKIT\" export collection api --output out")
    #expect(full.status == 5 && full.errorOutput.contains("/out/POST"), "\(full.errorOutput)")
    #expect(!(try FileSystem.list(bench.directory.path).contains { $0.hasPrefix("out") }))
    for arguments in [
      ["export", "collection", "api", "--output", "/proc/out"],
      ["export", "history", "--format", "har", "--output", "/proc/out.har"],
    ] {
      let result = try await bench.postkit(arguments)
      #expect(result.status == 5 && result.errorOutput.contains("/proc/out"), "\(arguments)")
    }
  }

  @Test func `what can't be done is said`() async throws {
    let bench = try filled()
    try bench.write("empty/readme.txt", "")
    _ = try await bench.postkit("import", "api")
    for (words, message) in [
      (["import"], "name what is imported"), (["import", "none"], "doesn't exist"),
      (["import", "api/notes.txt"], "is in no format that PostKit reads"),
      (["import", "api", "empty"], "imported by themselves"),
      (["import", "empty"], "has no .http or .rest file"), (["import", "api"], "already"),
      (["export", "collection", "api"], "--output"),
      (["export", "collection", "none", "--output", "x"], "`none` not found"),
    ] {
      let result = try await bench.postkit(words)
      #expect(result.status == 2 && result.errorOutput.contains(message), "\(words)")
    }
  }
}
