// The engine has what the table says, in every phase, and nothing more.

import PostKitJSON
import PostKitLanguage
import PostKitScripting
import Testing

extension EngineTests {
  @Suite(.timeLimit(.minutes(5))) struct TableTests {
    private static let phases: [(ScriptPhase, ScriptPhases)] = [
      (.imports, .imports), (.pre, .before), (.request, .request), (.streaming, .streaming),
      (.response, .response), (.logging, .logging), (.after, .after),
    ]
    /// How scripts get an instance of each type; the others exist in one form of scripts only.
    private static let instances: [String: String] = [
      "GlobalVariables": "client.global", "GlobalHeaders": "client.global.headers",
      "ReadOnlyVariables": "client.variables.environment", "RequestVariables": "request.variables",
      "RequestHeaders": "request.headers", "RequestHeader": "request.headers.all()[0]",
      "ResponseHeaders": "response.headers", "Cookie": "response.cookies()[0]",
      "DigestBuilder": "crypto.sha256()", "HmacBuilder": "crypto.hmac.sha256()",
      "Digest": "crypto.sha256().digest()", "PostmanScope": "pm.environment",
      "PostmanList": "pm.request.headers", "PostmanCookieJar": "pm.cookies.jar()",
      "BrunoCookieJar": "bru.cookies.jar()",
    ]
    private static let ofBraces: [String: String] = [
      "RequestURL": "request.url", "RequestBody": "request.body",
    ]
    /// Written by scripts, never read.
    private static let written: Set<String> = ["exports.$cancel"]

    /// The entries that can be looked at, with the text that does so.
    private static func places(
      _ phase: ScriptPhases, _ family: ScriptFamily
    ) -> [(entry: ScriptEntry, text: String)] {
      ScriptAPI.entries.compactMap { entry in
        // What is there while a stream is open has a test of its own.
        guard entry.phases.contains(phase), entry.name != "()", !written.contains(entry.path),
          !entry.path.hasPrefix("$requestClient.")
        else { return nil }
        return text(of: entry, family).map { (entry, $0) }
      }
    }

    /// How a script writes an entry; `nil` for types that exist in other forms of scripts only.
    static func text(of entry: ScriptEntry, _ family: ScriptFamily) -> String? {
      let known = instances.merging(family == .jetbrains ? ofBraces : [:]) { $1 }
      let names = entry.path.split(separator: ".", maxSplits: 1).map(String.init)
      guard ScriptAPI.types.contains(names[0]) else { return entry.path }
      return known[names[0]].map { ([$0] + names.dropFirst()).joined(separator: ".") }
    }

    @Test(arguments: phases.indices, [ScriptFamily.jetbrains, .httpyac])
    func `every entry of a phase is there with its kind`(index: Int, family: ScriptFamily) async throws {
      let (phase, phases) = Self.phases[index]
      let bench = try await ScriptBench()
      let places = Self.places(phases, family)
      #expect(places.count > 100)
      let lines = places.map { entry, text in
        // Members that assert are not read; that they are there is enough.
        let dot = text.lastIndex(of: ".")
        let owner = dot.map { String(text[..<$0]) }
        let look = entry.kind == .property && owner != nil
          ? "\(JSONValue.string(String(entry.name)).text) in Object(\(owner ?? "")) ? 'there' : 'missing'"
          : "typeof (\(text))"
        return "try { found.push(\(look)) } catch (error) { found.push(String(error)) }"
      }
      let script = "const found = [];\n\(lines.joined(separator: "\n"))\n"
        + "console.log(found.join('\\n'))"
      let result = await bench.run(script, phase, family)
      #expect(result.error == nil)
      let found = (result.output.last ?? "").split(separator: "\n").map(String.init)
      try #require(found.count == places.count)
      for ((entry, text), kind) in zip(places, found) {
        let mayBeAbsent = entry.absent?.contains("undefined") ?? false
        let isRight =
          switch entry.kind {
          case .function: kind == "function"
          case .object: kind == "object" || kind == "function"
          case .property: kind == "there" || !kind.contains(" ") && kind != "missing"
          }
        #expect(isRight || mayBeAbsent && kind == "undefined", "\(text) is \(kind)")
      }
      await bench.session.close()
    }

    @Test func `what belongs to streams is there while one is open`() async throws {
      let bench = try await ScriptBench()
      let open = ScriptResponse(status: 200, kind: .stream, mime: "text/event-stream")
      let paths = ScriptAPI.entries.map(\.path).filter {
        $0.hasPrefix("$requestClient.") || $0.hasPrefix("TextStreamResponse.")
      }
      #expect(paths.count == 5)
      let looks = paths.map {
        "typeof \($0.replacing("TextStreamResponse", with: "response.body"))"
      }
      let result = await bench.run(
        "console.log([\(looks.joined(separator: ", "))].join())", .streaming, response: open)
      #expect(result.output == [paths.map { _ in "function" }.joined(separator: ",")])
      await bench.session.close()
    }

    @Test(arguments: [ScriptFamily.jetbrains, .httpyac])
    func `every enumerable member of an object is in the table`(family: ScriptFamily) async throws {
      let bench = try await ScriptBench()
      let places = Self.places(.response, family).filter { entry, _ in
        // The members of `response.cookies` are the cookies' names.
        entry.kind != .property && entry.path != "response.cookies"
      }
      let lines = places.enumerated().map { index, place in
        "try { for (const key of Object.keys(\(place.text))) found.push('\(index) ' + key) } catch {}"
      }
      let result = await bench.run(
        "const found = [];\n\(lines.joined(separator: "\n"))\nconsole.log(found.join('\\n'))",
        .response, family)
      let found = (result.output.last ?? "").split(separator: "\n")
      #expect(found.count > 100)
      for line in found {
        let parts = line.split(separator: " ")
        let (entry, _) = places[Int(parts[0]) ?? 0]
        let members = ScriptAPI.members(of: entry).map(\.name)
        #expect(members.contains(parts[1]), "\(entry.path).\(parts[1]) is not in the table")
      }
      await bench.session.close()
    }
  }
}
