// Values that do not fit their schemas, and where that is told.

import PostKitDescription
import PostKitJSON
import Testing

@Suite struct SchemaCheckTests {
  private func told(
    _ schema: String, _ value: String, _ dialect: SchemaDialect = .current,
    _ direction: SchemaDirection = .any
  ) throws -> [String] {
    let documents = try documents(schema)
    var check = SchemaCheck(documents, dialect, direction: direction)
    let tree = try JSONTree(parsing: Array(value.utf8))
    return check.deviations(of: tree.root, from: documents.root).map {
      "\($0.pointer) \($0.keyword)"
    }
  }

  @Test(arguments: [
    (#"{"type":"string"}"#, "1", " type"),
    (#"{"type":"integer"}"#, "1.5", " type"),
    (#"{"enum":["a"]}"#, #""b""#, " const"),
    (#"{"minimum":9007199254740993}"#, "9007199254740992", " minimum"),
    (#"{"exclusiveMaximum":1}"#, "1.0", " maximum"),
    (#"{"multipleOf":0.01}"#, "0.075", " multipleOf"),
    (#"{"maxLength":1}"#, #""ab""#, " maxLength"),
    (#"{"pattern":"^a"}"#, #""ba""#, " pattern"),
    (#"{"uniqueItems":true}"#, "[1,1.0]", " uniqueItems"),
    (#"{"items":{"type":"string"}}"#, #"["a",1]"#, "/1 type"),
    (#"{"properties":{"a/b":{"type":"null"}}}"#, #"{"a/b":1}"#, "/a~1b type"),
    (#"{"required":["a"]}"#, "{}", " required"),
    (
      #"{"additionalProperties":false,"properties":{"a":true}}"#, #"{"a":1,"b":2}"#,
      "/b additionalProperties"
    ),
    (
      #"{"oneOf":[{"type":"string"},{"properties":{"a":{"type":"string"}},"type":"object"}]}"#,
      #"{"a":1}"#, "/a type"
    ),
    (#"{"anyOf":[{"minimum":1},{"type":"string"}]}"#, "true", nil),
    (#"{"oneOf":[{"minimum":1},{"minimum":2}]}"#, "3", " oneOf"),
    (#"{"not":{"type":"null"}}"#, "null", " not"),
    (#"{"if":{"type":"string"},"then":{"minLength":2}}"#, #""a""#, " minLength"),
  ])
  func `a deviation has its place and keyword`(
    schema: String, value: String, expected: String?
  ) throws {
    #expect(try told(schema, value) == (expected.map { [$0] } ?? []))
  }

  @Test func `texts of a value are not told`() throws {
    let documents = try documents(#"{"enum":["a","b"],"maxLength":2,"pattern":"^x"}"#)
    var check = SchemaCheck(documents, .current)
    let tree = try JSONTree(parsing: Array(#""hidden""#.utf8))
    let messages = check.deviations(of: tree.root, from: documents.root).map(\.message)
    #expect(messages.count == 3)
    #expect(!messages.contains { $0.contains("hidden") })
  }

  @Test func `null fits what OpenAPI calls nullable`() throws {
    #expect(try told(#"{"type":"string","nullable":true}"#, "null", .draft4) == [])
    #expect(try told(#"{"type":"string","nullable":true}"#, "null") == [" type"])
  }

  @Test func `members that only come back need not be sent`() throws {
    let schema = #"{"required":["id"],"properties":{"id":{"readOnly":true}}}"#
    #expect(try told(schema, "{}", .current, .request) == [])
    #expect(try told(schema, "{}", .current, .response) == [" required"])
  }

  @Test func `what can't be checked is named and no failure`() throws {
    let documents = try documents(
      #"{"pattern":"(?=a)","unevaluatedProperties":false,"allOf":[{"$ref":"https://e.com/x"}]}"#)
    var check = SchemaCheck(documents, .current)
    let tree = try JSONTree(parsing: Array(#""b""#.utf8))
    let told = check.deviations(of: tree.root, from: documents.root)
    #expect(told.isEmpty)
    #expect(
      check.unchecked == ["$ref https://e.com/x", "pattern (?=a)", "unevaluatedProperties"])
  }

  @Test func `a schema that is itself comes to an end`() throws {
    #expect(try told(##"{"$ref":"#"}"##, "1") == [])
    let tree = ##"{"type":"object","additionalProperties":{"$ref":"#"}}"##
    #expect(try told(tree, #"{"a":{"b":{"c":1}}}"#) == ["/a/b/c type"])
  }

  @Test func `deviations are told up to a limit`() throws {
    let value = "[" + Array(repeating: "1", count: 500).joined(separator: ",") + "]"
    let all = try told(#"{"items":{"type":"string"}}"#, value)
    #expect(all.count == SchemaCheck.deviationLimit)
  }

  @Test func `samples of a schema fit it`() throws {
    let schema = """
      {"components":{"schemas":{"It":{"type":"object","required":["a","b","c"],"properties":{
      "a":{"type":"integer","exclusiveMinimum":3,"multipleOf":4},
      "b":{"type":"array","minItems":2,"items":{"type":"string","pattern":"^[a-f]{2}-[0-9]$"}},
      "c":{"oneOf":[{"type":"null"},{"type":"object","properties":{"d":{"format":"uuid",
      "type":"string","minLength":36}}}]},"e":{"type":"string","minLength":20,"maxLength":20}}}}}}
      """
    let documents = try documents(schema)
    let it = try #require(documents.root["components"]?["schemas"]?["It"])
    var sampler = SchemaSampler(documents, .current)
    let value = sampler.sample(of: it)
    let sample = try #require(value)
    let tree = try JSONTree(parsing: sample.bytes)
    var check = SchemaCheck(documents, .current)
    let told = check.deviations(of: tree.root, from: it)
    #expect(told == [])
  }

  @Test func `branches within branches are answered once`() throws {
    let schemas = (0..<40).map { number in
      let next = ##"{"$ref":"#/components/schemas/S\##(number + 1)"}"##
      return ##""S\##(number)":{"oneOf":[\##(next),\##(next)]}"##
    }.joined(separator: ",")
    let documents = try documents(
      ##"{"components":{"schemas":{\##(schemas),"S40":{"type":"string"}}}}"##)
    let first = try #require(documents.root["components"]?["schemas"]?["S0"])
    var check = SchemaCheck(documents, .current, stepLimit: SchemaCheck.typingStepLimit)
    let deviations = check.deviations(of: try JSONTree(parsing: Array("1".utf8)).root, from: first)
    #expect(!check.isCut && deviations.count == 1)
    var hasty = SchemaCheck(documents, .current, stepLimit: 50)
    let none = hasty.deviations(of: try JSONTree(parsing: Array("1".utf8)).root, from: first)
    #expect(hasty.isCut && none.isEmpty)
  }
}
