// What scripts are told of the last response, of JavaScript's own objects and of modules.

import PostKitEvaluate
import PostKitHTTP
@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// A bench in which the request `login` was answered, with a module beside its file.
private var answered: Bench {
  var bench = Bench()
  bench.exchanges["login"] = Bench.exchange(
    #"{"user": {"id": 7, "na-me": "x"}, "token": "abc", "list": [{"a": 1}], "size": 1.5}"#,
    headers: ["X-Request-Id": "17", "Content-Type": "application/json"])
  bench.files = ["./m.js", "./old.js"]
  bench.contents["./m.js"] = """
    export const base = "x", other = 1;
    export function greet(name) { return name; }
    export async function later() {}
    export class Thing {}
    export const arrow = (a) => a, { one, two: [three] } = {};
    const hidden = 1, inner = 2;
    export { hidden as shown, inner };
    export default greet;
    """
  bench.contents["./old.js"] = """
    const sign = require("./m.js");
    exports.first = function () {};
    module.exports.second = 2;
    module.exports = { third() {}, fourth: 4, sign };
    if (exports.first) { exports.first.name = "x"; }
    """
  return bench
}

private let head = "# @name login\nGET https://a.test/\n\n"

/// The labels of the first items at the caret of a script below the request.
private func labels(_ script: String, count: Int = .max) -> [String] {
  let text = MarkedText("\(head)> {% \(script) %}")
  return Array(
    answered.analysis(text.bytes).completion(at: text.offset()).items.map(\.label).prefix(count))
}

struct ScriptBodyTests {
  @Test(arguments: [
    ("const user = response.body.user; user.1️⃣", ["id"]),
    ("let {user} = response.body; user.1️⃣", ["id"]),
    ("const {1️⃣} = response.body", ["user", "token", "list", "size"]),
    ("const {to1️⃣} = response.body", ["token"]),
    ("for (const a of response.body.list) a.1️⃣", ["a"]),
    ("response.body.list.map(x => x.1️⃣)", ["a"]),
    ("response.body.list.forEach((x) => { client.log(x.1️⃣) })", ["a"]),
    ("response.body.list[0].1️⃣", ["a"]),
    ("JSON.parse(response.body).1️⃣", ["user", "token", "list", "size"]),
    ("pm.response.json().user.1️⃣", ["id"]),
    ("res.body.user.1️⃣", ["id"]), ("res.getBody().user.1️⃣", ["id"]),
    ("response.body.user['1️⃣']", ["id", "na-me"]),
    ("response.body.other.1️⃣", []), ("const body = 1; body.1️⃣", []),
    ("function f(user) { user.1️⃣ }", []),
  ])
  func `The last response's members are offered by whatever name a script gives to them`(
    script: String, expected: [String]
  ) {
    #expect(labels(script) == expected)
  }

  @Test(arguments: [
    ("response.body.token.1️⃣", "length includes"), ("response.body.list.1️⃣", "length map"),
    ("response.body.size.1️⃣", "toFixed toString"),
    ("response.body.list.fil1️⃣", "filter"), ("Math.1️⃣", "abs ceil"), ("JSON.1️⃣", "parse stringify"),
    ("Object.en1️⃣", "entries"), ("Array.is1️⃣", "isArray"), ("String.1️⃣", "fromCharCode fromCodePoint"),
    ("Date.1️⃣", "now parse"), ("new Date().1️⃣", "toISOString getTime"), ("'a'.1️⃣", "length includes"),
    ("`a${1}`.1️⃣", "length includes"), ("[1, 2].1️⃣", "length map"), ("Promise.1️⃣", "all allSettled"),
    ("request.method.1️⃣", "length includes"), ("Mat1️⃣", "Math"),
  ])
  func `The members of the language's own objects and values are offered`(
    script: String, expected: String
  ) {
    let words = expected.split(separator: " ").map(String.init)
    #expect(labels(script, count: words.count) == words)
  }

  @Test(arguments: [
    "const Math = {}; Math.1️⃣", "a[0].1️⃣", "foo().1️⃣", "new Foo().1️⃣", "foo.Math.1️⃣", "12.1️⃣",
  ])
  func `Nothing is offered behind what may be anything`(script: String) {
    #expect(labels(script) == [])
  }

  @Test func `Calls of the language are filled in`() throws {
    let text = MarkedText("\(head)> {% Math.ma1️⃣ %}")
    let item = try #require(
      answered.analysis(text.bytes).completion(at: text.offset()).items.first)
    #expect(item.label == "max" && item.snippet == "max($1)" && item.detail == "(...values)")
  }

  @Test func `References to a response are completed with its members`() {
    func items(_ marked: String) -> [String] {
      let text = MarkedText(marked)
      return answered.analysis(text.bytes).completion(at: text.offset()).items.map(\.label)
    }
    #expect(items("\(head)\n###\nGET /{{login.response.body.$.user.1️⃣}}").first == "id")
    #expect(items("\(head)\n###\nGET /{{login.1️⃣}}").contains("response"))
  }

  @Test func `A hover shows what the last response has`() {
    func hover(_ script: String) -> String? {
      let text = MarkedText("\(head)> {% \(script) %}")
      return answered.analysis(text.bytes).hover(at: text.offset())?.markdown
    }
    #expect(
      hover("client.log(response.body.user.i1️⃣d)")
        == "`response.body.user.id` = `7`\n\nin the last response")
    #expect(hover("const u = response.body.user; u.i1️⃣d")?.hasPrefix("`u.id` = `7`") == true)
    #expect(hover("response.body.to1️⃣ken")?.contains("abc") == false)
    #expect(hover("response.body.to1️⃣ken")?.contains("••••••") == true)
    #expect(hover("response.body.user['na-1️⃣me']")?.contains("= `x`") == true)
    #expect(hover("response.body.li1️⃣st")?.contains("1 element") == true)
    #expect(hover("response.body.no1️⃣thing") == nil)
    #expect(hover("response.bo1️⃣dy")?.contains("in the last response") == false)
    #expect(hover("client.global.get('us1️⃣er')")?.contains("`ann`") == true)
  }
}

struct ScriptModuleTests {
  @Test func `A module's exports are found however they are written`() {
    func exports(_ path: String) -> [String] {
      ScriptReading(Array((answered.contents[path] ?? "").utf8)[...]).exports.map {
        $0.name + ($0.isFunction ? "()" : "")
      }
    }
    #expect(
      exports("./m.js") == [
        "base", "greet()", "later()", "Thing", "arrow()", "shown", "inner", "default",
      ])
    #expect(exports("./old.js") == ["first()", "second", "third()", "fourth", "sign"])
    let marked = "export const {a, b: [c]} = {}; export * from './x.js'; export let d"
    let reading = ScriptReading(Array(marked.utf8)[...])
    #expect(reading.exports.map(\.name) == ["a", "c", "d"])
  }

  @Test(arguments: [
    ("import {1️⃣} from './m.js'", ["base", "greet", "later"]),
    ("import {base, gr1️⃣} from \"./m\"", ["greet"]),
    ("const {1️⃣} = require('./old.js')", ["first", "second", "third", "fourth", "sign"]),
    ("const {first, se1️⃣} = require('./old')", ["second"]),
    ("const m = require('./old.js'); m.1️⃣", ["first", "second", "third", "fourth", "sign"]),
    ("import * as m from './m.js'; m.gr1️⃣", ["greet"]),
    ("import {base} from './m.js'; base.1️⃣", []),
    ("import {1️⃣} from './none.js'", []), ("import {1️⃣} from 'dayjs'", []),
  ])
  func `What a module gives is offered where it is imported and used`(
    script: String, expected: [String]
  ) {
    #expect(labels(script, count: max(expected.count, 3)).prefix(max(expected.count, 1)) == expected[...])
  }

  @Test(arguments: [
    ("import {gr1️⃣eet} from './m.js'", "./m.js greet"),
    ("import {greet as hi} from './m.js'; h1️⃣i()", "./m.js greet"),
    ("import {gre1️⃣et as hi} from './m.js'", "./m.js greet"),
    ("import d from './m.js'; d1️⃣()", "./m.js default"),
    ("import * as m from './m.js'; m.ba1️⃣se", "./m.js base"),
    ("import * as m from './m.js'; 1️⃣m.base", "./m.js "),
    ("const {third} = require('./old'); th1️⃣ird()", "./old.js third"),
    ("const o = require('./old.js'); o.fou1️⃣rth", "./old.js fourth"),
    ("const o = require('./ol1️⃣d.js')", "./old.js "),
    ("const mine = 1; client.log(mi1️⃣ne)", "here mine"),
    ("function f(p) { return 1️⃣p }", "here p"), ("client.l1️⃣og(1)", "none"),
    ("import {x} from './none.js'; x1️⃣", "here x"),
  ])
  func `A name leads to the module that gives it, or to its declaration`(
    script: String, expected: String
  ) {
    let text = MarkedText("\(head)> {% \(script) %}")
    let place = answered.analysis(text.bytes).definitions(at: text.offset()).first
    let found = place.map { place in
      let bytes = place.path.map { Array((answered.contents[$0] ?? "").utf8) } ?? text.bytes
      return "\(place.path ?? "here") \(String(decoding: bytes[place.range], as: UTF8.self))"
    }
    #expect((found ?? "none") == expected)
  }
}
