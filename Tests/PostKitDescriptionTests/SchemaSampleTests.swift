// Samples of schemas, rule by rule (IO-24).

import PostKitDescription
import PostKitJSON
import Testing

@Suite struct SchemaSampleTests {
  @Test(arguments: [
    (#"{"type":"string"}"#, #""string""#),
    (#"{"type":"string","format":"date"}"#, #""2026-01-31""#),
    (#"{"type":"string","format":"date-time"}"#, #""2026-01-31T10:00:00Z""#),
    (#"{"type":"string","format":"byte"}"#, #""aGVsbG8=""#),
    (#"{"type":"string","format":"password"}"#, #""{{password}}""#),
    (#"{"type":"string","minLength":8}"#, #""stringst""#),
    (#"{"type":"string","maxLength":3}"#, #""str""#),
    (#"{"type":"string","pattern":"^abc\\.d$"}"#, #""abc.d""#),
    (#"{"type":"string","pattern":"^[A-Z]{3}-\\d+$"}"#, #""AAA-0""#),
    (#"{"type":"string","pattern":"^s.*$"}"#, #""string""#),
    (#"{"type":"integer"}"#, "0"),
    (#"{"type":"integer","minimum":9223372036854775808}"#, "9223372036854775808"),
    (#"{"type":"integer","exclusiveMinimum":7}"#, "8"),
    (#"{"type":"integer","minimum":5,"multipleOf":4}"#, "8"),
    (#"{"type":"integer","maximum":-3}"#, "-3"),
    (#"{"type":"number","minimum":0.5}"#, "0.5"),
    (#"{"type":"boolean"}"#, "true"),
    (#"{"type":["null","string"],"const":"x"}"#, #""x""#),
    (#"{"enum":[null,"b","a"]}"#, #""b""#),
    (#"{"type":"integer","default":1,"examples":[9007199254740993]}"#, "9007199254740993"),
    (#"{"type":"array","items":{"type":"integer"},"minItems":7}"#, "[0,0,0]"),
    (#"{"type":"array","items":{"type":"integer"},"maxItems":0}"#, "[]"),
    (#"{"prefixItems":[{"type":"string"},{"type":"integer"}]}"#, #"["string",0]"#),
    (#"{"anyOf":[{"type":"null"},{"type":"boolean"}]}"#, "true"),
    (#"{"additionalProperties":{"type":"integer"}}"#, #"{"key":0}"#),
    (
      #"{"properties":{"a":{"type":"integer","readOnly":true},"b":{"type":"integer"}}}"#,
      #"{"b":0}"#
    ),
    (
      #"{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":true}}]}"#,
      #"{"a":0,"b":{}}"#
    ),
    ("{}", "{}"),
  ])
  func `a schema has its sample`(schema: String, json: String) throws {
    #expect(try sample(schema).json == json)
  }

  @Test func `members of many parts stand once, in order, however many there are`() throws {
    func part(_ names: Range<Int>) -> String {
      let members = names.map { #""m\#($0)":{"type":"integer"}"# }.joined(separator: ",")
      let required = names.map { #""m\#($0)""# }.joined(separator: ",")
      return #"{"properties":{\#(members)},"required":[\#(required)]}"#
    }
    let parts = (0..<20).map { part($0..<$0 + 20) } + [part(5..<30)]
    let schema = #"{"allOf":[\#(parts.joined(separator: ","))]}"#
    let json = "{" + (0..<39).map { #""m\#($0)":0"# }.joined(separator: ",") + "}"
    #expect(try sample(schema).json == json)
    #expect(try sample(schema, required: true).json == json)
  }

  @Test func `an exclusive bound of draft 4 is a mark beside the bound`() throws {
    let schema = #"{"type":"integer","minimum":7,"exclusiveMinimum":true}"#
    #expect(try sample(schema, .draft4).json == "8")
  }

  @Test func `members that may be left out stand three levels deep`() throws {
    let schema = """
      {"components":{"schemas":{"It":{"properties":{"a":{"properties":{"b":{"properties":{
      "c":{"required":["e"],"properties":{"d":{"type":"integer"},"e":{"type":"integer"}}}}}}}}}}}}
      """
    #expect(try sample(schema).json == #"{"a":{"b":{"c":{"e":0}}}}"#)
    #expect(try sample(schema, required: true).json == "{}")
  }

  @Test func `a tree ends where it would begin again`() throws {
    let schema = """
      {"components":{"schemas":{"It":{"type":"object","required":["next"],"properties":{
      "id":{"type":"integer"},"next":{"$ref":"#/components/schemas/It"},
      "all":{"type":"array","items":{"$ref":"#/components/schemas/It"}},
      "up":{"$ref":"#/components/schemas/It"}}}}}}
      """
    let result = try sample(schema)
    #expect(result.json == #"{"id":0,"next":{},"all":[]}"#)
    #expect(result.problems == [.cycle])
  }

  @Test func `what stands beside a reference counts in 3.1 alone`() throws {
    let schema = """
      {"components":{"schemas":{"It":{"$ref":"#/components/schemas/A","default":5},
      "A":{"type":"integer"}}}}
      """
    #expect(try sample(schema).json == "5")
    #expect(try sample(schema, .draft4).json == "0")
  }

  @Test func `a branch says which it is`() throws {
    let schemas = """
      "Cat":{"allOf":[{"$ref":"#/components/schemas/Pet"}]},
      "Pet":{"required":["kind"],"properties":{"kind":{"type":"string"}},"discriminator":
      {"propertyName":"kind","mapping":{"kitty":"#/components/schemas/Cat"}}}
      """
    let mapped =
      ##"{"components":{"schemas":{"It":{"$ref":"#/components/schemas/Cat"},\##(schemas)}}}"##
    #expect(try sample(mapped).json == #"{"kind":"kitty"}"#)
    let plain = mapped.replacing("mapping", with: "x-mapping")
    #expect(try sample(plain).json == #"{"kind":"Pet"}"#)
  }

  @Test func `a tower of branches stays small`() throws {
    var levels = #""L0":{"type":"object","properties":{"x":{"type":"integer"}}}"#
    for level in 1...200 {
      let below = ##"{"$ref":"#/components/schemas/L\##(level - 1)"}"##
      levels += #","L\#(level)":{"allOf":[\#(below),\#(below)]}"#
    }
    let schema =
      ##"{"components":{"schemas":{\##(levels),"It":{"$ref":"#/components/schemas/L200"}}}}"##
    #expect(try sample(schema).json == #"{"x":0}"#)
  }

  @Test func `a schema that doubles is cut`() throws {
    var levels = #""L0":{"type":"integer"}"#
    for level in 1...40 {
      let below = ##"{"$ref":"#/components/schemas/L\##(level - 1)"}"##
      levels +=
        #","L\#(level)":{"required":["a","b"],"properties":{"a":\#(below),"b":\#(below)}}"#
    }
    let schema =
      ##"{"components":{"schemas":{\##(levels),"It":{"$ref":"#/components/schemas/L40"}}}}"##
    let result = try sample(schema)
    #expect(result.problems == [.cut])
    #expect((result.json?.utf8.count ?? 0) < 100_000)
  }

  @Test func `a pattern that no sample matches is told`() throws {
    let schema = #"{"type":"string","pattern":"^a{300}$"}"#
    #expect(try sample(schema).problems == [.pattern("^a{300}$")])
  }
}
