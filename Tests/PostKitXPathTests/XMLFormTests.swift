// Texts that are XML and texts that are not, with the place and the words of the first mistake.

import PostKitTestSupport
import Testing

@testable import PostKitXPath

struct XMLFormTests {
  @Test(
    "Each mistake has a sentence and stands where it is",
    arguments: [
      ("<a>\n  <b>⏩</c>⏪\n</a>", "this closing tag does not match the open element"),
      ("<a><b></b>⏩⏪", "an element is not closed"),
      ("<a/>\n⏩x⏪y", "nothing may follow the end of the outermost element"),
      ("<a/>⏩<⏪b/>", "nothing may follow the end of the outermost element"),
      ("⏩{⏪\"a\": 1}", "expected an element, such as `<name>`"),
      ("⏩⏪", "expected an element, such as `<name>`"),
      ("<a b=⏩1⏪/>", "the value of an attribute needs quotes"),
      ("<a b⏩/⏪>", "the attribute has no value"),
      ("<a b=\"1\" b=\"2\"⏩/⏪>", "the element has this attribute twice"),
      ("<a b=\"⏩<⏪\"/>", "`<` is not allowed in the value of an attribute; write `&lt;`"),
      ("<a>Tea &⏩ ⏪Milk</a>", "this `&` begins no entity; write `&amp;`"),
      (
        "<a>&nbsp;⏩<⏪/a>",
        "unknown entity; XML has `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`"
      ),
      ("<a>⏩]⏪]></a>", "`]]>` is not allowed in text; write `]]&gt;`"),
      ("<a><!-- x</a>⏩⏪", "the comment is not closed, or contains `--`"),
      (" <?xml⏩ ⏪version=\"1.0\"?><a/>", "the declaration must come first"),
    ])
  func mistakes(_ marked: String, _ explanation: String) throws {
    let text = MarkedText(marked)
    let found = try #require(XMLForm.mistake(in: text.bytes))
    #expect(found.explanation == explanation)
    #expect(found.range == text.selections.first ?? 0..<0)
  }

  @Test(
    "What is XML has none",
    arguments: [
      "<a/>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<a>é</a>\n",
      "<soap:Envelope xmlns:soap=\"urn:s\"><soap:Body/></soap:Envelope>",
      "<a>&#233;&amp;<![CDATA[<b>]]></a>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
    ])
  func texts(_ text: String) {
    #expect(XMLForm.mistake(in: Array(text.utf8)) == nil)
  }

  @Test func `A text that is too long to be looked at while somebody types has none`() {
    #expect(XMLForm.mistake(in: Array(repeating: 0x3C, count: XMLForm.textLimit + 1)) == nil)
  }

  @Test func `Entities that grow without an end are not expanded`() {
    var text = "<!DOCTYPE a [<!ENTITY x0 \"aaaaaaaaaa\">"
    for depth in 1...30 {
      text += "<!ENTITY x\(depth) \"&x\(depth - 1);&x\(depth - 1);&x\(depth - 1);\">"
    }
    #expect(XMLForm.mistake(in: Array((text + "]><a>&x30;</a>").utf8)) == nil)
  }
}
