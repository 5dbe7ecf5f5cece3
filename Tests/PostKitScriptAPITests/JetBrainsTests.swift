// What scripts of JetBrains' HTTP Client do.

import PostKitJSON
import PostKitScripting
import Testing

extension EngineTests {
  @Suite(.timeLimit(.minutes(5))) struct JetBrainsTests {
    static let frozen = "request.url can't be set here (use request.variables.set, or a {{@request block)"
    static let cases: [ScriptCase] = [
      ScriptCase(
        "globals keep JSON, and dots lead into values",
        """
        client.global.set('a', {x: [1, new Date(0)]});
        client.log(client.global.get('a.x'), client.global.get('nope'), client.global.isEmpty());
        client.global.set('a.b', 'dotted'); client.log(client.global.get('a.b'));
        client.global.clear('a'); client.global.clearAll(); client.log(client.global.isEmpty());
        """,
        prints: [#"[1,"1970-01-01T00:00:00.000Z"] undefined false"#, "dotted", "true"]),
      ScriptCase(
        "a name must be a text", "client.global.set(undefined, 1)",
        fails: "5:15: TypeError: client.global.set: the name must be a string, got undefined"),
      ScriptCase(
        "a name is not empty", "client.global.set('', 1)",
        fails: "5:15: TypeError: client.global.set: the name is empty"),
      ScriptCase(
        "a function can't be kept", "client.global.set('f', () => 1)",
        fails: "5:15: TypeError: client.global.set: a function can't be kept"),
      ScriptCase(
        "global headers have no case and no line breaks",
        """
        client.global.headers.set('X-Key', 1); client.log(client.global.headers.get('x-key'));
        client.global.headers.clear('X-KEY'); client.log(client.global.headers.get('x-key'));
        client.global.headers.set('a', 'b\\nc');
        """, prints: ["1", "null"],
        fails: "7:23: TypeError: client.global.headers.set: the value has a line break"),
      ScriptCase(
        "variables by where they live",
        """
        const v = client.variables;
        client.log(v.environment.get('host'), v.environment.get('no'), v.file.get('fv'));
        v.request.set('a', 1); client.log(request.variables.get('a'), v.global === client.global);
        v.environment.set('host', 1);
        """, prints: ["h null x", "1 true"],
        fails: "8:15: TypeError: environments can't be changed by scripts (use client.global.set)"),
      ScriptCase(
        "tests",
        """
        client.test('good', () => client.assert(response.status === 200));
        client.test('bad', () => client.assert(false, 'why'));
        client.test('bare', () => client.assert(0));
        client.test('outer', () => { client.test('inner', () => {}) });
        client.test('late', async () => { await sleep(1); throw new Error('later') });
        client.test('long\\nname'); client.test(5, undefined);
        """,
        tests: [
          "+good", "-bad: why", "-bare: Assertion failed", "+outer", "+outer / inner",
          "-late: later", "+long", "+5",
        ]),
      ScriptCase(
        "an assertion outside of a test fails the script", "client.assert(false, 'no')",
        fails: "5:8: AssertionError: no"),
      ScriptCase(
        "a script ends where it wants to",
        "try { client.log(1); client.exit() } catch { client.log('caught') } client.log(2)",
        prints: ["1"], stopped: .exit),
      ScriptCase(
        "a body of JSON", "client.log(response.body.id, response.status, typeof response.body)",
        prints: ["7 200 object"]),
      ScriptCase(
        "nothing received is falsy", "client.log(response.body === '', !response.body)",
        response: ScriptBench.response("", .empty, mime: ""), prints: ["true true"]),
      ScriptCase(
        "JSON that is none stays text", "client.log(response.body)",
        response: ScriptBench.response("{oops"),
        prints: [
          "The body is no JSON (JSON Parse error: Expected '}'): response.body is text.", "{oops",
        ]),
      ScriptCase(
        "response headers in all forms",
        """
        const h = response.headers;
        client.log(h.valueOf('x-two'), h.valuesOf('X-TWO'), h.valueOf('no'), h.valuesOf('no'));
        client.log(h.valuesOf('X-Two').name, h.valuesOf('x-two').value, h['x-two'], h.all().length);
        client.log(Object.keys(h.all()).includes('X-Two'), Object.keys(h), h.all()[0].name);
        client.log(response.contentType.mimeType, response.contentType.charset);
        """,
        prints: [
          #"1 ["1","2"] null []"#, #"X-Two ["1","2"] 1, 2 5"#,
          #"true ["content-type","set-cookie","x-two"] Content-Type"#, "application/json utf-8",
        ]),
      ScriptCase(
        "cookies",
        """
        const [a] = response.cookies();
        client.log(a.name, a.value, a.path, a.httpOnly, a.secure, response.cookies.b);
        client.log(response.cookiesByName('b').length, response.cookiesByName('c'));
        """, prints: ["a 1 / true false 2", "1 []"]),
      ScriptCase(
        "the request as written and as known before it is sent",
        """
        client.log(request.url, request.url(), request.url.getRaw(), request.url.tryGetSubstituted());
        client.log(request.method === 'POST', request.method(), request.headers.all().length);
        const h = request.headers.findByName('x-a');
        client.log(h.name, h.name(), h.value(), h.getRawValue(), h.tryGetSubstitutedValue());
        client.log(request.headers.findByName('none'), request.headers['X-A']);
        client.log(request.body.getRaw(), request.body.tryGetSubstituted(), request.body.getComputed());
        client.log(request.environment.get('host'), request.environment.get('no'));
        client.log(request.environment.get('fv'));
        client.log(request.url.startsWith('http'), `${request.url}`, request.url + '', h.name == 'X-A');
        client.log(JSON.stringify({u: request.url}), request.iteration(), request.replayCount);
        """, .pre,
        prints: [
          "http://x.test/world?q=1 http://x.test/world?q=1 http://x.test/{{who}}?q=1 "
            + "http://x.test/world?q=1",
          "true POST 2", "X-A X-A v world v {{who}} v world", "null v world",
          #"{"a":"{{who}}"} {"a":"world"} {"a":"world"}"#, "h null", "x",
          "true http://x.test/world?q=1 http://x.test/world?q=1 true",
          #"{"u":"http://x.test/world?q=1"} 0 0"#,
        ]),
      ScriptCase(
        "a request can't be written", "request.url = 'x'", .pre, fails: "5:9: TypeError: \(frozen)"),
      ScriptCase(
        "a collection reference that is not there", "request.templateValue(1)", .pre,
        fails: "5:9: RangeError: this request has 1 collection references"),
      ScriptCase(
        "digests",
        """
        const d = crypto.sha256().updateWithText('a').updateWithHex('62').updateWithBase64('Yw==');
        client.log(d.digest().toHex());
        client.log(crypto.md5().updateWithText('').digest().toBase64());
        client.log(crypto.md5().updateWithText('ü', 'latin1').digest().toHex());
        client.log(crypto.hmac.sha256().withTextSecret('key').updateWithText('a').digest().toBase64(true));
        client.log(crypto.sha512().digest().toHex().length, crypto.sha384().digest().toHex().length);
        client.log(crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(2)).length);
        """,
        prints: [
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
          "1B2M2Y8AsgTpgAmY7PhCfg==", "cf0eece3a23b680f6266a21aabba4d32",
          "eAw9tM495bnlWBb7qY9ZBjHZbAdScbJpdiONX0REIZs", "128 96", "36 2",
        ]),
      ScriptCase(
        "wrong hexadecimal has a place", "crypto.md5().updateWithHex('0g')",
        fails: "5:14: TypeError: crypto.md5.updateWithHex: the text is no hexadecimal at offset 1"),
      ScriptCase(
        "wrong base64 has a place", "crypto.md5().updateWithBase64('a!')",
        fails: "5:14: TypeError: crypto.md5.updateWithBase64: the text is no base64 at offset 1"),
      ScriptCase(
        "an unknown encoding", "crypto.md5().updateWithText('a', 'klingon')",
        fails: "5:14: RangeError: crypto.md5.updateWithText: "
          + "\"klingon\" is no encoding that PostKit knows"),
      ScriptCase(
        "random values",
        """
        const r = $random;
        client.log(/^[A-Za-z]{10}$/.test(r.alphabetic()), /^\\w{4}$/.test(r.alphanumeric(4)),
          /^\\d{3}$/.test(r.numeric(3)), /^[0-9a-f]{8}$/.test(r.hexadecimal(8)));
        client.log([r.integer(5, 6), r.integer(6, 5), typeof r.integer(), r.float(1, 2) < 2]);
        client.log(r.uuid.length, r.uuid().length, /@/.test(r.email), r.address.city, r.address.city());
        client.log($uuid.length, typeof $timestamp, $isoTimestamp.length, typeof $randomInt);
        r.alphabetic(0);
        """,
        prints: [
          "true true true true", #"[5,5,"number",true]"#, "36 36 true C C", "36 number 24 number",
        ],
        fails: "11:3: RangeError: $random.alphabetic: the length must be from 1 to 1,000,000, got 0"),
      ScriptCase(
        "what the program knows",
        """
        client.log($env.HOME, $env.NO, Object.keys($env), 'HOME' in $env, $exampleServer);
        client.log($projectRoot, $auth.token('id'), jsonPath(response.body, '$.id'), jsonPath({}, '*'));
        client.log(Window.atob('aGk='), Window.btoa('hi'), atob(btoa('ÿ')) === 'ÿ');
        """,
        prints: ["/home/x undefined [] true http://127.0.0.1:1", "/w t 7 [1,2]", "hi aGk= true"]),
      ScriptCase(
        "paths of XML",
        """
        const d = response.body;
        client.log(xpath(d, '/a/b[2]').textContent, xpath(d, '//b/@x'), xpath(d, '/a/b/text()'));
        client.log(xpath(d, '//no'), xpath('text', '/a'), xpath(d, 'count(//b)'));
        client.log(d.documentElement.nodeName, d.getElementsByTagName('b').length, `${d}`);
        client.log(d.querySelector('#i').getAttribute('x'), d.getElementById('i').textContent);
        """, response: ScriptBench.response(
          #"<?xml version="1.0"?><a><b x="1">p&amp;</b><b id="i" x="2">q</b></a>"#, .xml,
          mime: "text/xml"),
        prints: [
          #"q ["1","2"] ["p&","q"]"#, "null null 2",
          #"a 2 <a><b x="1">p&amp;</b><b id="i" x="2">q</b></a>"#, "2 q",
        ]),
      ScriptCase(
        "lines of a stream that is complete",
        """
        response.body.onEachLine((line, unsubscribe) => {
          client.log(line.a); if (line.a === 2) unsubscribe();
        }, () => client.log('end'));
        """, response: ScriptBench.response(
          "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", .stream, mime: "application/x-ndjson"),
        prints: ["1", "2", "end"]),
      ScriptCase(
        "lines of a value",
        """
        client.log(response.body.a, Object.keys(response.body).length, typeof response.parsedBody.a);
        response.body.onEachLine((line) => client.log(line), () => client.log('end'));
        """, response: ScriptBench.byItem("{\"a\":\n 1}\n"),
        prints: ["1 1 number", "{\"a\":", " 1}", "end"]),
      ScriptCase(
        "lines of values that are no one value",
        """
        response.body.onEachMessage((line) => client.log(JSON.parse(line).a));
        client.log(typeof response.parsedBody);
        """, response: ScriptBench.byItem("{\"a\":1}\n{\"a\":2}\n"),
        prints: ["1", "undefined", "2"]),
      ScriptCase(
        "a member with the name of what reads lines",
        "client.log(response.body.onEachLine);",
        response: ScriptBench.byItem("{\"onEachLine\": 5}"), prints: ["5"]),
    ]

    @Test(arguments: cases) func `a script does what it says`(_ item: ScriptCase) async throws {
      try await item.check()
    }

    @Test func `what is set comes back as changes`() async throws {
      let bench = try await ScriptBench()
      let result = await bench.run(
        """
        client.global.set('g', [1]); client.global.clear('old'); request.variables.set('r', true);
        request.variables.set('p.q', 1); client.global.headers.set('X-K', 'v');
        client.global.set('u', undefined); client.global.set('n', 12345678901234567890n);
        """, .pre)
      #expect(result.error == nil)
      #expect(result.effects.globals.set.map(\.key) == ["g", "n"])
      #expect(result.effects.globals.set.last?.value.text == "12345678901234567890")
      #expect(result.effects.globals.unset == ["old", "u"])
      #expect(
        result.effects.request.set == [JSONMember("r", true), JSONMember("p", ["q": 1])])
      #expect(result.effects.headers.set == [JSONMember("X-K", "v")])
      await bench.session.close()
    }
  }
}
