// Secret variables of stored environments: kept apart, sent, and nowhere else to be found.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct SecretVariableTests {
  private static let canary = "canary-of-a-variable-77"

  /// A stored request that uses a secret, which its server repeats.
  private func filled(_ environment: [String: String?] = [:]) async throws -> Bench {
    let bench = try Bench(
      ["a.http": "### pay\nPOST $URL/pay?t={{token}}\nX-Key: {{token}}\n\n<{{token}}>\n"]
    ) { request in
      let body = String(decoding: request.body, as: UTF8.self)
      let text = request.lines.joined(separator: "\n") + body
      return [.response(headers: ["Content-Type: text/plain"], body: text)]
    }
    for words in [
      ["save", "a.http", "--to", "Shop"],
      ["set", "token=\(Self.canary)", "--secret", "--env", "live", "--collection", "Shop"],
      ["use", "Shop", "live"],
    ] {
      let done = try await bench.postkit(["collections"] + words, environment: environment)
      #expect(done.status == 0, "\(done.errorOutput)")
    }
    return bench
  }

  private func holdsCanary(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(Self.canary)
  }

  @Test func `a secret variable is sent, and found nowhere but in its file`() async throws {
    let bench = try await filled()
    let sent = try await bench.postkit(
      ["collections", "send", "Shop/pay"], environment: ["POSTKIT_SQL_TRACE": "1"])
    #expect(sent.status == 0, "\(sent.errorOutput)")
    #expect(sent.output.contains("/pay?t=\(Self.canary)"))
    #expect(sent.output.contains("<\(Self.canary)>"))
    #expect(sent.errorOutput.contains("sql "))
    #expect(!holdsCanary(sent.standardError))
    let id = try #require(try await bench.history().first?["id"]?.string)
    for words in [
      ["collections", "--json"], ["collections", "environments", "--json"],
      ["collections", "show", "Shop/pay"], ["history", "show", id, "--json"],
      ["export", "history", "--format", "har"], ["export", "history", "--format", "jsonl"],
      ["export", "history", "--format", "http"], ["export", "history", "--format", "openapi"],
      ["doctor"],
    ] {
      let shown = try await bench.postkit(words)
      #expect(shown.status == 0, "\(words): \(shown.errorOutput)")
      #expect(!holdsCanary(shown.standardOutput + shown.standardError), "\(words)")
    }
    let path = bench.store + "/secrets.json"
    #expect(holdsCanary(try FileSystem.read(path: path, limit: 1 << 20)))
    #expect(FileSystem.mode(path) == 0o600)
    try FileSystem.rename(path, to: bench.directory.path("aside"))
    #expect(!holdsCanary(try Bench.bytes(below: bench.store)))
  }

  @Test func `a secret stays one until it is removed, and goes with its environment`()
    async throws
  {
    let bench = try await filled()
    let place = ["--env", "live", "--collection", "Shop"]
    let again = try await bench.postkit(["collections", "set", "token=second-value-88"] + place)
    #expect(again.status == 0)
    _ = try await bench.postkit("history", "forget", "--all")
    #expect(try bench.directory.read("store/secrets.json").contains("second-value-88"))
    let line =
      "printf 'third value\\n' | \"$POSTKIT\" collections set token --secret "
      + place.joined(separator: " ")
    #expect(try await bench.shell(line).status == 0)
    let sent = try await bench.postkit("collections", "send", "Shop/pay")
    #expect(sent.output.contains("<third value>"))
    let gone = try await bench.postkit(["collections", "delete", "--force"] + place)
    #expect(gone.status == 0, "\(gone.errorOutput)")
    #expect(try bench.directory.read("store/secrets.json").contains("third value"))
    #expect(try await bench.postkit("collections", "undo", "--purge").status == 0)
    expect(try bench.directory.read("store/secrets.json"), is: #"{"format":1,"secrets":{}}"#)
  }

  @Test func `doctor counts the values that no variable uses, and deletes them when asked to`()
    async throws
  {
    let bench = try await filled()
    #expect(try await !bench.postkit("doctor").output.contains("no variable uses"))
    let path = bench.store + "/secrets.json"
    let kept = try bench.directory.read("store/secrets.json")
    let more = #""secrets":{"01890000-0000-7000-8000-000000000001":"left-behind-31","#
    try FileSystem.write(
      Array(kept.replacing(#""secrets":{"#, with: more).utf8), to: path)
    let told = try await bench.postkit("doctor")
    #expect(told.status == 0 && told.output.contains("1 value that no variable uses"))
    #expect(told.output.contains("fix: Run: postkit doctor --delete-unused-secrets."))
    let mended = try await bench.postkit("doctor", "--delete-unused-secrets")
    #expect(mended.output.contains("deleted 1 value that no variable uses"))
    #expect(try bench.directory.read("store/secrets.json") == kept)
  }

  @Test func `a secret that this machine does not have is told`() async throws {
    let bench = try await filled()
    try FileSystem.remove(bench.store + "/secrets.json")
    let sent = try await bench.postkit("collections", "send", "Shop/pay")
    #expect(sent.status == 3)
    #expect(sent.errorOutput.contains("the secret variable `token` has no value on this machine"))
  }

  @Test func `a keyring keeps the secret in place of the file, and a locked one is told`()
    async throws
  {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let bench = try await keptInKeyring(place)
    // The first bus is gone, and with it the password that was given.
    let bus = try await SessionBus(in: place, .locked)
    let session: [String: String?] = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    let refused = try await bench.postkit(["collections", "send", "Shop/pay"], environment: session)
    #expect(refused.status == 5)
    #expect(refused.errorOutput.contains("keyring, which has a secret variable, is locked"))
    let locked = try await bench.postkit(["doctor"], environment: session)
    #expect(locked.output.contains("stored in the desktop's keyring, which is locked"))
  }

  /// Sends with a secret that a keyring keeps.
  private func keptInKeyring(_ place: TemporaryDirectory) async throws -> Bench {
    let bus = try await SessionBus(in: place, .unlocked)
    let session: [String: String?] = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    let bench = try await filled(session)
    let sent = try await bench.postkit(["collections", "send", "Shop/pay"], environment: session)
    #expect(sent.output.contains("<\(Self.canary)>"), "\(sent.errorOutput)")
    #expect(!FileSystem.exists(bench.store + "/secrets.json"))
    #expect(!holdsCanary(try Bench.bytes(below: bench.store)))
    let told = try await bench.postkit(["doctor"], environment: session)
    #expect(told.output.contains("secrets            stored in the desktop's keyring\n"))
    return bench
  }
}
