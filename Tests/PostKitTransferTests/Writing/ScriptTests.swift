// Scripts of written requests: where they stand, and which are translated.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct WrittenScriptTests {
  private typealias Sample = WrittenSample

  private func script(
    _ phase: OriginScriptPhase, _ text: String, _ translation: [OriginStatement]? = nil
  ) -> OriginScript {
    OriginScript(phase: phase, text: text, place: Sample.place, translation: translation)
  }

  @Test func `those of folders are files that each request below names, outer ones first`() {
    let request = Sample.request("Get") {
      $0.scripts = [script(.beforeRequest, "own();"), script(.afterResponse, "ownTest();")]
    }
    let collection = Sample.collection(
      [],
      [
        Sample.folder("My users", [], [Sample.folder("Admin", [request])]) {
          $0.scripts = [script(.beforeRequest, "users();"), script(.afterResponse, "u();")]
        }
      ]
    ) { $0.root.scripts = [script(.beforeRequest, "shop();\n"), script(.afterResponse, " ")] }
    let written = Written(collection)
    expect(
      written.text("My users/Admin.http"),
      is: """
        ### Get
        < ../scripts/Shop.pre.js
        < ../scripts/My-users.pre.js
        < {%
        own();
        %}
        GET http://a.test/x

        > ../scripts/My-users.post.js
        > {%
        ownTest();
        %}

        """)
    #expect(written.attachment("scripts/Shop.pre.js") == "shop();\n")
    #expect(written.codes == Array(repeating: .scriptKept, count: 5))
  }

  private let check = OriginStatement.check(OriginCheck(line: "status == 200", title: "ok"))
  private let handler = OriginStatement.handler(
    "client.global.set(\"k\", response.body.a);")

  @Test func `what sets something is translated only where no script is kept`() {
    let first = Sample.request("a") { $0.scripts = [script(.afterResponse, "A", [check, handler])] }
    let second = Sample.request("b") { $0.scripts = [script(.afterResponse, "B", [check])] }
    let alone = Written(Sample.collection([first, second]))
    #expect(
      alone.folder.files[0].blocks.map(\.tail) == [
        "> {% client.global.set(\"k\", response.body.a); %}\n# ok\n?? status == 200",
        "# ok\n?? status == 200",
      ])
    #expect(alone.codes == [.scriptTranslated, .scriptTranslated])
    let kept = Sample.request("c") { $0.scripts = [script(.beforeRequest, "pm.x()")] }
    let mixed = Written(Sample.collection([first, second, kept]))
    #expect(
      mixed.folder.files[0].blocks.map(\.tail) == ["> {%\nA\n%}", "# ok\n?? status == 200", ""])
  }

  @Test func `what is without effect is told, and checks before the request are kept`() {
    let request = Sample.request("a") {
      $0.scripts = [
        script(.afterResponse, "A", [.dropped("console.log(1)")]),
        script(.beforeRequest, "B", [check]),
      ]
    }
    let written = Written(Sample.collection([request]))
    #expect(written.codes == [.scriptTranslated, .scriptTranslated, .scriptKept])
    #expect(written.folder.files[0].blocks[0].head == "< {%\nB\n%}")
  }

  @Test(arguments: [
    "a %}\nGET http://evil.test/", "x\n### Evil\nGET http://evil.test/", "a\r\nb", "%}",
    "x = '%}\n", " lang=lua",
  ])
  func `texts that would end early lie in files`(text: String) {
    let request = Sample.request("Get it") {
      $0.scripts = [script(.beforeRequest, text), script(.afterResponse, text)]
    }
    let written = Written(Sample.collection([request]))
    #expect(written.wires().count == 1)
    #expect(written.attachment("scripts/Get-it.pre.js") == text)
    #expect(written.attachment("scripts/Get-it.post.js") == text)
    #expect(written.folder.files[0].blocks[0].tail == "> ./scripts/Get-it.post.js")
  }
}
