// The words and the grammar of GraphQL: what is read, and what is told of what is broken.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLTreeTests {
  /// The nodes as nested words.
  private func shape(_ text: String, templates: Bool = true) -> String {
    let tree = GraphQLTree(parsing: Array(text.utf8), allowsTemplates: templates)
    func render(_ node: Int) -> String {
      let inner = tree.children(node).map(render).joined(separator: " ")
      let name = tree.name(node)
      let kind = "\(tree.nodes[node].kind)" + (name.isEmpty ? "" : ":" + name)
      return inner.isEmpty ? kind : "\(kind)(\(inner))"
    }
    return tree.children(0).map(render).joined(separator: " ")
  }

  private func problems(_ text: String) -> [String] {
    GraphQLTree(parsing: Array(text.utf8)).problems.map(\.message)
  }

  @Test(arguments: [
    ("{a}", "operation(selectionSet(field:a))"),
    ("\u{FEFF}{a,b}", "operation(selectionSet(field:a field:b))"),
    ("{a # b }\n}", "operation(selectionSet(field:a))"),
    ("query Q($a:[Int!]!=[1]){a}",
     "operation:Q(variableDefinitions(variableDefinition:a(type:Int list(int:1))) "
      + "selectionSet(field:a))"),
    ("{x:a(b:$c)@d}",
     "operation(selectionSet(field:a(alias:x arguments(argument:b(variable:c)) directive:d)))"),
    ("{...F ...on T{a} ...@d{b}}",
     "operation(selectionSet(fragmentSpread:F inlineFragment(type:T selectionSet(field:a)) "
      + "inlineFragment(directive:d selectionSet(field:b))))"),
    ("fragment F on T{a}", "fragmentDefinition:F(type:T selectionSet(field:a))"),
    ("{a(b:{c:-1.5e3,d:null,e:true,f:G})}",
     "operation(selectionSet(field:a(arguments(argument:b(object(objectField:c(float:-1.5e3) "
      + "objectField:d(null:null) objectField:e(boolean:true) objectField:f(enumValue:G)))))))"),
    ("type A implements & B & C{\"d\" a(b:Int=1):[A!]}",
     "objectType:A(implemented:B implemented:C "
      + "fieldDefinition:a(description:\"d\" inputValue:b(type:Int int:1) type:A))"),
    ("extend union U=|A|B", "union:U(unionMember:A unionMember:B)"),
    ("directive@d(a:A)repeatable on|FIELD|QUERY",
     "directiveDefinition:d(inputValue:a(type:A) directiveLocation:FIELD directiveLocation:QUERY)"),
    ("enum E{A B}input I{a:A=B}scalar S schema{query:Q}",
     "enumType:E(enumValueDefinition:A enumValueDefinition:B) "
      + "inputObject:I(inputValue:a(type:A enumValue:B)) scalar:S "
      + "schema(rootOperation:query(type:Q))"),
  ])
  func `a text has its nodes`(text: String, expected: String) {
    #expect(shape(text) == expected)
    #expect(problems(text).isEmpty)
  }

  @Test(arguments: [
    ("{ {a} }", "Expected a field before `{`"),
    ("{a", "`{` is not closed"),
    ("{a(b:1 {c}}", "`(` is not closed"),
    ("{}", "Expected a field between the brackets"),
    ("{a()}", "Expected an argument between the brackets"),
    ("{a(b)}", "Expected `:` and a value"),
    ("{a(b:)}", "Expected a value"),
    ("{a(b:[1,)}", "`[` is not closed"),
    ("{a(b:\"c)}", "The string has no closing quotes"),
    ("{a(b:01)}", "This is not a number of GraphQL"),
    ("{a(b:1.)}", "This is not a number of GraphQL"),
    ("{a(b:1x)}", "This is not a number of GraphQL"),
    ("{a(b:\"\\q\")}", "This is not an escape that GraphQL knows"),
    ("{a(b:\"\\u12\")}", "This is not an escape that GraphQL knows"),
    ("{a ; b}", "GraphQL has no such character outside of strings"),
    ("{..A}", "A fragment is spread with three points"),
    ("quer {a}", "Expected `query`, `mutation`, `subscription` or `fragment`"),
    ("query Q($a){a}", "Expected `:` and the variable's type"),
    ("query Q(){a}", "Expected a variable between the brackets"),
    ("fragment on T{a}", "Expected the fragment's name"),
    ("fragment F{a}", "Expected `on` and a type"),
    ("query Q", "Expected a selection, `{ … }`"),
  ])
  func `a mistake is told in plain words`(text: String, message: String) {
    #expect(problems(text).first == message, "\(problems(text))")
  }

  @Test func `a definition at the beginning of a line ends one that is not closed`() {
    let text = "query A {\n  a {\n    b\nquery B { c }\nfragment F on T { d }\n"
    #expect(
      shape(text)
        == "operation:A(selectionSet(field:a(selectionSet(field:b)))) "
        + "operation:B(selectionSet(field:c)) fragmentDefinition:F(type:T selectionSet(field:d))")
    #expect(problems(text) == ["`{` is not closed", "`{` is not closed"])
  }

  @Test(arguments: [
    "{ user(id: {{id}}, n: 1{{x}}, s: \"{{a(\"b\")}}\") { {{fields}} na{{me}} ...{{f}} } }",
    "query {{name}}($a: {{type}}) { a(b: [{{x}}, $a], c: {d: {{y}}}) }", "{{everything}}",
    "{ a @{{d}} {{selection}} }", "fragment F {{condition}} { a }", "query Q {{selection}}",
    "query {{rest}}", "{ ... on T {{selection}} }",
  ])
  func `a template is no mistake wherever it stands`(text: String) {
    #expect(problems(text).isEmpty)
    #expect(request(text).findings().filter { $0.rule == .syntax }.isEmpty)
  }

  @Test(arguments: [
    (#""a\n\"\\\/\u00e9\u{1F600}\uD83D\uDE00""#, "a\n\"\\/é😀😀"),
    (#""\uD83D""#, "\u{FFFD}"),
    ("\"\"\"\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  \"\"\"",
     "Hello,\n  World!\n\nYours,\n  GraphQL."),
    ("\"\"\"a\r\n  b\r\n\tc\"\"\"", "a\n b\nc"),
    (#""""a \""" b""""#, #"a """ b"#),
    ("\"\"\"\"\"\"", ""), ("\"\"", ""), ("\"\"\"\n \n\t\n\"\"\"", ""),
  ])
  func `a string says what its escapes and indentation mean`(source: String, expected: String) {
    #expect(GraphQLString.value(Array(source.utf8)[...]) == expected)
  }

  @Test func `a text that is quoted reads as itself`() {
    var generator = RepeatableGenerator(seed: 5)
    for _ in 0..<300 {
      let text = String(
        String.UnicodeScalarView(
          (0..<generator.int(in: 0..<8)).map { _ in
            generator.pick(["\"", "\\", "\n", "\t", "é", "😀", "a", " ", "\u{1}", "\u{7F}", "{"])
          }))
      #expect(GraphQLString.value(Array(GraphQLString.quoted(text).utf8)[...]) == text)
    }
  }
}
