// `postkit check` of scripts, and where messages say that scripts in files of their own stand.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ScriptCheckTests {
  private static let files = [
    "api/a.http": """
    ={%
    import { q } from './lib/m.js';
    %}

    ### one
    # @loop while (x < 3
    # @disabled !g(1 2)
    GET $URL/
    A: {{ f(;) }}

    > {%
    require('./lib/m');
    f(
    %}
    > ./check.js

    ?? js response.status( == 200
    ?? status == 200

    """,
    "api/check.js": "const é = 'ü'; f(1 2);\nrequire('../shared/n.js');\n",
    "api/lib/m.js": "export const q = (x) => { return x + ; }\n",
    "shared/n.js": "let a = [1\n",
    "postkit.json": "{}",
  ]

  @Test func `check reads scripts, expressions and the files that they name`() async throws {
    let bench = try Bench(Self.files)
    let result = try await bench.postkit("check", "api/a.http")
    #expect(result.status == 3 && bench.server.connectionCount == 0)
    let lines = result.output.split(separator: "\n").filter { $0.hasSuffix("[script-syntax]") }
    #expect(
      lines == [
        "api/a.http:6:15: error: This `(` is not closed. [script-syntax]",
        "api/a.http:7:18: error: Expected `)` before `2`. [script-syntax]",
        "api/a.http:9:9: error: `;` can't stand here. [script-syntax]",
        "api/a.http:13:2: error: This `(` is not closed. [script-syntax]",
        "api/a.http:17:22: error: This `(` is not closed. [script-syntax]",
        "api/lib/m.js:1:38: error: `;` can't stand here. [script-syntax]",
        "api/check.js:1:22: error: Expected `)` before `2`. [script-syntax]",
        "shared/n.js:1:9: error: This `[` is not closed. [script-syntax]",
      ], "\(result.output)")
    let json = try await bench.postkit("check", "api/a.http", "--json").output
    let files = try json.split(separator: "\n").map { try Bench.json(String($0)) }
    #expect(
      files.map { $0["file"]?.string }
        == ["api/a.http", "api/lib/m.js", "api/check.js", "shared/n.js"])
    #expect(files[1]["requests"] == [] && files[1]["diagnostics"]?.elements.count == 1)
  }

  @Test func `what can be read has no mistake, and a file is told of once`() async throws {
    let bench = try Bench([
      "a.http": "GET $URL/\n\n> ./a.js\n\n?? js response.parsedBody.n + 1 == 2\n",
      "b.http": "# @loop for x of [1, 2].map(y => y)\nGET $URL/\n\n> ./b.js\n",
      "e.http": "={%\nimport './e.js'\n%}\n\n###\nGET $URL/\n",
      "e.js": """
      import { a as b } from './f.js';
      export default function () { return b }
      export class C {}
      export { b, C as D };
      export * from './f.js'; export * as f from './f.js';
      const o = { export: 1 }; export const { x, y } = o, z = o.export;
      """,
      "f.js": "export default class {}\nexport {\n  q\n} from './e.js'\nexport async function a() {}",
      "a.js": "export const a = await f();\nif (a) return;\n",
      "b.js": "f(\n",
      "c.http": "GET $URL/\n\n> ./b.js\n",
      "d.http": "GET $URL/\n\n> ./missing.js\n\n###\nGET $URL/\n\n> {{name}}.js\n",
    ])
    // A file that is run as a whole exports nothing, and a module may.
    #expect(try await bench.postkit("check", "a.http").output.contains("a.js:1:1: error: "))
    #expect(try await bench.postkit("check", "e.http").output == "")
    let both = try await bench.postkit("check", "b.http", "c.http")
    #expect(both.output == "b.js:1:2: error: This `(` is not closed. [script-syntax]\n")
    #expect(try await bench.postkit("check", "d.http").output.contains("script-syntax") == false)
  }

  @Test func `files are named as the request file was`() async throws {
    let bench = try Bench([
      "api/a.http": "GET $URL/\n\n> ./check.js\n",
      "api/check.js": "client.test('t', () => null.x);\nclient.log('l');\nconst é = 'ü'; null.y;\n",
      "postkit.json": "{}",
    ])
    let here = try await bench.postkit("run", "api/a.http", "--report", "json=r.json")
    #expect(here.status == 3)
    #expect(here.errorOutput.contains("\n  api/check.js:1:29\n"), "\(here.errorOutput)")
    #expect(here.errorOutput.contains("api/check.js:3:23: error: TypeError"))
    let report = try Bench.json(try bench.directory.read("r.json"))
    let request = try #require(report["requests"]?.elements.first)
    #expect(request["message"]?.string?.hasPrefix("api/check.js:3:23: TypeError: ") == true)
    #expect(request["output"]?.elements.first?["file"]?.string == "api/check.js")
    #expect(request["tests"]?.elements.first?["file"]?.string == "api/check.js")
    let path = bench.directory.path("api/a.http")
    let absolute = try await bench.postkit("run", path)
    #expect(absolute.errorOutput.contains("\(bench.directory.path("api/check.js")):3:23: error: "))
  }

  @Test func `an import block that fails is told at its place, whoever needs it`() async throws {
    let bench = try Bench([
      "a.http": """
      ={%
      null.x;
      %}

      ### expression
      GET $URL/{{ q(1) }}

      ### tag
      # @disabled q(1)
      GET $URL/

      """
    ])
    let result = try await bench.postkit("run", "a.http", "--all", "--report", "json=r.json")
    #expect(result.status == 3 && bench.server.connectionCount == 0)
    let lines = result.errorOutput.split(separator: "\n").filter { $0.hasPrefix("a.http:2:") }
    #expect(lines.count == 2, "\(result.errorOutput)")
    let report = try Bench.json(try bench.directory.read("r.json"))
    for request in report["requests"]?.elements ?? [] {
      #expect(request["message"]?.string?.hasPrefix("a.http:2:") == true, "\(request)")
    }
  }
}
