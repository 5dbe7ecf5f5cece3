// Every entry of the table does what a line of `Entries` says of it.

import PostKitLanguage
import PostKitScripting
import Testing

extension EngineTests {
  @Suite(.timeLimit(.minutes(5))) struct EntryTests {
    static let files = ["jetbrains", "httpyac", "node", "postman", "bruno"]

    @Test(arguments: files) func `entries do what their lines say`(file: String) async throws {
      let bench = try await ScriptBench()
      for item in try EntryCase.all(of: file) {
        if let mistake = await item.mistake(bench) { Issue.record("\(mistake)") }
      }
      await bench.session.close()
    }

    @Test func `every entry has a line, and every line an entry`() throws {
      let lines = Set(try Self.files.flatMap { try EntryCase.all(of: $0).flatMap(\.paths) })
      // Types are reached by their members alone.
      let entries = Set(ScriptAPI.entries.map(\.path))
      #expect(entries.subtracting(lines).sorted() == [])
      #expect(lines.subtracting(entries).sorted() == [])
    }

    /// Functions that turn whatever they get into text, as the tools and the web do, and those that
    /// always throw or do nothing.
    private static let lenient: Set<String> = [
      "client.test", "test", "test.header", "test.headerContains", "pm.test", "pm.test.skip",
      "atob", "btoa", "Window.atob", "Window.btoa", "Buffer.isEncoding", "ReadOnlyVariables.set",
      "pm.visualizer.set", "pm.vault.get", "pm.vault.set", "pm.vault.unset",
      "ResponseHeaders.valueOf", "client.assert.bodyHas", "assert.bodyHas", "$requestClient.send",
    ]

    @Test func `functions say what they are and what they got`() async throws {
      let bench = try await ScriptBench()
      for entry in ScriptAPI.entries where !Self.lenient.contains(entry.path) {
        guard let first = entry.signatures.first?.parameters.first, first.type == "string",
          !first.isOptional, !first.isRest, let call = TableTests.text(of: entry, .jetbrains)
        else { continue }
        let isBefore = entry.phases.isDisjoint(with: .response)
        let result = await bench.run("await \(call)()", isBefore ? .pre : .response)
        let path = call.replacing("()", with: "").replacing("client.assert.", with: "assert.")
        let error = (result.error ?? "nothing").replacing("()", with: "")
        #expect(
          error.contains(": TypeError: \(path): the ")
            && error.hasSuffix(" must be a string, got undefined"),
          "\(call)() gives \(error)")
      }
      await bench.session.close()
    }

    @Test func `what a phase has not is not there`() async throws {
      let bench = try await ScriptBench()
      let imports = await bench.run("client.log(typeof request, typeof response)", .imports)
      #expect(imports.output == ["undefined undefined"])
      for name in ["exports", "module", "__filename", "__dirname"] {
        #expect(await bench.evaluate("typeof \(name)") == "\"undefined\"", "\(name)")
      }
      for phase in [ScriptPhase.pre, .request, .response, .logging, .after] {
        let result = await bench.run("client.log(typeof $requestClient)", phase)
        #expect(result.output == ["undefined"], "\(phase)")
      }
      for phase in [ScriptPhase.pre, .request] {
        let names = ["response", "pm.response", "res", "responseBody", "responseCode"]
        let script = names.map { "typeof \($0)" }.joined(separator: ", ")
        let result = await bench.run("client.log([\(script)].join())", phase)
        #expect(result.output == [names.map { _ in "undefined" }.joined(separator: ",")])
      }
      await bench.session.close()
    }
  }
}
