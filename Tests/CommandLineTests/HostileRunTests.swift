// What was tried against the cage of scripts by those who write them: each ends with one sentence
// and its place, and the script of the next request runs. What was tried from inside the engine's
// process is in `ConfinementTests`, what uses up time and memory in `HostileScriptTests`.

import Libc
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct HostileRunTests {
  struct Attempt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    /// What is said of it.
    let sentence: String
    /// The line of the script that is told, counted from 1; the column.
    var place = (line: 1, column: 1)

    init(_ name: String, _ script: String, _ sentence: String, at line: Int, _ column: Int) {
      (testDescription, self.script, self.sentence) = (name, script, sentence)
      place = (line, column)
    }
  }

  private static let noNetwork = "is not possible: scripts have no network and start no programs"
  private static let outside = "where scripts read nothing"

  static let attempts = [
    Attempt("a module that is missing", "\n  require('left-pad')", "Cannot find module", at: 2, 3),
    Attempt("a module above the root", "require('../../../etc/passwd')", outside, at: 1, 4),
    Attempt("a module by an absolute path", "require('/etc/passwd')", outside, at: 1, 4),
    Attempt("a module by a link out", "require('./link.js')", outside, at: 1, 4),
    Attempt("native code", "require('./native.node')", "is native code, which is not run", at: 1, 4),
    Attempt("a module that is loaded later", "await import('./none.js')", "Cannot find", at: 1, 4),
    Attempt(
      "a file of the system", "const f = require('fs');\nf.readFileSync('/etc/passwd')", outside,
      at: 2, 3),
    Attempt(
      "a file of the process", "require('fs').readFileSync('/proc/self/environ')", outside,
      at: 1, 18),
    Attempt("a file by a link out", "require('fs').readFileSync('./link.js')", outside, at: 1, 18),
    Attempt("a folder above", "require('fs').readdirSync('..')", outside, at: 1, 18),
    Attempt(
      "writing a file", "require('fs').writeFileSync('x', 'y')", "scripts can't write files",
      at: 1, 18),
    Attempt("sockets", "require('net').connect(80)", noNetwork, at: 1, 4),
    Attempt("datagrams", "require('dgram')", noNetwork, at: 1, 4),
    Attempt("HTTP", "require('http').get('http://127.0.0.1:1')", noNetwork, at: 1, 4),
    Attempt("fetch", "await fetch('http://127.0.0.1:1')", "a script has no network", at: 1, 10),
    Attempt("a WebSocket", "new WebSocket('ws://127.0.0.1:1')", "no network", at: 1, 4),
    Attempt("programs", "require('child_process').execSync('id')", noNetwork, at: 1, 4),
    Attempt("threads", "require('worker_threads')", noNetwork, at: 1, 4),
    Attempt("a worker", "new Worker('x.js')", "Can't find variable: Worker", at: 1, 8),
    Attempt("another machine", "require('vm').runInNewContext('1')", noNetwork, at: 1, 4),
    Attempt(
      "a circle in a value", "const a = {};\na.a = a;\nclient.global.set('a', a)",
      "client.global.set: a circle can't be kept", at: 3, 15),
    Attempt(
      "a promise that nothing settles", "await new Promise(() => {})",
      "the script waits for a promise that nothing settles", at: 1, 4),
    Attempt(
      "built-in prototypes",
      "for (const c of [Array, Object, String, Function, Promise, Map, Set, RegExp, Error])\n"
        + "for (const n of Object.getOwnPropertyNames(c.prototype))\n"
        + "try { delete c.prototype[n] } catch {}",
      "The script has broken built-in objects that nothing can run without.", at: 1, 0),
  ]

  @Test(arguments: attempts) func `one sentence with its place, and the next script runs`(
    _ attempt: Attempt
  ) async throws {
    let bench = try Bench([
      "root/postkit.json": "{}", "root/native.node": "x",
      "root/a.http": """
      ### bad
      GET $URL/bad

      > {%\(attempt.script)%}

      ### good
      GET $URL/good

      > {% client.test('lives', () => client.assert(response.status === 200)) %}

      """,
    ])
    #expect(symlink("/etc/passwd", bench.directory.path("root/link.js")) == 0)
    let result = try await bench.postkit("run", "root/a.http", "--all")
    #expect(result.status == 3)
    let lines = result.errorOutput.split(separator: "\n").filter { $0.contains("[script-failed]") }
    let column = attempt.place.line == 1 ? attempt.place.column + 1 : attempt.place.column
    let place = "root/a.http:\(attempt.place.line + 3):\(column): error: "
    #expect(lines.count == 1 && lines[0].hasPrefix(place), "\(result.errorOutput)")
    #expect(lines.first?.contains(attempt.sentence) == true, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("✓ lives"), "\(result.errorOutput)")
    #expect(bench.server.requests.map(\.target) == ["/bad", "/good"])
  }

  @Test func `output without end is cut off, and the history keeps 64 KiB of it`() async throws {
    let bench = try Bench([
      "a.http": """
      ### loud
      GET $URL/loud

      > {%
        const line = 'x'.repeat(10000);
        for (let i = 0; i < 10000; i++) console.log(line);
        client.test('lives', () => {})
      %}

      """,
    ])
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0 && result.errorOutput.contains("✓ lives"))
    #expect(result.errorOutput.utf8.count < 2 << 20)
    let id = try #require(try await bench.history().first?["id"]?.string)
    let shown = try await bench.postkit("history", "show", id)
    #expect(shown.output.contains("# … output cut at 64 KiB"))
    #expect(shown.output.utf8.count < 70 << 10)
    #expect(try await bench.history().first?["origin"]?.string == "run")
  }
}
