// What the closed table makes of scripts, and that it leaves the others alone.

import Testing

@testable import PostKitTransfer

@Suite struct ScriptTranslationTests {
  private func lines(
    _ text: String, _ family: ScriptFamily = .postman,
    _ phase: OriginScriptPhase = .afterResponse
  ) -> [String]? {
    ScriptTranslation.statements(of: text, phase, family)?.map { statement in
      switch statement {
      case .check(let check): check.line
      case .handler(let text): "> " + text
      case .dropped(let text): "- " + text
      }
    }
  }

  @Test(arguments: [
    (#"pm.test("n", function () { pm.response.to.have.status(200); });"#, "status == 200"),
    (#"pm.test('n',()=>{pm.response.to.have.status(404)})"#, "status == 404"),
    ("pm.test(`n`, () => pm.response.to.have.status(200))", "status == 200"),
    ("tests[\"n\"] = responseCode.code === 200;", "status == 200"),
    ("tests['n']=(responseCode.code==200)", "status == 200"),
    ("tests.n = responseCode.code === 201", "status == 201"),
    ("pm.expect(pm.response.code).to.equal(200)", "status == 200"),
    ("pm.expect(pm.response.code).to.be.below(300)", "status < 300"),
    ("pm.expect(pm.response.responseTime).to.be.below(200);", "duration < 200"),
    ("pm.expect(pm.response.responseTime).to.be.at.most(200);", "duration <= 200"),
    ("tests['fast'] = responseTime < 500", "duration < 500"),
    ("pm.response.to.have.header('X-A')", "header X-A exists"),
    ("pm.response.to.have.header('X-A', 'v w')", "header X-A == v w"),
    ("pm.expect(pm.response.headers.get('X-A')).to.include('v')", "header X-A contains v"),
    ("pm.expect(pm.response.json().a.b[0]).to.eql('v')", "body $.a.b[0] == v"),
    ("pm.expect(pm.response.json()['a-b']['c']).to.equal(-7)", "body $['a-b'].c == -7"),
    ("pm.expect(pm.response.json().a).to.be.true", "body $.a isTrue"),
    ("pm.expect(pm.response.json().a).to.be.false", "body $.a isFalse"),
    ("pm.expect(pm.response.json().a).to.exist", "body $.a exists"),
    ("pm.expect(pm.response.json().a).to.be.null", "body $.a == null"),
    ("pm.expect(pm.response.json().a).to.include('v')", "body $.a contains v"),
    ("pm.expect(pm.response.json().a).to.be.a('string')", "body $.a isString"),
    ("pm.expect(pm.response.json()).to.be.an('array')", "body $ isArray"),
    ("pm.expect(pm.response.json().a).to.not.equal('v')", "body $.a != v"),
    ("pm.expect(pm.response.json().a).to.deep.equal([1, {\"b\": 2}])", "body $.a == [1,{\"b\":2}]"),
    ("pm.expect(pm.response.text()).to.include('v')", "body contains v"),
    ("tests['n'] = responseBody.has(\"v w\");", "body contains v w"),
    ("pm.expect(JSON.parse(responseBody).a).to.eql(1.50)", "body $.a == 1.50"),
    ("pm.expect(JSON.parse(pm.response.text()).a).to.eql(true)", "body $.a == true"),
  ])
  func `Postman's statements become checks`(script: String, line: String) {
    #expect(lines(script) == [line])
  }

  @Test(arguments: [
    ("expect(res.status).to.equal(200)", "status == 200"),
    ("expect(res.getStatus()).to.equal(200)", "status == 200"),
    ("test('n', () => { expect(res.body.a[1]).to.eql('v') })", "body $.a[1] == v"),
    ("test('n', function() { expect(res.getBody().a).to.be.a('number'); });", "body $.a isNumber"),
    ("expect(res.headers['x-a']).to.equal('v')", "header x-a == v"),
    ("expect(res.getHeader('x-a')).to.equal('v')", "header x-a == v"),
    ("expect(res.responseTime).to.be.lessThan(9)", "duration < 9"),
    ("bru.setVar('k', res.body.a)", #"> client.global.set("k", response.body.a);"#),
    (
      "bru.setEnvVar('k', res.getHeader('x'))",
      #"> client.global.set("k", response.headers.valueOf("x"));"#
    ),
    (
      "const a = res.body; bru.setEnvVar(\"k\", a['b c'][0]);",
      #"> client.global.set("k", response.body["b c"][0]);"#
    ),
    ("bru.deleteVar('k')", #"> client.global.clear("k");"#),
  ])
  func `Bruno's statements become checks and handlers`(script: String, line: String) {
    #expect(lines(script, .bruno) == [line])
    #expect(lines(script, .postman) == nil)
  }

  @Test(arguments: [
    "pm.environment.set('k', jsonData.a)", "pm.collectionVariables.set('k', jsonData.a)",
    "pm.globals.set(\"k\", jsonData.a);", "postman.setEnvironmentVariable('k', jsonData.a)",
    "postman.setGlobalVariable('k', jsonData.a)",
  ])
  func `a value that is taken from the response becomes a handler`(script: String) {
    let text = "var jsonData = JSON.parse(responseBody);\n" + script
    #expect(lines(text) == [#"> client.global.set("k", response.body.a);"#])
  }

  @Test(arguments: [
    "pm.environment.unset('k')", "pm.globals.unset('k');",
    "postman.clearEnvironmentVariable(\"k\")", "postman.clearGlobalVariable(\"k\")",
  ])
  func `a value that is cleared becomes a handler`(script: String) {
    #expect(lines(script) == [#"> client.global.clear("k");"#])
  }

  @Test func `a script keeps its order, and its tests their names`() throws {
    let script = """
      // a comment
      const { id, name: other } = 1
      """
    #expect(lines(script) == nil)
    let text = """
      /* login */
      pm.test("first", function () {
        const data = pm.response.json()
        pm.expect(data.id).to.eql(7)
        pm.expect(data.name).to.eql("ann")
      })
      let { token, user } = pm.response.json();
      pm.environment.set("token", token)
      console.log("token", user.name);
      pm.test("last", () => { pm.response.to.have.status(200) });
      """
    let statements = try #require(
      ScriptTranslation.statements(of: text, .afterResponse, .postman))
    #expect(
      statements == [
        .check(OriginCheck(line: "body $.id == 7", title: "first")),
        .check(OriginCheck(line: "body $.name == ann")),
        .handler(#"client.global.set("token", response.body.token);"#),
        .dropped(#"console.log("token", user.name)"#),
        .check(OriginCheck(line: "status == 200", title: "last")),
      ])
  }

  @Test(arguments: [
    ("'a b'", "a b"), ("' a'", "\" a\""), ("''", "\"\""), ("'7'", "\"7\""), ("'true'", "\"true\""),
    ("'\"x\"'", #""\"x\"""#), (#"'it\'s'"#, "it's"), (#""\u0041\x42\n""#, #""AB\n""#),
    ("'\\'q\\''", "\"'q'\""), ("9007199254740993", "9007199254740993"), ("1e3", "1e3"),
  ])
  func `a literal keeps its type and its characters`(literal: String, written: String) {
    #expect(
      lines("pm.expect(pm.response.json().a).to.eql(\(literal))") == ["body $.a == " + written])
  }

  @Test(arguments: [
    "if (pm.response.code === 200) { pm.environment.set('k', 1) }",
    "pm.environment.set('k', 'literal')", "pm.environment.set(name, pm.response.json().a)",
    "pm.environment.set('k', pm.response.json().a + 1)",
    "pm.environment.set('k', pm.response.text())", "pm.variables.set('k', pm.response.json().a)",
    "pm.test('n', function (done) { pm.response.to.have.status(200) })", "pm.test('n', () => {})",
    "pm.test('n', () => { pm.environment.set('k', pm.response.json().a) })",
    "pm.test.skip('n', () => { pm.response.to.have.status(200) })",
    "pm.test(`n ${1}`, () => { pm.response.to.have.status(200) })",
    "pm.test('n', () => { pm.response.to.have.status(200) }) || x",
    "pm.response.to.have.status('OK')", "pm.response.to.not.have.status(200)",
    "pm.response.to.have.status(200).and.x", "pm.expect(pm.response.json().a).to.eql('{{x}}')",
    "pm.expect(pm.response.json().a).to.equal({})", "pm.expect(pm.response.json().a).to.eql(b)",
    "pm.expect(pm.response.json().a).to.eql(0x10)",
    "pm.expect(pm.response.json().a).to.be.oneOf([1])",
    "pm.expect(pm.response.json().a).to.eql(/x/)",
    "pm.expect(pm.response.json().a.toString()).to.eql('1')",
    "pm.expect(pm.response.json().a).to.not.exist", "pm.expect(1).to.equal(1)",
    "tests['a'] = responseCode.code === 200; tests['a'] = responseCode.code === 201",
    "tests['a'] = responseCode.code === 200 && true", "tests['a'] = true",
    "console.log(pm.environment.set('k', 1))", "console.log('a'", "pm.sendRequest('http://x')",
    "var a = pm.response.json(), b = 1", "pm.response.to.have.header('bad name')",
    "pm.environment.set('k', pm.response.json().a)\n.b", "setTimeout(() => {}, 1)", "const x =",
    "pm.expect(pm.response.json().a).to.include('')",
    "pm.expect(pm.response.json().a).to.include(1)",
  ])
  func `a script with anything else is kept as a whole`(script: String) {
    #expect(lines(script) == nil)
    #expect(lines("pm.response.to.have.status(200);\n" + script) == nil)
  }

  @Test func `before a request only what has no effect is translated`() {
    #expect(lines("console.log('x');", .postman, .beforeRequest) == ["- console.log('x')"])
    #expect(lines("// nothing\n", .postman, .beforeRequest) == [])
    #expect(lines("pm.environment.unset('k')", .postman, .beforeRequest) == nil)
    #expect(lines("pw.test('n', () => {})", .hoppscotch) == nil)
  }

  @Test func `expressions alone can be asked for`() {
    #expect(ScriptTranslation.leftSide(of: "res.body.a.b[0]", .bruno) == "body $.a.b[0]")
    #expect(ScriptTranslation.leftSide(of: "res.headers.x-y", .bruno) == nil)
    #expect(ScriptTranslation.leftSide(of: "res.status", .bruno) == "status")
    #expect(ScriptTranslation.leftSide(of: "res.body.a()", .bruno) == nil)
    #expect(
      ScriptTranslation.setting("k", to: "res.body.a", .bruno)
        == .handler(#"client.global.set("k", response.body.a);"#))
    #expect(ScriptTranslation.setting("k", to: "res.body.a + 1", .bruno) == nil)
  }

  @Test func `deep and broken scripts end`() {
    #expect(lines(String(repeating: "(", count: 100_000)) == nil)
    #expect(lines("tests['a'] = " + String(repeating: "(", count: 100_000)) == nil)
    #expect(lines("pm.test('a', () => { " + String(repeating: "{", count: 10_000)) == nil)
    #expect(lines("pm.expect(" + String(repeating: "JSON.parse(", count: 50_000)) == nil)
  }
}
