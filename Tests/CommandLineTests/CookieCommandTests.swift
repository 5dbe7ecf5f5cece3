// `postkit cookies` and `postkit session`: what outlives a run, seen and taken away by hand.

import Libc
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct CookieCommandTests {
  private static let files = [
    "api/a.http": """
      ### login
      GET $URL/login

      ### me
      @global.count = seven
      @global.apiKey = session-canary-2
      GET $URL/me

      """,
    "api/http-client.env.json": #"{"dev": {}, "prod": {}}"#,
    "api/postkit.json": #"{"persistGlobals": true}"#,
  ]

  /// A bench whose requests were sent in two environments.
  private func filled() async throws -> Bench {
    let bench = try Bench(Self.files) { request in
      [
        .response(
          headers: request.target == "/login"
            ? ["Set-Cookie: sid=cookie-canary-1; HttpOnly",
              "Set-Cookie: theme=dark; Path=/api; Expires=Fri, 01 Jan 2100 00:00:00 GMT"] : [])
      ]
    }
    for words in [["--name", "login", "-e", "dev"], ["--name", "login"], ["--name", "me", "-e", "dev"]] {
      #expect(try await bench.postkit(["run", "api/a.http"] + words).status == 0)
    }
    return bench
  }

  private func shown(_ result: SubprocessResult, _ bench: Bench) -> String {
    result.output.replacingOccurrences(of: bench.directory.path, with: "$HOME")
  }

  @Test func `cookies are listed by folder and environment, values hidden`() async throws {
    let bench = try await filled()
    let list = try await bench.postkit("cookies")
    #expect(list.status == 0)
    expect(
      shown(list, bench),
      is: """
        $HOME/api
          127.0.0.1                 /  sid=••••••  until it is deleted  http only
          127.0.0.1                 /api  theme=••••••  until 2100-01-01 00:00:00
        $HOME/api  (dev)
          127.0.0.1                 /  sid=••••••  until it is deleted  http only
          127.0.0.1                 /api  theme=••••••  until 2100-01-01 00:00:00

        """)
    let revealed = try await bench.postkit(
      "cookies", "--reveal", "--env", "dev", "--path", "/", "--folder", "api/", "--domain", "127.0.0.1")
    #expect(revealed.output.contains("sid=cookie-canary-1"))
    #expect(revealed.output.split(separator: "\n").count == 2)
    #expect(try await bench.postkit("cookies", "--domain", "x").output == "No matching cookies.\n")
  }

  @Test func `cookies as JSON have all members, and values only when they are asked for`()
    async throws
  {
    let bench = try await filled()
    let hidden = try Bench.json(try await bench.postkit("cookies", "--json").output).elements
    #expect(hidden.map { $0["environment"] } == [.null, .null, "dev", "dev"])
    #expect(hidden.allSatisfy { $0["value"] == .null && $0["masked"] == true })
    let words = ["cookies", "--json", "--reveal", "--env", ""]
    let rows = try Bench.json(try await bench.postkit(words).output).elements
    #expect(rows.count == 2)
    #expect(
      rows.last == [
        "folder": .string(bench.directory.path("api")), "environment": .null,
        "domain": "127.0.0.1", "path": "/api", "name": "theme", "value": "dark", "masked": false,
        "expires": "2100-01-01T00:00:00.000Z", "subdomains": false, "secure": false,
        "httpOnly": false,
      ])
  }

  @Test func `a deleted cookie is not sent again`() async throws {
    let bench = try await filled()
    let several = try await bench.postkit("cookies", "delete", "sid")
    #expect(several.status == 2)
    #expect(several.errorOutput.contains("cookie `sid` is ambiguous"))
    #expect(!several.errorOutput.contains("canary"))
    let deleted = try await bench.postkit("cookies", "delete", "sid", "--env", "dev")
    #expect(deleted.output == "Deleted 1 cookie.\n")
    let absent = try await bench.postkit("cookies", "delete", "sid", "--env", "dev")
    #expect(absent.status == 2)
    #expect(absent.errorOutput.contains("cookie `sid` not found"))
    for words in [["-e", "dev"], []] {
      #expect(try await bench.postkit(["run", "api/a.http", "--name", "me"] + words).status == 0)
    }
    let cookies = bench.server.requests.map { $0.values("Cookie") }
    #expect(cookies == [[], [], ["sid=cookie-canary-1"], [], ["sid=cookie-canary-1"]])
    let cleared = try await bench.postkit("cookies", "clear", "--domain", "127.0.0.1")
    #expect(cleared.output == "Deleted 3 cookies.\n")
    #expect(try await bench.postkit("cookies", "clear", "--all").output == "Deleted 0 cookies.\n")
    let bytes = try Bench.bytes(below: bench.store)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("cookie-canary-1"))
  }

  @Test func `session values are listed with what they are`() async throws {
    let bench = try await filled()
    expect(
      shown(try await bench.postkit("session"), bench),
      is: """
        $HOME/api  (dev)
          global:apiKey             ••••••                    a global that requests have set
          global:count              "seven"                   a global that requests have set

        """)
    let rows = try Bench.json(try await bench.postkit("session", "--json").output).elements
    #expect(rows.map { $0["masked"] } == [true, false])
    #expect(rows.map { $0["value"] } == [.null, #""seven""#])
    #expect(rows.map { $0["kind"] } == ["global", "global"])
    #expect(rows.map { $0["name"] } == ["apiKey", "count"])
    let revealed = try await bench.postkit("session", "--reveal", "--folder", "api")
    #expect(revealed.output.contains("session-canary-2"))
    #expect(
      try await bench.postkit("session", "--env", "prod").output
        == "No matching values.\n")
  }

  @Test func `a session value is forgotten by its key, or all are`() async throws {
    let bench = try await filled()
    let absent = try await bench.postkit("session", "forget", "global:count", "trust")
    #expect(absent.status == 2)
    #expect(absent.errorOutput.contains("key `trust` not found, and nothing was forgotten"))
    let forgotten = try await bench.postkit("session", "forget", "global:count", "--env", "dev")
    #expect(forgotten.output == "Forgot 1 value.\n")
    #expect(try await bench.postkit("session", "forget", "--all").output == "Forgot 1 value.\n")
    #expect(
      try await bench.postkit("session").output
        == "Nothing is stored yet. Answers, globals, trust and environments appear here.\n")
    #expect(try await !bench.history().isEmpty)
    #expect(try await !bench.postkit("cookies", "--json").output.hasPrefix("[]"))
  }

  @Test(
    "what can't be understood changes nothing",
    arguments: [
      "cookies eat", "cookies delete", "cookies delete a b", "cookies delete a --all",
      "cookies clear", "cookies clear --all --domain x", "cookies clear x --all",
      "cookies clear --all --json", "cookies --all", "session list", "session forget",
      "session forget x --all", "session forget --all --json", "session --all",
      "session --domain x",
    ])
  func usage(_ line: String) async throws {
    let bench = try Bench()
    let words = line.split(separator: " ").map(String.init)
    let result = try await bench.postkit(words)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.contains("Usage: postkit \(words[0])"))
  }

  @Test(arguments: [["cookies", "--json"], ["session", "--json"]])
  func `a damaged, a newer and a held store are told as by other subcommands`(
    words: [String]
  ) async throws {
    let bench = try Bench()
    try bench.directory.write("store/history.sqlite", String(repeating: "garbage", count: 1_000))
    let damaged = try await bench.postkit(words)
    #expect(damaged.status == 0)
    #expect(damaged.output == "[]\n")
    #expect(damaged.errorOutput.contains("history.sqlite.set-aside-"))

    // The format stands at byte 60; the log is emptied first, so that it stands nowhere else.
    #expect(try await bench.postkit("cookies", "clear", "--all").status == 0)
    let format = "printf '\\000\\%s' | dd of=store/history.sqlite bs=1 seek=60 conv=notrunc"
    for (version, status) in [("001\\377\\377", 0), ("002\\000\\000", 5)] {
      _ = try await bench.shell(format.replacingOccurrences(of: "%s", with: version))
      let newer = try await bench.postkit(words)
      #expect(newer.status == Int32(status), "\(newer.errorOutput)")
      if status == 5 { #expect(newer.errorOutput.contains("A newer PostKit wrote")) }
    }

    let lock = open(bench.store + "/store.lock", O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    let held = try await bench.postkit(words)
    flock(lock, LOCK_UN)
    close(lock)
    #expect(held.status == 5)
    #expect(held.errorOutput.contains("Another PostKit has held"))
  }
}
