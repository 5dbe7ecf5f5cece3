// Checks JSONPath by cases of our own; the whole community suite is measured beside this file.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct JSONPathTests {
  static let document = """
    {"store": {"books": [
      {"title": "A", "price": 8.95, "tags": ["x", "y"]},
      {"title": "B", "price": 12.99, "isbn": "1-2"},
      {"title": "Ç", "price": 10, "isbn": null}],
      "odd.name": {"0": "zero", "a-b": 1}, "length": 5},
     "limit": 10.0, "big": 9007199254740993, "list": [[1, 2], [3]]}
    """

  @Test(
    "queries select what the standard says",
    arguments: [
      ("$", 1), ("$.store.books[*].title", 3), ("$..title", 3), ("$.store.books[-1].title", 1),
      ("$..books[0,2]['title']", 2), ("$.store.books[1:]", 2), ("$.store.books[::-1]", 3),
      ("$.store.books[::0]", 0), ("$.none.more", 0), ("$..*", 28), ("$.list[*][*]", 3),
      ("$.store['odd.name']", 1), ("$[?@.books]", 1), ("$.store.books[?!@.isbn]", 1),
    ])
  func counts(query: String, count: Int) throws {
    #expect(try select(query).count == count)
    #expect(try select(query, isStrict: true) == select(query))
  }

  @Test(
    "filters compare values exactly",
    arguments: [
      ("$.store.books[?@.price < 10].title", #"["A"]"#),
      ("$.store.books[?@.price == $.limit].title", #"["Ç"]"#),
      ("$.store.books[?@.isbn == null].title", #"["Ç"]"#),
      ("$.store.books[?@.isbn == @.none].title", #"["A"]"#),
      ("$.store.books[?@.price >= 10 && (@.isbn || @.tags)].title", #"["B","Ç"]"#),
      ("$[?@ == 9007199254740993]", "[9007199254740993]"), ("$[?@ == 9007199254740992]", "[]"),
      ("$[?@ == 9007199254740993.0e0]", "[9007199254740993]"), ("$[?@ == 100e-1]", "[10.0]"),
      ("$[?@ > -1e999999999999999999999 && @ < 1e99999999999999999999]", "[10.0,9007199254740993]"),
      ("$.store.books[?match(@.title, '[A-B]')].title", #"["A","B"]"#),
      ("$.store.books[?search(@.isbn, '-')].title", #"["B"]"#),
      (#"$.store.books[?match(@.title, '\\p{Lu}')].title"#, #"["A","B","Ç"]"#),
      ("$.store.books[?length(@.title) == 1 && count(@.*) == 2]", "[]"),
      ("$.list[?value(@[?@ > 2]) == 3]", "[[3]]"), ("$.list[?@ == $.list[1]]", "[[3]]"),
    ])
  func filters(query: String, expected: String) throws {
    #expect(JSONValue.array(try select(query)).text == expected)
  }

  @Test(
    "common spellings outside the standard are understood unless strict",
    arguments: [
      ("store.books.0.title", #"["A"]"#), ("$.store.books.2.title", #"["Ç"]"#),
      (".store.books[0].title", #"["A"]"#), ("['limit']", "[10.0]"), (" $.limit ", "[10.0]"),
      ("$.store['odd.name'].0", #"["zero"]"#), ("$.'store'.\"odd.name\".'a-b'", "[1]"), ("$.store['odd.name'].a-b", "[1]"),
      ("store.books.length", "[3]"), ("store.length", "[5]"), ("$.list.length()", "[2]"),
      ("store.books[0].title.length", "[1]"), ("limit.length", "[]"), ("list[*].length", "[2,1]"),
    ])
  func extensions(query: String, expected: String) throws {
    #expect(JSONValue.array(try select(query)).text == expected)
  }

  @Test func `strict queries refuse the extensions`() {
    for query in ["a", ".a", "$.0", "$.a-b", " $", "$ ", "$.length()"] {
      #expect(throws: JSONPathError.self) { try JSONPath(query, isStrict: true) }
    }
  }

  @Test(
    "what is no query is refused at its place",
    arguments: [
      ("", 0), ("$.", 2), ("$..", 3), ("$[", 2), ("$[01]", 2), ("$['a]", 5), ("$[a]", 2),
      ("$[?@.a == ]", 10), ("$[?@.a == b]", 10), ("$[?@..a == 1]", 3), ("$[?length(@.a)]", 3),
      ("$[?match(@.a, 'b') == 1]", 3), ("$[?foo(@)]", 3), ("$[?'a']", 3),
      ("$[9007199254740992]", 2),
      ("$.a b", 4), ("$['\\ud800']", 9), ("$[?(@.a]", 7),
    ])
  func refused(query: String, offset: Int) {
    do {
      _ = try JSONPath(query)
      Issue.record("\(query) was accepted")
    } catch {
      #expect(error.offset == offset && !error.explanation.isEmpty, "\(query): \(error)")
    }
  }

  @Test func `deep nesting is refused and not a crash`() {
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: JSONPathError.self) { try JSONPath("$[?" + deep) }
    #expect(throws: JSONPathError.self) {
      try JSONPath(String(repeating: "$[?@", count: 100_000))
    }
    let pattern = String(repeating: "(", count: 100_000)
    #expect((try? JSONPath("$[?match(@, '\(pattern)')]")) != nil)
  }

  @Test(.timeLimit(.minutes(10))) func `no pattern takes more than linear time or much memory`()
    throws
  {
    let text = String(repeating: "a", count: 2_000)
    let tree = try JSONTree(parsing: JSONValue.array([.string(text + "!")]).bytes)
    for pattern in [
      "(a*)*b", "(a|a)*b", "(a|aa)+", "((a{1,100}){1,100}){1,100}", "a{999999}", "(a?){50}a{50}b",
    ] {
      #expect(try JSONPath("$[?match(@, '\(pattern)')]").nodes(in: tree.root).isEmpty)
    }
  }

  @Test(
    "a hostile query ends with a reason",
    arguments: [
      "$..*..*..*..*..*..*", "$[?count($..*) > 0 && count($[?count($..*) > 0]) > 0]",
      "$..[*,*,*,*]..[*,*,*,*]..[*,*,*]", "$[?count($..*) > 1 && count($..a) > 1]",
    ])
  func budget(query: String) throws {
    let items = String(repeating: "[0, {\"a\": [1]}], ", count: 200)
    let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let tree = try JSONTree(parsing: Array("[\(items)\(deep)]".utf8))
    let reason = "it takes too many steps on this document; write a narrower path"
    #expect(throws: JSONPathError(offset: 0, explanation: reason)) {
      try JSONPath(query).nodes(in: tree.root, stepLimit: 20_000).count
    }
  }

  @Test(
    "long texts and large objects are many steps",
    arguments: [
      "$[?$[?@.text == $[0].text && @.none]]", "$[?$[?length(@.text) == 7]]",
      "$[?$[?@.text < $[0].text]]", "$[?$[?@ == $[0] && @.none]]", "$[?$[?@.number == 1]]",
    ])
  func longTexts(query: String) throws {
    let text = String(repeating: "7", count: 2_000)
    let item = "{\"text\": \"\(text)\", \"number\": \(text)}"
    let items = Array(repeating: item, count: 100).joined(separator: ",")
    let tree = try JSONTree(parsing: Array("[\(items)]".utf8))
    let reason = "it takes too many steps on this document; write a narrower path"
    #expect(throws: JSONPathError(offset: 0, explanation: reason)) {
      try JSONPath(query).nodes(in: tree.root, stepLimit: 100_000).count
    }
    // To go through it some times is not too much.
    #expect(try JSONPath("$[?@.text == '\(text)']").nodes(in: tree.root).count == 100)
  }

  @Test func `large objects are compared member by member`() throws {
    let members = (0..<2_000).map { "\"m\($0)\": \($0)" }
    let (one, other) = (members.joined(separator: ","), members.reversed().joined(separator: ","))
    let tree = try JSONTree(parsing: Array("[{\(one)}, {\(other)}, {}]".utf8))
    #expect(try JSONPath("$[?@ == $[0]]").nodes(in: tree.root, stepLimit: 20_000).count == 2)
  }

  @Test func `going through a large document is never too much`() throws {
    let items = (0..<2_000).map { "{\"id\": \($0), \"tags\": [\"a\", \"b\"]}" }
    let tree = try JSONTree(parsing: Array("[\(items.joined(separator: ","))]".utf8))
    #expect(try JSONPath("$..tags[?@ == 'b']").nodes(in: tree.root).count == 2_000)
    #expect(try JSONPath("$[-1].id").value(in: tree.root) == 1_999)
  }

  @Test func `mutated queries trap nothing`() throws {
    var generator = RepeatableGenerator(seed: 9535)
    let tree = try JSONTree(parsing: Array(Self.document.utf8))
    let samples = [
      "$.store.books[?@.price >= 10 && (@.isbn || !@.tags)].title", "$..books[0:-1:2,'a',\"b\"]",
      "$[?match(@.title, '[^a-b\\\\p{Lu}]+x{1,2}|(y.)?$')]", "$[?length(@.a) == count($..b)]",
    ]
    var readable = 0
    for _ in 0..<5_000 {
      var bytes = Array(generator.pick(samples).utf8)
      for _ in 0..<generator.int(in: 1..<4) { bytes = generator.mutated(bytes) }
      if let path = try? JSONPath(String(decoding: bytes, as: UTF8.self)) {
        _ = try path.values(in: tree.root)
        readable += 1
      }
    }
    #expect((500..<4_500).contains(readable), "\(readable) of 5,000 were queries")
  }

  @Test func `a path below a part of a tree starts at that part`() throws {
    let root = try JSONTree(parsing: Array(Self.document.utf8)).root
    let store = try #require(root["store"])
    #expect(try JSONPath("$.length").first(in: store)?.int == 5)
    #expect(try JSONPath("$.books[?@.price == $.length]").first(in: store) == nil)
    #expect(try JSONPath("$.a[0]['b']").isSingular && !JSONPath("$.a[*]").isSingular)
  }

  private func select(_ query: String, isStrict: Bool = false) throws -> [JSONValue] {
    let tree = try JSONTree(parsing: Array(Self.document.utf8))
    return try JSONPath(query, isStrict: isStrict).values(in: tree.root)
  }
}
