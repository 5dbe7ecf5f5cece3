// That the tree of a YAML text is that of its JSON, node by node.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitYAML

@Suite struct YAMLTreeTests {
  @Test(arguments: [
    "a: [1, {b: \"é\\n\\u0000\"}, null]\nc: &x {d: [], e: {}}\nf: *x\n",
    "- &x {a: 1}\n- {<<: *x, b: \"\\t\"}\n- *x\n", "5", "", "[[[]]]", "{a: &k \"\\\"\", *k : *k}",
  ])
  func `a tree that was built is the one that is parsed from its bytes`(text: String) throws {
    let tree = try read(text).tree
    #expect(try JSONTree(parsing: tree.bytes) == tree)
  }

  @Test func `random texts give trees that are JSON, or a place`() throws {
    var random = RepeatableGenerator(seed: 27)
    let seeds = [
      "a: &x [1, 2, {b: c}]\nd: *x\ne:\n  <<: {f: g}\n  h: |\n    i\n    j\n",
      "- !!int 5\n- é: 😀\n",
      "{a: [b, \"c\\n\"], d: 'e'}\n---\nf: g\n", "%YAML 1.2\n---\n? a\n: - b\n  -\n    - .5\n",
    ]
    for round in 0..<4_000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0..<random.int(in: 1..<6) { bytes = random.mutated(bytes) }
      do throws(YAMLSyntaxError) {
        let text = try YAMLText(parsing: bytes, limits: YAMLLimits(), prefersJSON: false)
        #expect(try! JSONTree(parsing: text.tree.bytes) == text.tree)
        #expect(text.place(of: text.tree.root).offset <= bytes.count)
      } catch {
        #expect(error.place.offset <= bytes.count)
      }
    }
  }

  @Test func `JSON is YAML`() throws {
    var random = RepeatableGenerator(seed: 28)
    for _ in 0..<300 {
      var writer = JSONWriter(indent: random.oneIn(2) ? 2 : nil)
      writer.write(Self.value(&random, depth: 0))
      let json = try JSONTree(parsing: writer.bytes)
      let yaml = try YAMLText(parsing: writer.bytes, limits: YAMLLimits(), prefersJSON: false)
      #expect(yaml.tree.root.value == json.root.value)
      #expect(yaml.tree.nodeCount == json.nodeCount)
      #expect(try YAMLText(parsing: writer.bytes).tree == json)
    }
  }

  @Test func `what only the reader of JSON knows is read, too`() throws {
    let text = try YAMLText(parsing: Array(" {\"a\": \"\\ud83d\\ude00\\/\"}\n".utf8))
    #expect(text.tree.root["a"]?.string == "😀/")
    #expect(try YAMLText(parsing: Array("[a, {b: c}]".utf8)).tree.root[1]?["b"]?.string == "c")
  }

  private static func value(_ random: inout RepeatableGenerator, depth: Int) -> JSONValue {
    let names = ["a", "b c", "\"", "\\", "é", "😀", "\n", "\u{1}", "200", "", "x: y", "#"]
    switch random.int(in: 0..<(depth > 4 ? 4 : 8)) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .number(random.pick(["0", "-1.5e+3", "12345678901234567890"]))
    case 3: return .string(random.pick(names))
    case 4, 5:
      return .array((0..<random.int(in: 0..<4)).map { _ in value(&random, depth: depth + 1) })
    default:
      return .object(
        (0..<random.int(in: 0..<4)).map {
          JSONMember(random.pick(names) + String($0), value(&random, depth: depth + 1))
        })
    }
  }
}
