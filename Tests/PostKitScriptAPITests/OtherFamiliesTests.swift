// What scripts of httpYac, kulala, Postman and Bruno do.

import PostKitHTTP
import PostKitJSON
import PostKitScripting
import Testing

extension EngineTests {
  @Suite(.timeLimit(.minutes(5))) struct OtherFamiliesTests {
    static let cases: [ScriptCase] = [
      ScriptCase(
        "httpYac's response",
        """
        const r = response;
        console.log(r.statusCode, r.status, r.statusMessage, r.protocol, r.httpVersion, r.name);
        console.log(typeof r.body, r.parsedBody.id, r.rawBody.length, r.timings.total, r.meta.ip);
        console.log(r.headers['set-cookie'], r.headers['x-two'], r.rawHeaders.length);
        console.log(r.contentType.mimeType, r.request.method, r.prettyPrintBody.split('\\n').length);
        """, .response, .httpyac,
        prints: [
          "200 200 OK HTTP/1.1 1.1 r", "string 7 43 7 127.0.0.1",
          "[ 'a=1; Path=/; HttpOnly', 'b=2' ] 1, 2 10", "application/json POST 11",
        ]),
      ScriptCase(
        "httpYac's short tests",
        """
        test.status(200); test.status(404); test.totalTime(5); test.header('x-two', '1, 2');
        test.headerContains('content-type', 'json'); test.responseBody({id: 7});
        test.hasResponseBody(); test.hasNoResponseBody(); test('named', ({name}) => console.log(name));
        """, .response, .httpyac, prints: ["named"],
        tests: [
          "+response status equals to 200", "-response status equals to 404: 200 == 404",
          "-total time exceeded 5: total time exceeded 7", "+response header x-two equals 1, 2",
          "+response header content-type contains json",
          "-response body equals {\"id\":7}: response body is \(body)", "+response body exists",
          "-response body does not exists: the response has a body", "+named",
        ]),
      ScriptCase(
        "httpYac's objects",
        """
        $global.x = 1; $global.y = 2; delete $global.y;
        console.log(Object.keys($global), $global.x, 'x' in $global);
        console.log(httpFile.fileName, httpRegion.metaData.note, httpRegion.symbol.startLine);
        console.log($context.activeEnvironment, $context.variables.host, $context.other);
        const r = await $httpyac.execute('login'); console.log(r.host);
        await $httpyac.execute('nobody');
        """, .response, .httpyac,
        prints: [
          "[ 'x' ] 1 true", "/w/a.http true 4", "$context.other is not there in PostKit.",
          "[ 'dev' ] h undefined", "h",
        ], fails: "5:1: Error: no request is called \"nobody\""),
      ScriptCase(
        "console",
        """
        console.log('%s is %d of %j%%', 'a', 5, {x: 1}, [1, {a: {b: {c: {}}}}]);
        console.table([{a: 1}, {a: 'x'}]); console.group('g'); console.warn('in'); console.groupEnd();
        console.count(); console.count(); console.assert(true); console.assert(false, 'no');
        console.log(new Map([[1, 'a']]), new Set([1]), new Date(0), /x/g, null, undefined, () => 1);
        """, .pre, .httpyac,
        prints: [
          #"a is 5 of {"x":1}% [ 1, { a: { b: [Object] } } ]"#,
          "┌─────────┬─────┐\n│ (index) │ a   │\n├─────────┼─────┤\n│ 0       │ 1   │\n"
            + "│ 1       │ 'x' │\n└─────────┴─────┘",
          "g", "  in", "default: 1", "default: 2", "Assertion failed: no",
          "Map(1) { 1 => 'a' } Set(1) { 1 } 1970-01-01T00:00:00.000Z /x/g null undefined "
            + "[Function (anonymous)]",
        ]),
      ScriptCase(
        "kulala's assertions record and go on",
        """
        assert(false, 'one'); assert.true(true); assert.same(1, 2); assert.hasString(5, 'x', 'two');
        client.test('inside', () => {
          assert.same('a', 'b', 'three'); client.log('on'); client.assert.jsonHas('list[0].n', 1);
        });
        client.test('fine', () => { assert.headersHas('x-two', '1'); assert.bodyHas('id') });
        assert.responseHas('body.id', 7, 'four'); assert.responseHas('status', 1, 'five');
        """, prints: ["on"],
        tests: [
          #"-one: one: expected "true", got "false""#, "+assert (line 5)",
          #"-assert (line 5): expected "2", got "1""#, #"-two: two: expected "x", got "5""#,
          #"-inside: three: expected "b", got "a""#, "+fine", "+four",
          #"-five: five: expected "1", got "200""#,
        ]),
      ScriptCase(
        "skipping is soft", "request.skip('why'); client.log('still')", .pre, prints: ["still"],
        stopped: .skip),
      ScriptCase(
        "aborting is not", "request.abort('why'); client.log('never')", .request, stopped: .abort),
      ScriptCase("replaying is soft", "$kulala.request.replay()", stopped: .replay),
      ScriptCase(
        "skipping comes too late", "request.skip()",
        fails: "5:9: Error: request.skip is possible before the request is sent only"),
      ScriptCase(
        "kulala's questions and runs",
        """
        client.log(await $kulala.prompt('name'), response.responseCode);
        const r = await $kulala.runRequest('login');
        client.log(r.status, r.body.t, r.headers.valueOf('x-b'));
        """, prints: ["typed name 200", "201 1 c"]),
      ScriptCase(
        "Postman's tests",
        """
        pm.test('words', () => {
          pm.expect([1, 2]).to.be.an('array').that.includes(2).and.has.lengthOf(2);
          pm.expect({a: {b: [1]}}).to.have.nested.property('a.b[0]', 1);
          pm.expect({a: 1, b: 2}).to.have.all.keys('a', 'b').and.not.be.empty;
          pm.expect([{a: 1}]).to.deep.include({a: 1}); pm.expect(5).to.be.within(1, 9);
          pm.expect(() => { throw new TypeError('bad x') }).to.throw(TypeError, 'bad');
          pm.expect('x').to.be.oneOf(['x', 'y']); pm.expect([3, 1]).to.have.members([1, 3]);
        });
        pm.test('equal', () => pm.expect(1).to.equal(2));
        pm.test('typo', () => pm.expect(1).to.be.tru);
        pm.test('response', () => {
          pm.response.to.have.status(200); pm.response.to.be.ok; pm.response.to.have.jsonBody('id', 7);
          pm.response.to.not.be.error;
        });
        pm.test('code', () => pm.response.to.have.status(201));
        pm.test('done', (done) => setTimeout(done, 1)); tests.old = responseCode.code === 200;
        """,
        tests: [
          "+words", "-equal: expected 1 to equal 2", "-typo: Invalid Chai property: tru", "+response",
          "-code: expected response to have status code 201 but got 200", "+done", "+old",
        ]),
      ScriptCase(
        "Postman's scopes and response",
        """
        pm.environment.set('e', 5); pm.collectionVariables.set('c', 'x'); pm.variables.set('l', 1);
        console.log(pm.variables.get('l'), pm.variables.get('c'), pm.variables.get('host'));
        console.log(pm.variables.replaceIn('{{l}}-{{e}}-{{no}}'), pm.environment.toObject());
        console.log(pm.response.code, pm.response.json().id, pm.response.headers.get('x-two'));
        console.log(pm.info.eventName, pm.cookies.get('sid'), pm.request.url.getQueryString());
        console.log(CryptoJS.MD5('a').toString(), xml2Json('<a><b>1</b></a>').a.b);
        pm.sendRequest('http://x/refused');
        """,
        prints: [
          "1 x h", "1-5-{{no}} { host: 'h', e: 5 }", "200 7 1", "test 1 q=1",
          "0cc175b9c0f1b6a831c399e269772661 1",
        ],
        fails: "11:4: Error: pm.sendRequest: scripts may not send requests of their own"),
      ScriptCase(
        "Bruno's objects",
        """
        bru.setVar('a', 1); bru.setEnvVar('e', 2);
        console.log(bru.getVar('a'), bru.getEnvVar('host'), bru.getProcessEnv('HOME'), bru.cwd());
        console.log(res.status, res.body.id, res('list[0].n'), res.getHeader('x-two'), req.getName());
        await bru.sleep(1); test('t', () => { expect(res.getStatus()).to.equal(200) });
        """, prints: ["1 h /home/x /w", "200 7 1 1, 2 r"], tests: ["+t"]),
    ]
    private static let body = #"{"id":7,"list":[{"n":1}],"who":{"a.b":"x"}}"#

    @Test(arguments: cases) func `a script does what it says`(_ item: ScriptCase) async throws {
      try await item.check()
    }

    @Test func `httpYac's scripts write the request`() async throws {
      let bench = try await ScriptBench()
      let result = await bench.run(
        """
        request.headers['x-a'] = 'new'; request.headers.B = 5; delete request.headers['content-type'];
        request.url += '&r=2'; request.method = 'PUT'; request.body = {a: 1};
        console.log(Object.keys(request.headers), request.url);
        """, .request, .httpyac)
      #expect(result.error == nil)
      #expect(result.output == ["[ 'X-A', 'B' ] http://x.test/{{who}}?q=1&r=2"])
      let mutation = try #require(result.effects.mutation)
      #expect(mutation.url == "http://x.test/{{who}}?q=1&r=2")
      #expect(mutation.method == "PUT")
      #expect(mutation.headers?.map { "\($0.name): \($0.value)" } == ["X-A: new", "B: 5"])
      #expect(mutation.body.map { String(decoding: $0, as: UTF8.self) } == #"{"a":1}"#)
      await bench.session.close()
    }

    @Test func `after sending nobody writes the request`() async throws {
      let bench = try await ScriptBench()
      let result = await bench.run("request.url = 'x'", .response, .httpyac)
      #expect(
        result.error
          == "5:9: TypeError: request.url can't be set here (use a {{@request block)")
      let postman = await bench.run("pm.request.headers.add({key: 'A', value: 'b'})")
      #expect(postman.error == "5:20: TypeError: pm.request.headers can't be set after sending")
      await bench.session.close()
    }

    @Test func `Postman's and Bruno's scripts write the template and say what comes next`()
      async throws
    {
      let bench = try await ScriptBench()
      let result = await bench.run(
        """
        pm.request.headers.upsert({key: 'x-a', value: 'n'}); pm.request.url.query.add('a={{b}}');
        req.setBody({a: 1}); pm.execution.setNextRequest('other'); bru.runner.stopExecution();
        """, .pre)
      #expect(result.error == nil)
      let mutation = try #require(result.effects.mutation)
      #expect(mutation.url == "http://x.test/{{who}}?q=1&a={{b}}")
      #expect(mutation.headers?.first?.value == "n")
      #expect(result.effects.next == .request("other"))
      #expect(result.effects.stopsRun)
      await bench.session.close()
    }

    @Test func `what is displayed can be changed where it is logged`() async throws {
      let bench = try await ScriptBench()
      let result = await bench.run("response.body = {a: 1}", .logging, .httpyac)
      #expect(result.effects.display == "{\n  \"a\": 1\n}")
      await bench.session.close()
    }

    @Test(arguments: [
      ("request.url", #""http://x.test/{{who}}?q=1""#), ("1 + 1", "2"), ("({a: [1]})", #"{"a":[1]}"#),
      ("response.parsedBody.id", "7"), ("undefined", "undefined"),
      ("await Promise.resolve('p')", #""p""#), ("require('path').join('a', 'b')", #""a/b""#),
      ("nope", "3:4: ReferenceError: Can't find variable: nope"),
      ("test('x', () => {})", "3:4: Error: tests can't be made here"),
    ])
    func `expressions`(text: String, value: String) async throws {
      let bench = try await ScriptBench()
      #expect(await bench.evaluate(text) == value)
      await bench.session.close()
    }
  }
}
