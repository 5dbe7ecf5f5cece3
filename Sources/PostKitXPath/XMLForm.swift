// Whether a text is XML, with the place of the first mistake and what it is.

import CXPath

/// What keeps a text from being XML.
package struct XMLFormMistake: Sendable, Hashable {
  /// The bytes at which it shows: one, unless a whole tag is wrong; none at the end of a text.
  package var range: Range<Int>
  /// What it is, as a clause.
  package var explanation: String
}

/// The form of XML texts.
package enum XMLForm {
  /// Bytes of a text that is looked at while somebody types.
  static let textLimit = 4 << 20

  /// The first mistake of a text of UTF-8; `nil` where there is none, or where nothing can tell:
  /// there is no library, or the text is too long.
  package static func mistake(in text: [UInt8]) -> XMLFormMistake? {
    guard text.count <= textLimit, case .success = XPathLibrary.version else { return nil }
    var result = text.withUnsafeBytes { bytes in
      // An empty array may have no address.
      guard let start = bytes.baseAddress else { return postkit_xml_check("", 0) }
      return postkit_xml_check(start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    defer { postkit_xpath_free(&result) }
    guard result.kind == POSTKIT_XPATH_BAD_DOCUMENT else { return nil }
    // Entities are never expanded, so that those of the document can't be told from unknown ones.
    if result.code == 26, text.declaresType { return nil }
    let end = min(result.offset, text.count)
    var range = end..<min(end + 1, text.count)
    // The whole of a closing tag has been read when it turns out not to fit.
    if result.code == 76, let start = text[..<end].lastIndex(of: UInt8(ascii: "<")) {
      range = start..<end
    }
    let isAfterAmpersand = text[..<end].last == UInt8(ascii: "&")
    // A missing name of an entity is told like that of an element.
    let code = result.code == 68 && isAfterAmpersand ? 22 : Int(result.code)
    return XMLFormMistake(range: range, explanation: explanation(code))
  }

  /// The words for libxml2's numbers (`xmlParserErrors`). Its own messages count lines from the
  /// start of the body, which would be read as lines of the file.
  private static func explanation(_ code: Int) -> String {
    switch code {
    case 3, 4: "expected an element, such as `<name>`"
    case 5, 85, 86: "nothing may follow the end of the outermost element"
    case 6, 7, 8: "this is not a character reference; write `&#233;` or `&#xE9;`"
    case 9: "this character is not allowed in XML"
    case 22, 23: "this `&` begins no entity; write `&amp;`"
    case 26: "unknown entity; XML has `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`"
    case 33, 39: "the value of an attribute needs quotes"
    case 34, 40: "the quotes around the value of an attribute are not closed"
    case 38: "`<` is not allowed in the value of an attribute; write `&lt;`"
    case 41: "the attribute has no value"
    case 42: "the element has this attribute twice"
    case 45, 80: "the comment is not closed, or contains `--`"
    case 46, 47: "the instruction is not closed with `?>`"
    case 56, 57: "the declaration is not closed with `?>`"
    case 61: "the document type is not closed with `>`"
    case 62: "`]]>` is not allowed in text; write `]]&gt;`"
    case 63: "the section is not closed with `]]>`"
    case 64: "the declaration must come first"
    case 65: "a space is missing before this"
    case 68: "a name is missing here"
    case 73: "the tag is not closed with `>`"
    case 76: "this closing tag does not match the open element"
    case 77, 74: "an element is not closed"
    case 96: "the declaration lacks the version; write `version=\"1.0\"`"
    default: "unexpected text"
    }
  }
}

extension [UInt8] {
  /// Whether a document type stands in it.
  fileprivate var declaresType: Bool {
    let word = Array("<!DOCTYPE".utf8)
    return indices.contains { self[$0] == word[0] && self[$0...].starts(with: word) }
  }
}
