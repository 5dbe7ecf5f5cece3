// Schemas from samples: what is said of them, and that every sample fits.

import PostKitDescription
import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct SchemaInferenceTests {
  /// The schema of samples, as compact JSON.
  private func schema(_ samples: [String]) throws -> String {
    let inference = SchemaInference(InferenceBudget())
    for sample in samples { inference.add(try JSONTree(parsing: Array(sample.utf8)).root) }
    return InferredSchemas([(inference, "It")]).schema(of: inference).text
  }

  @Test("what samples come to", arguments: [
    (["1", "2"], #"{"type":"integer"}"#), (["1", "2.0"], #"{"type":"number"}"#),
    (["1", "null"], #"{"type":["null","integer"]}"#),
    (["[]"], #"{"type":"array"}"#),
    (["[1,true]"], #"{"type":"array","items":{"type":["boolean","integer"]}}"#),
    (
      [#"{"a":1,"b":""}"#, #"{"a":null}"#],
      #"{"type":"object","required":["a"],"properties":"#
        + #"{"a":{"type":["null","integer"]},"b":{"type":"string"}}}"#
    ),
    ([#"{"a":1,"a":2}"#, "{}"], #"{"type":"object","properties":{"a":{"type":"integer"}}}"#),
  ])
  func samples(samples: [String], expected: String) throws {
    #expect(try schema(samples) == expected)
  }

  @Test("formats, once three texts have them", arguments: [
    ("2026-01-31T10:00:00Z", "date-time"), ("2026-01-31t10:00:00.5+01:00", "date-time"),
    ("2028-02-29", "date"), ("0f8fad5b-d9cb-469f-a165-70867728950e", "uuid"),
    ("ann@example.com", "email"), ("https://h.example/a?b=%20", "uri"), ("10.0.0.255", "ipv4"),
    ("2026-02-29", ""), ("2026-01-31T10:00", ""), ("10.0.0.256", ""), ("a@b", ""), ("http://", ""),
    ("", ""),
  ])
  func formats(text: String, format: String) throws {
    let told = format.isEmpty ? "" : #","format":"\#(format)""#
    let three = Array(repeating: "\"\(text)\"", count: 3)
    #expect(try schema(three) == #"{"type":"string"\#(told)}"#)
    #expect(try schema(Array(three.dropFirst())) == #"{"type":"string"}"#)
    #expect(try schema(["\"x\""] + three) == #"{"type":"string"}"#)
  }

  @Test func `few words of many samples are listed, and masks never`() throws {
    let words = (0..<20).map { ["\"new\"", "\"paid\"", "null"][$0 % 3] }
    #expect(try schema(words + ["\"new\""] + words).contains(#""enum":["new","paid",null]"#))
    #expect(try !schema(Array(words.prefix(19))).contains("enum"))
    #expect(try !schema((0..<40).map { "\"w\($0 % 9)\"" }).contains("enum"))
    #expect(try !schema((0..<40).map { _ in "\"••••••\"" }).contains("enum"))
  }

  @Test func `objects whose names are ids are maps`() throws {
    func map(_ start: Int) -> String {
      "{" + (0..<16).map { "\"\(start + $0)\":{\"n\":1}" }.joined(separator: ",") + "}"
    }
    #expect(try schema([map(100), map(200)]).hasPrefix(#"{"type":"object","additionalProperties""#))
    // The same names again and again are members.
    #expect(try schema([map(100), map(100)]).contains("properties"))
    let words = "{" + (0..<300).map { "\"w\($0)\":\($0)" }.joined(separator: ",") + "}"
    #expect(
      try schema([words, words])
        == #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
  }

  @Test func `equal objects have one schema, also those that hold themselves`() throws {
    let tree = #"{"id":1,"name":"a","children":[{"id":2,"name":"b","children":[]}]}"#
    let one = SchemaInference(InferenceBudget())
    one.add(try JSONTree(parsing: Array(tree.utf8)).root)
    let other = SchemaInference(InferenceBudget())
    other.add(try JSONTree(parsing: Array(#"[null,\#(tree)]"#.utf8)).root)
    let schemas = InferredSchemas([(one, "Node"), (other, "Other")])
    let reference = ##"{"$ref":"#/components/schemas/Node"}"##
    #expect(schemas.schema(of: one).text == reference)
    #expect(
      schemas.schema(of: other).text
        == #"{"type":"array","items":{"anyOf":[\#(reference),{"type":"null"}]}}"#)
    #expect(
      schemas.components.map { "\($0.key) \($0.value.text)" } == [
        #"Node {"type":"object","required":["id","name","children"],"properties":{"#
          + #""id":{"type":"integer"},"name":{"type":"string"},"#
          + #""children":{"type":"array","items":\#(reference)}}}"#
      ])
  }

  @Test func `what the budget has no room for is left open`() throws {
    let inference = SchemaInference(InferenceBudget(parts: 1))
    inference.add(try JSONTree(parsing: Array(#"{"a":{"x":1},"b":{"x":1}}"#.utf8)).root)
    let text = InferredSchemas([(inference, "It")]).schema(of: inference).text
    #expect(text.contains(#""b":{}"#) && text.contains(#""a":{"type":"object""#))
  }

  @Test("names of things", arguments: [
    ("orders", "Order"), ("order-items", "OrderItem"), ("categories", "Category"),
    ("addresses", "Address"), ("status", "Status"), ("boxes", "Box"), ("2x", "Item2x"),
    ("é", "Item"),
  ])
  func names(word: String, name: String) { #expect(ComponentName.name(for: word) == name) }

  /// Inference is sound: whatever comes of samples, each of them fits it.
  @Test("every sample fits", arguments: 0..<40) func sound(seed: Int) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let budget = InferenceBudget(parts: seed % 5 == 0 ? 12 : 10_000)
    var groups: [(inference: SchemaInference, values: [JSONTree])] = []
    for _ in 0..<3 {
      let inference = SchemaInference(budget)
      let values = try (0..<Int.random(in: 1...30, using: &random)).map { _ in
        try JSONTree(parsing: value(3, &random).bytes)
      }
      for value in values { inference.add(value.root) }
      groups.append((inference, values))
    }
    // Two that are one operation's after all.
    groups[0].inference.merge(groups[2].inference)
    groups[0].values += groups[2].values
    groups.removeLast()
    let schemas = InferredSchemas(groups.map { ($0.inference, "It") })
    let whole: JSONValue = [
      "components": ["schemas": .object(schemas.components)],
      "roots": .array(groups.map { schemas.schema(of: $0.inference) }),
    ]
    let documents = try documents(whole.text)
    var check = SchemaCheck(documents, .current)
    for (group, root) in zip(groups, documents.root["roots"]?.elements ?? []) {
      for value in group.values {
        let deviations = check.deviations(of: value.root, from: root)
        #expect(deviations.isEmpty, "\(value.root.value.text)\n\(whole.text)")
      }
    }
    #expect(check.unchecked.isEmpty)
  }

  /// A value that has something in common with others.
  private func value(_ depth: Int, _ random: inout RepeatableGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2:
      let digits = ["0", "1", "-7", "1.5", "1e3", "9007199254740993"]
      return .number(digits.randomElement(using: &random) ?? "0")
    case 3, 4:
      let words = ["new", "paid", "2026-01-31", "a@b.example", "••••••", ""]
      return .string(words.randomElement(using: &random) ?? "")
    case 5:
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in value(depth - 1, &random) })
    case 6:
      let start = Int.random(in: 0..<9, using: &random) * 100
      return .object((0..<16).map { JSONMember("\(start + $0)", value(0, &random)) })
    default:
      let names = ["id", "name", "children", "x", "y"].filter { _ in
        Int.random(in: 0..<4, using: &random) > 0
      }
      return .object(names.map { JSONMember($0, value(depth - 1, &random)) })
    }
  }
}
