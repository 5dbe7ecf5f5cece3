// XPath on documents, with what goes wrong.

import PostKitTestSupport
import Testing

@testable import PostKitXPath

@Suite struct XPathTests {
  private let shop = """
    <?xml version="1.0"?>
    <shop open="yes"><item id="7">Tea &amp; Milk</item><item id="8"><b>Öl</b> 5 €</item>\
    <note><![CDATA[a < b]]></note><!-- later --></shop>
    """

  private func value(
    _ expression: String, in document: String, isHTML: Bool = false,
    namespaces: [XPathNamespace] = []
  ) throws -> XPathValue? {
    try XPath(expression).value(in: Array(document.utf8), isHTML: isHTML, namespaces: namespaces)
  }

  private func failure(_ expression: String, in document: String = "<a/>") -> XPathFailure? {
    do throws(XPathFailure) {
      _ = try XPath(expression).value(in: Array(document.utf8), isHTML: false)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    // An element is what stands inside of it, as it is written.
    ("/shop/item", XPathValue.string("Tea &amp; Milk")),
    ("//item[2]", .string("<b>Öl</b> 5 €")),
    ("//note", .string("<![CDATA[a < b]]>")),
    // Anything else is its value.
    ("//item/text()", .string("Tea & Milk")), ("//note/text()", .string("a < b")),
    ("//item[last()]/@id", .string("8")), ("/shop/comment()", .string(" later ")),
    // A relative path begins at the document.
    ("shop/item/@id", .string("7")),
    // Functions and operators.
    ("count(//item)", .number("2")), ("sum(//@id) div 2", .number("7.5")),
    ("number('x')", .number("NaN")), ("//item/@id = 8", .bool(true)),
    ("string(//item[2])", .string("Öl 5 €")), ("name(/*)", .string("shop")),
  ])
  func valuesOfExpressions(_ expression: String, _ expected: XPathValue) throws {
    #expect(try value(expression, in: shop) == expected)
  }

  @Test func theDocumentIsWrittenWhole() throws {
    #expect(try value("/", in: "<?xml version='1.0'?>\n<a><b/></a>") == .string("<a><b/></a>"))
  }

  @Test func nothingFoundIsNoValue() throws {
    #expect(try value("//none", in: shop) == nil)
    #expect(try value("/shop/item[9]/@id", in: shop) == nil)
  }

  @Test(arguments: [
    // Prefixes mean what the author says, else what the document says.
    ("//x:id", [XPathNamespace(prefix: "x", uri: "urn:n")], "1"),
    ("//e:head/@lang", [], "en"),
    // Names without a prefix are found whatever their namespace is.
    ("//id", [], "1"), ("/env/head/@lang", [], "en"),
    // Also where others have one.
    ("/e:env/body/id", [], "1"), ("//other", [XPathNamespace(prefix: "x", uri: "urn:n")], "2"),
  ])
  func namespaces(_ expression: String, _ namespaces: [XPathNamespace], _ expected: String) throws {
    let document = """
      <e:env xmlns:e="urn:e"><e:head e:lang="en" lang="en"/>\
      <body xmlns="urn:n"><id>1</id></body><other>2</other></e:env>
      """
    #expect(try value(expression, in: document, namespaces: namespaces) == .string(expected))
  }

  @Test func theInsideKeepsItsPrefixesWhenTheyAreLookedThrough() throws {
    let document = #"<r xmlns:p="urn:p"><p:a><p:b p:c="1">x</p:b></p:a></r>"#
    #expect(try value("/r/a", in: document) == .string(#"<p:b p:c="1">x</p:b>"#))
  }

  @Test func pagesNeedNotBeWellFormed() throws {
    let page = "<!doctype html><title>Hi</title><p class=lead>One<br>Two<p>Three"
    #expect(try value("//p[@class='lead']", in: page, isHTML: true) == .string("One<br>Two"))
    #expect(try value("string(//title)", in: page, isHTML: true) == .string("Hi"))
  }

  @Test(arguments: [
    ("//item[", 7, "this is not XPath 1.0"),
    ("//item[1", 8, "the predicate can't be read; close it with `]`"),
    ("//a[@b='c]", 10, "the closing quote is missing"),
    // What only evaluating shows concerns the whole.
    ("nope()", 0, "XPath 1.0 has no such function"),
    ("count()", 0, "the function takes another number of arguments"),
    ("//q:a", 0, "unknown prefix; define it with `@xpath_ns prefix=uri`"),
    ("$x", 0, "PostKit gives XPath no variables; write the value itself"),
    ("", 0, "this is not XPath 1.0"), ("a\0b", 1, "a NUL byte is not allowed"),
  ])
  func mistakesHaveAPlace(_ expression: String, _ offset: Int, _ explanation: String) {
    #expect(failure(expression) == .expression(offset: offset, explanation: explanation))
  }

  @Test func formIsCheckedWithoutADocument() {
    #expect(XPath("//a[@b='1']/text()").problem == nil)
    #expect(
      XPath("//a[").problem == .expression(offset: 4, explanation: "this is not XPath 1.0"))
  }

  @Test func brokenDocumentsAreExplained() {
    #expect(failure("//a", in: "") == .document("line 1: Document is empty"))
    #expect(
      failure("//a", in: "<a>\n<b></a>")
        == .document("line 2: Opening and ending tag mismatch: b line 2 and a"))
  }

  @Test func entitiesAreNotExpanded() throws {
    let doubling = (1...30).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);'>" }.joined()
    let bomb = "<!DOCTYPE a [<!ENTITY e0 'x'>\(doubling)]><a>&e30;</a>"
    let file = #"<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&f;</a>"#
    let refused = XPathFailure.document(
      "line 1 uses an entity that the document declares or nobody does, and such entities are not "
        + "expanded")
    #expect(failure("string(//a)", in: bomb) == refused)
    #expect(failure("string(//a)", in: file) == refused)
    #expect(failure("string(//a)", in: "<!DOCTYPE a [%p;]><a>&b;</a>") != nil)
    #expect(try value("string(/a)", in: "<a>&lt;&#65;</a>") == .string("<A"))
  }

  @Test func hostileExpressionsEnd() {
    let wide = "<a>" + String(repeating: "<b/>", count: 3_000) + "</a>"
    let slow = "count(//b[count(//b[count(//b) > 0]) > 0])"
    #expect(
      failure(slow, in: wide)
        == .expression(
          offset: 0, explanation: "it takes too many steps on this document; write a narrower path"))
    let nested = String(repeating: "(", count: 1_900)
    #expect(failure(nested) == .expression(offset: 40, explanation: "this is nested too deeply"))
    #expect(
      failure(String(repeating: "a/", count: 5_000))
        == .expression(offset: 0, explanation: "an expression may have 2000 bytes"))
    // The longest chains that the limit lets through.
    #expect(failure(String(repeating: "-", count: 1_900) + "1") == nil)
    #expect(failure("1" + String(repeating: "+1", count: 990)) == nil)
    #expect(failure("a" + String(repeating: "|a", count: 990)) == nil)
    #expect(failure("a" + String(repeating: "[1]", count: 600)) == nil)
  }

  @Test func deepAndLargeDocumentsAreRefused() {
    let deep = String(repeating: "<a>", count: 100_000)
    guard case .document = failure("//a", in: deep) else {
      Issue.record("a deep document should be refused")
      return
    }
    let large = [UInt8](repeating: 32, count: XPath.documentLimit + 1)
    #expect(throws: XPathFailure.document("it has more than 32 MB")) {
      try XPath("/a").value(in: large, isHTML: false)
    }
  }

  @Test func aMissingLibraryIsNamed() {
    guard case .failure(let missing) = XPathLibrary.open(["libnone.so.2", "libc.so.6"]) else {
      Issue.record("these are no libxml2")
      return
    }
    #expect(missing.explanation.contains("libnone.so.2: cannot open shared object file"))
    #expect(missing.explanation.contains("it has no function xmlInitParser"))
    #expect(missing.explanation.hasSuffix("with `apt install libxml2`"))
  }
}
