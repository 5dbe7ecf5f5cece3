// Modules: those of Node and others that are built in, and files beside the script.

import PostKitScripting
import Testing

extension EngineTests {
  @Suite(.timeLimit(.minutes(5))) struct ModuleTests {
    static let files = [
      "/w/lib.js": "import { b } from './b.mjs'\nexport const v = b + 1\n"
        + "export default function hi() { return 'hi' }",
      "/w/b.mjs": "export const b = 41",
      "/w/c.cjs": "module.exports = class C { x() { return __dirname } }",
      "/w/d.json": #"{"a":1}"#, "/w/x.js": "import './y.js'", "/w/y.js": "import './x.js'",
      "/w/once.js": "exports.n = Math.random()", "/w/bad.js": "\nlet a = ;",
      "/w/top.mjs": "export const t = await Promise.resolve(3)",
      "/w/r1.js": "exports.a = 1; exports.b = require('./r2.js').c",
      "/w/r2.js": "exports.c = require('./r1.js').a + 1",
      "/w/mid.mjs": "import { t } from './top.mjs'; export const m = t + 1",
      "/w/far.mjs": "export { m } from './mid.mjs'; export const f = await 5",
      "/w/re.js": "export * from './b.mjs'; export { v as w } from './lib.js'",
    ]
    static let cases: [ScriptCase] = [
      ScriptCase(
        "imports of all kinds",
        """
        import hi, { v as w } from './lib.js'
        import * as lib from "./lib.js"; import C from './c.cjs'
        import d from './d.json' with { type: 'json' }
        client.log(hi(), w, lib.v, new C().x(), d.a, (await import('./b.mjs')).b)
        """, prints: ["hi 42 42 /w 1 41"]),
      ScriptCase(
        "re-exports, and modules that wait", "import { b, w } from './re.js'\n"
          + "import { t } from './top.mjs'; client.log(b, w, t)", prints: ["41 42 3"]),
      ScriptCase(
        "a module waits for what it imports",
        "import { m } from './mid.mjs'; import { f, m as n } from './far.mjs'; client.log(m, n, f)",
        prints: ["4 4 5"]),
      ScriptCase(
        "a name that a module has not", "import { v, w } from './lib.js'",
        fails: "5:27: SyntaxError: './lib.js' exports no `w`"),
      ScriptCase(
        "a module runs once, and a circle of `require` sees what is there",
        "client.log(require('./once.js') === require('./once.js'), require('./r1.js').b)",
        prints: ["true 2"]),
      ScriptCase(
        "imports in a circle", "import './x.js'",
        fails: "1:9: Error: y.js and x.js import each other"),
      ScriptCase(
        "a module with a mistake", "require('./bad.js')",
        fails: "2:9: SyntaxError: Unexpected token ';'"),
      ScriptCase(
        "no network", "require('node:https')",
        fails: "5:1: Error: require('https') is not possible: "
          + "scripts have no network and start no programs"),
      ScriptCase(
        "a package with a better way", "require('moment')",
        fails: "5:1: Error: Cannot find module 'moment' (`moment`: `dayjs` is built in)"),
      ScriptCase(
        "assert",
        """
        const assert = require('assert');
        assert.deepEqual({x: [1]}, {x: ['1']}); assert.throws(() => { throw new TypeError('q') }, TypeError);
        await assert.rejects(Promise.reject(new Error('x')), /x/);
        test('strict', () => assert.strictEqual(1, 2));
        test('deep', () => assert.deepStrictEqual({a: 1}, {a: 2}, 'why'));
        test('none', () => assert.throws(() => {})); test('ok', () => assert(true));
        """,
        tests: [
          "-strict: Expected values to be strictly equal:\n\n1 !== 2", "-deep: why",
          "-none: Missing expected exception.", "+ok",
        ]),
      ScriptCase(
        "crypto",
        """
        const c = require('crypto');
        client.log(c.createHash('sha1').update('a').update('b').digest('hex'));
        client.log(c.createHmac('sha256', 'key').update('a').digest('base64url'));
        client.log(c.randomBytes(4).length, c.timingSafeEqual(Buffer.from('a'), Buffer.from('a')));
        c.createSign('RSA-SHA256');
        """,
        prints: [
          "da23614e02469a0d7c7bd1bdab5c9c474b1904dc", "eAw9tM495bnlWBb7qY9ZBjHZbAdScbJpdiONX0REIZs",
          "4 true",
        ], fails: "9:3: Error: crypto.createSign is not supported by PostKit"),
      ScriptCase(
        "Buffer",
        """
        const b = Buffer.from('héllo');
        client.log(b.toString('hex'), b.toString('base64'), Buffer.from('aGk', 'base64').toString());
        client.log(Buffer.concat([b, Buffer.from([1])]).length, JSON.stringify(Buffer.from('a')));
        client.log(Buffer.isBuffer(b), b.readUInt16BE(0), b.indexOf('l'), Buffer.byteLength('é'));
        """,
        prints: [
          "68c3a96c6c6f aMOpbGxv hi", #"7 {"type":"Buffer","data":[97]}"#, "true 26819 3 2",
        ]),
      ScriptCase(
        "addresses",
        """
        const u = new URL('../c?x=1&y=a b#f', 'https://u:p@Ex.com:443/a/b/d');
        u.searchParams.append('z', 'ü &'); client.log(u.href, u.origin, u.pathname);
        u.port = '8080'; u.pathname = 'x y'; client.log(`${u}`, [...u.searchParams.keys()]);
        client.log(new URL('file:///a/b').pathname, `${new URL('file:/a b')}`);
        client.log(`${new URLSearchParams({a: '1', b: 'x y'})}`, URL.canParse('nope')); new URL('no');
        """,
        prints: [
          "https://u:p@ex.com/a/c?x=1&y=a+b&z=%C3%BC+%26#f https://ex.com /a/c",
          #"https://u:p@ex.com:8080/x%20y?x=1&y=a+b&z=%C3%BC+%26#f ["x","y","z"]"#,
          "/a/b file:///a%20b", "a=1&b=x+y false",
        ], fails: "9:81: TypeError: Invalid URL: no"),
      ScriptCase(
        "small modules",
        """
        const p = require('node:path'), q = require('querystring'), util = require('util');
        client.log(p.join('a', '../b'), p.resolve('x'), p.basename('/a/b.txt', '.txt'), p.extname('a.b'));
        client.log(q.stringify({a: [1, 2], b: 'ü'}), q.parse('a=1&a=2').a, p.relative('/a/b', '/a/c'));
        client.log(util.inspect({a: 'x'}), util.isDeepStrictEqual([1], [1]), util.format('%s', 1));
        const E = require('events'); const e = new E(); e.once('x', (v) => client.log('got', v));
        e.emit('x', 3); client.log(e.emit('x'), await require('timers/promises').setTimeout(1, 'late'));
        client.log(require('punycode').toASCII('mañana.com'), require('os').EOL === '\\n');
        """,
        prints: [
          "b /w/x b .b", #"a=1&a=2&b=%C3%BC ["1","2"] ../c"#, "{ a: 'x' } true 1", "got 3",
          "false late", "xn--maana-pta.com true",
        ]),
      ScriptCase(
        "fs reads and never writes",
        """
        const fs = require('fs');
        client.log(fs.readFileSync('a', 'utf8'), fs.existsSync('no'), fs.statSync('q').isFile());
        client.log(fs.readdirSync('.'), (await fs.promises.readFile('z')).length);
        fs.writeFileSync('x', 'y')
        """, prints: ["text of a false true", #"["a","b"] 9"#],
        fails: "8:4: Error: scripts can't write files"),
      ScriptCase(
        "uuid",
        """
        const u = require('uuid');
        client.log(u.v5('a', u.v5.DNS), u.v3('a', u.v3.URL), u.version(u.v4()), u.validate(u.v7()));
        """,
        prints: [
          "4f3f2898-69e3-5a0d-820a-c4e87987dbce 33838e93-63bc-3732-bf9e-b68d970b79c2 4 true"
        ]),
      ScriptCase(
        "dayjs",
        """
        const d = require('dayjs'); d.extend(require('dayjs/plugin/utc'));
        const t = d.utc('2024-01-31T10:20:30.004Z');
        client.log(t.format(), t.add(1, 'month').format('YYYY-MM-DD'));
        client.log(t.subtract(1, 'day').format('ddd, MMM D YYYY h:mm A [x]'), t.unix());
        client.log(t.startOf('month').toISOString(), t.diff(d.utc('2024-01-01'), 'day'));
        client.log(t.isBefore('2025-01-01'), d('nope').isValid());
        """,
        prints: [
          "2024-01-31T10:20:30Z 2024-02-29", "Tue, Jan 30 2024 10:20 AM x 1706696430",
          "2024-01-01T00:00:00.000Z 30", "true false",
        ]),
      ScriptCase(
        "texts, copies and the global object",
        """
        client.log(new TextDecoder().decode(new TextEncoder().encode('ü')), global === globalThis);
        client.log(structuredClone({a: [new Date(0)]}), process.cwd(), typeof fetch, typeof WebAssembly);
        """, prints: ["ü true", #"{"a":["1970-01-01T00:00:00.000Z"]} /w undefined undefined"#]),
    ]

    @Test(arguments: cases) func `a script does what it says`(_ item: ScriptCase) async throws {
      try await item.check(Self.files)
    }

    @Test func `what an import block declares is seen by later scripts`() async throws {
      var bench = try await ScriptBench()
      bench.modules = Self.files
      let block = await bench.run(
        "import { v } from './lib.js'; function twice(n) { return 2 * n + v }", .imports)
      #expect(block.error == nil)
      #expect(block.effects.exportedFunctions == ["twice"])
      let result = await bench.run("client.log(twice(1))")
      #expect(result.error == nil)
      #expect(result.output == ["44"])
      await bench.session.close()
    }

    @Test func `a script that changes prototypes changes nothing of ours`() async throws {
      let bench = try await ScriptBench()
      let result = await bench.run(
        """
        Object.prototype.evil = 1; Array.prototype.map = () => { throw 1 };
        Array.prototype.filter = Array.prototype.find = Array.prototype.forEach = 5;
        String.prototype.startsWith = String.prototype.replace = String.prototype.trim = 5;
        client.global.set('a', [1]); client.log(request.headers.all().length, client.global.get('a'));
        client.test('x', () => client.assert(response.headers.valueOf('content-type')));
        client.log(crypto.sha256().updateWithText('a').digest().toHex().length);
        """)
      #expect(result.error == nil)
      #expect(result.output == ["2 [1]", "64"])
      #expect(result.tests == ["+x"])
      await bench.session.close()
    }
  }
}
