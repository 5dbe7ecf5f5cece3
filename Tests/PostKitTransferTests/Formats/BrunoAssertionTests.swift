// Assertions of Bruno as `??` lines, else as handlers.

import PostKitEvaluate
import PostKitSyntax
import Testing

@testable import PostKitTransfer

@Suite struct BrunoAssertionTests {
  private func lines(_ expression: String, _ written: String) -> [String]? {
    guard case .checks(let checks) = BrunoAssertion(expression: expression, written: written).form
    else { return nil }
    return checks.map(\.line)
  }

  private func script(_ expression: String, _ written: String) -> String? {
    guard case .script(let text) = BrunoAssertion(expression: expression, written: written).form
    else { return nil }
    return text
  }

  @Test(arguments: [
    ("res.status", "eq 200", "status == 200"),
    ("$res.status", "200", "status == 200"),
    ("res.getStatus()", "neq 500", "status != 500"),
    ("res.responseTime", "lt 1000", "duration < 1000"),
    ("res.body", "contains 0.0.1", "body contains 0.0.1"),
    ("res.body.a[0]['b c']", "eq 'x'", #"body $.a[0]['b c'] == "x""#),
    ("res.body.a", "gte {{low}}", "body $.a >= {{low}}"),
    ("res.headers['x-id']", "startsWith ab", "header x-id startsWith ab"),
    ("res.headers.server", "isDefined", "header server != undefined"),
    ("res.headers.content-type", "contains json", "header content-type contains json"),
    ("res.body.a", "matches /^a+$/", "body $.a matches ^a+$"),
    ("res.body.a", "isNull", "body $.a == null"),
    ("res.body.a", "isTruthy", "body $.a isTrue"),
    ("res.body.a", "isArray", "body $.a isArray"),
    ("res.body.a", "eq", #"body $.a == """#),
  ])
  func `the language has a line`(_ expression: String, _ written: String, _ line: String) {
    #expect(lines(expression, written) == [line])
    let bytes = Array(line.utf8)
    #expect(AssertionForm(bytes, bytes.indices) != nil)
  }

  @Test func `a range is two lines`() {
    #expect(lines("res.status", "between 200, 299") == ["status >= 200", "status <= 299"])
  }

  @Test(arguments: [
    ("res.status", "in 200, 201", "[200, 201].includes(response.status)"),
    ("res.status", "notIn [400]", "![400].includes(response.status)"),
    ("res.body.items", "length 3", "response.body.items.length === 3"),
    ("res.body.items.length", "eq 3", "response.body.items.length === 3"),
    ("res.body.a", "notContains x", #"!response.body.a.includes("x")"#),
    ("res.body.a", "isEmpty", "Object.keys(response.body.a).length === 0"),
    ("res.body.a", "matches /a/i", #"new RegExp("a", "i").test(response.body.a)"#),
    ("res('a.b')", "eq 'x'", #"res('a.b') === "x""#),
    (
      "res.body.a", "isJson",
      "typeof response.body.a === \"object\" && response.body.a !== null "
        + "&& !Array.isArray(response.body.a)"
    ),
    (
      "res.body.n.toString()", "eq {{n}}",
      "res.body.n.toString() === (v => { try { return JSON.parse(v); } catch { return v; } })"
        + #"(bru.interpolate("{{n}}"))"#
    ),
  ])
  func `a handler tests the rest`(
    _ expression: String, _ written: String, _ condition: String
  ) throws {
    let script = try #require(self.script(expression, written))
    #expect(script.contains("client.assert(\(condition));"))
    #expect(script.hasPrefix("client.test(\""))
  }

  @Test func `assertions of a request are lines, handlers, or told`() throws {
    let read = try BruSample.read(
      "http://a.test/", "",
      """
      vars:post-response {
        token: $res.body.token
        @local: res.headers['x-id']
        ~off: res.status
      }
      assert {
        @description('It is there')
        res.status: eq 200
        ~res.body.a: eq 1
        res.body.items: length 2
      }
      tests {
        test("status", () => { expect(res.status).to.equal(200); });
      }
      """)
    let request = try read.request
    #expect(request.checks == [OriginCheck(line: "status == 200", title: "It is there")])
    #expect(request.comments == ["assert ~res.body.a: eq 1"])
    #expect(request.scripts.count == 3)
    #expect(
      request.scripts[0].text
        == "bru.setVar(\"token\", res.body.token);\nbru.setVar(\"local\", res.headers['x-id']);")
    #expect(request.scripts[0].translation?.count == 2)
    // The closed table of statements has the whole test.
    #expect(request.scripts[1].translation != nil)
    #expect(request.scripts[2].text.contains("response.body.items.length === 2"))
    #expect(read.codes == ["disabled-item", "disabled-item"])
  }

  @Test func `what nobody can translate is kept as it is`() throws {
    let read = try BruSample.read(
      "http://a.test/", "",
      "vars:post-response {\n  a: res('x.y')\n}\nscript:pre-request {\n  let a = 1;\n}\n")
    let scripts = try read.request.scripts
    #expect(scripts.map(\.text) == ["let a = 1;", "bru.setVar(\"a\", res('x.y'));"])
    #expect(scripts.allSatisfy { $0.translation == nil })
  }
}
