// Tokens from one `postkit run` to the next, and among several at once (AU-40, AU-46, AU-50).

import Foundation
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct SignInRunTests {
  private static func files(_ more: String = "") -> [String: String] {
    [
      "postkit.json": "{}",
      "a.http": "### api\nGET $URL/api\nAuthorization: Bearer {{$auth.token(\"shop\")}}\n",
      "http-client.private.env.json": """
        {"dev": {"Security": {"Auth": {"shop": {
          "Type": "OAuth2", "Grant Type": "Client Credentials", "Client Credentials": "in body",
          "Token URL": "$URL/token", "Client ID": "cli", "Client Secret": "client-canary-1"\(more)
        }}}}}
        """,
    ]
  }

  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    guard request.target == "/token" else { return [.response(body: "ok")] }
    return [
      .response(
        headers: ["Content-Type: application/json"],
        body: #"{"access_token":"access-canary-1","expires_in":3600,"refresh_token":"r-canary-1"}"#)
    ]
  }

  private static func targets(_ bench: Bench) -> [String] { bench.server.requests.map(\.target) }

  @Test func `eight processes with nothing kept ask for one token`() async throws {
    let bench = try Bench(Self.files(), Self.answer)
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<8 {
        group.addTask { try await bench.postkit("run", "a.http", "-e", "dev").status }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(Self.targets(bench).count { $0 == "/token" } == 1)
    #expect(Self.targets(bench).count { $0 == "/api" } == 8)
    #expect(
      bench.server.requests.allSatisfy {
        $0.target == "/token" || $0.values("Authorization") == ["Bearer access-canary-1"]
      })
  }

  @Test func `what a process that was killed had begun is taken over by the next one`()
    async throws
  {
    let gate = StubGate()
    let count = Monitor(0)
    let bench = try Bench(Self.files()) { request in
      if request.target == "/token", count.update({ $0 += 1; return $0 }) == 1 { gate.wait() }
      return Self.answer(request)
    }
    let first = Task { try await bench.shell("echo $$ > pid; exec $POSTKIT run a.http -e dev") }
    _ = await bench.server.waitForRequests(1)
    let second = Task { try await bench.postkit("run", "a.http", "-e", "dev") }
    let pid = try #require(
      Int32(bench.directory.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(pid, SIGKILL)
    #expect(try await second.value.status == 0)
    _ = try await first.value
    gate.open()
    #expect(Self.targets(bench).count { $0 == "/token" } == 2)
  }

  @Test func `a token is kept for the next run, and not where nothing is to be kept`()
    async throws
  {
    let bench = try Bench(Self.files(), Self.answer)
    for words in [[], [], ["--no-history"]] {
      #expect(try await bench.postkit(["run", "a.http", "-e", "dev"] + words).status == 0)
    }
    #expect(Self.targets(bench) == ["/token", "/api", "/api", "/token", "/api"])
    let other = try Bench(
      Self.files().merging(["store/config.json": #"{"auth.store": "memory"}"#]) { $1 },
      Self.answer)
    for _ in 0..<2 {
      #expect(try await other.postkit("run", "a.http", "-e", "dev").status == 0)
    }
    #expect(Self.targets(other) == ["/token", "/api", "/token", "/api"])
  }

  @Test func `the history has the token request without secrets, and lists leave it out`()
    async throws
  {
    let bench = try Bench(Self.files(), Self.answer)
    let run = try await bench.postkit("run", "a.http", "-e", "dev")
    #expect(run.status == 0)
    #expect(try await bench.history().count == 1)
    let tokens = try await bench.history("--purpose", "token")
    #expect(tokens.count == 1 && tokens[0]["method"]?.string == "POST")
    let secrets = ["client-canary-1", "access-canary-1", "r-canary-1"]
    var shown = run.output + run.errorOutput
    for words in [[], ["--json"]] {
      let id = try #require(tokens[0]["id"]?.string)
      shown += try await bench.postkit(["history", "show", id] + words).output
    }
    // Values are in the file of secrets alone, where there is no keyring.
    try FileSystem.remove(FilePath.join(bench.store, "secrets.json"))
    let bytes = String(decoding: try Bench.bytes(below: bench.store), as: UTF8.self)
    for secret in secrets {
      #expect(!shown.contains(secret))
      #expect(!bytes.contains(secret))
    }
  }

  @Test func `a token that is handed in stands above everything`() async throws {
    let bench = try Bench(Self.files(), Self.answer)
    let run = ["run", "a.http", "-e", "dev"]
    #expect(try await bench.postkit(run + ["--var", "auth.shop=handed-1"]).status == 0)
    let handed = ["POSTKIT_TOKEN_SHOP": "handed-2"]
    #expect(try await bench.postkit(run, environment: handed).status == 0)
    #expect(
      bench.server.requests.map { $0.values("Authorization") } == [
        ["Bearer handed-1"], ["Bearer handed-2"],
      ])
  }

  @Test func `where nobody can be asked, the command says how to sign in`() async throws {
    var files = Self.files()
    files["http-client.private.env.json"] = """
      {"dev": {"Security": {"Auth": {"shop": {
        "Type": "OAuth2", "Grant Type": "Authorization Code", "Auth URL": "$URL/auth",
        "Token URL": "$URL/token", "Client ID": "cli"
      }}}}}
      """
    let bench = try Bench(files, Self.answer)
    let run = try await bench.postkit("run", "a.http", "-e", "dev", "--report", "json=r.json")
    #expect(run.status == 3)
    #expect(run.errorOutput.contains("postkit auth login a.http --id shop --env dev"))
    #expect(try bench.json("r.json")["error"]?.string == "auth-login-needed")
    #expect(bench.server.requests.isEmpty)
  }
}
