// Where a mistake of syntax is, found with a parser that reads from left to right.

@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// A parser of brackets that tells no place: the first closing bracket that fits no open one.
private func brackets(_ text: String) -> String? {
  var open: [Character] = []
  for character in text {
    switch character {
    case "(", "[", "{": open.append(character)
    case ")", "]", "}":
      let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
      guard open.last == pairs[character] else {
        return "Unexpected token '\(character)'. Expected ')' to end an argument list."
      }
      open.removeLast()
    default: break
    }
  }
  return open.isEmpty ? nil : "Unexpected end of script"
}

struct ScriptSyntaxSearchTests {
  @Test(arguments: [
    ("client.log(1⏩]⏪\nclient.log(2)", 1, "Expected `)` before `]`."),
    ("a()\nb(c, d⏩}⏪ + 1) // e", 2, "Expected `)` before `}`."),
    ("a(b); { c⏩(⏪", 1, "This `(` is not closed."),
  ])
  func `The shortest beginning with the mistake tells its place`(
    marked: String, line: Int, message: String
  ) async throws {
    let text = MarkedText(marked)
    let tokens = ScriptTokens(text.bytes[...])
    let told = try #require(brackets(String(decoding: text.bytes, as: UTF8.self)))
    var checks = 0
    let found = await tokens.mistake(told, line: line) { prefix in
      checks += 1
      return brackets(prefix)
    }
    #expect(found.message == message)
    #expect(found.range == text.selections.first)
    #expect(checks <= 6)
  }

  @Test func `The bracket that is open at the end is shown`() async {
    let tokens = ScriptTokens(Array("a(b); f(() => { c(1)".utf8)[...])
    let found = await tokens.mistake("Unexpected end of script", line: 1) { _ in nil }
    #expect(tokens.text(found.range) == "{")
  }

  @Test func `Where no beginning says the same the line is shown`() async {
    let tokens = ScriptTokens(Array("a\n  b c\n".utf8)[...])
    let found = await tokens.mistake("Odd", line: 2) { _ in nil }
    #expect(tokens.text(found.range) == "b c")
    #expect(found.message == "Odd")
  }

  @Test(arguments: [
    ("Unexpected token ';'. Expected ')' to end an argument list.", "Expected `)` before `;`."),
    ("Unexpected identifier 'b'", "`b` can't stand here. Is an operator or a comma missing?"),
    ("Unexpected keyword 'if'", "The keyword `if` can't stand here."),
    ("Cannot declare a const variable twice: 'a'.", "`a` is declared twice. Rename one."),
    ("Unexpected EOF", "The script ends before something in it is closed."),
    (
      "Unexpected token '='. Expected a parameter pattern or a ')' in parameter list.",
      "Expected a parameter or `)` before `=`."
    ),
    ("Something new.", "Something new."),
  ])
  func `Messages are said in plain words`(message: String, expected: String) {
    #expect(ScriptSyntaxMessage.reworded(message) == expected)
  }
}
