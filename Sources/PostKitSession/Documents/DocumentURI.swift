// Documents are told apart by a normal form of their URI; clients get their own spelling back.

import PostKitRunner
import PostKitSupport

/// A document's URI (PROMISES.md D10; RFC 3986, section 6.2).
package struct DocumentURI: Sendable, Hashable, CustomStringConvertible {
  /// The URI as the client wrote it.
  package let spelling: String
  /// What equality looks at: percent-encoding resolved, scheme and drive letter in small letters.
  private let key: String

  /// Takes a URI from a client.
  package init(_ spelling: String) {
    self.spelling = spelling
    let (scheme, rest) = DocumentURI.split(spelling)
    guard scheme == "file" else {
      key = scheme.isEmpty ? spelling : scheme + ":" + DocumentURI.decoded(rest)
      return
    }
    key = "file:" + DocumentURI.path(ofFileURI: rest)
  }

  /// Makes the URI of an absolute path.
  package init(path: String) {
    self.init(
      "file://" + DocumentURI.encoded(path, keeping: "-._~/!$&'()*+,;=:@"))
  }

  /// A value of a query, with all that could end it escaped.
  package static func queryValue(_ text: String) -> String { encoded(text, keeping: "-._~:/*,") }

  /// A text in which all but letters, digits and some other characters of ASCII are escaped.
  private static func encoded(_ text: String, keeping others: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = ""
    for byte in text.utf8 {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || others.utf8.contains(byte)
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%"
        result.unicodeScalars.append(digits[Int(byte >> 4)])
        result.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return result
  }

  package var description: String { spelling }

  /// The absolute path of a `file:` URI; `nil` for any other.
  package var path: String? {
    key.hasPrefix("file:") ? String(key.dropFirst(5)) : nil
  }

  /// Whether it is a file whose ending says that it is data or another tool's, and no requests.
  package var isOfOtherTool: Bool {
    guard let path else { return false }
    let endings = ["json", "yaml", "yml", "har", "hurl", "bru"]
    return endings.contains(FilePath.fileExtension(path).lowercased())
  }

  /// Whether it is a file whose ending says that it is a script.
  package var isScript: Bool { path.map(ScriptFile.isNamedSo) ?? false }

  /// The scheme in small letters; empty where there is none.
  package var scheme: String { DocumentURI.split(spelling).scheme }

  /// How the history names the document: its path, else the URI.
  package var historyName: String { path ?? spelling }

  /// The parts of the path, percent-encoding resolved, without query and fragment.
  package var segments: [String] {
    DocumentURI.split(spelling).rest.prefix { $0 != "?" && $0 != "#" }
      .split(separator: "/").map(DocumentURI.decoded)
  }

  /// The query as a whole, percent-encoding resolved; empty where there is none.
  package var query: String { DocumentURI.decoded(writtenQuery) }

  /// The `name=value` pairs of the query, percent-encoding resolved; a name alone has no value.
  package var queryItems: [(name: String, value: String)] {
    let written = writtenQuery
    // VS Code encodes what stands between names, values and pairs, too.
    let isWhole = !written.contains("=")
    return (isWhole ? query[...] : written).split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      let value = item.dropFirst(name.count + 1)
      return isWhole
        ? (String(name), String(value)) : (DocumentURI.decoded(name), DocumentURI.decoded(value))
    }
  }

  private var writtenQuery: Substring {
    DocumentURI.split(spelling).rest.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
  }

  package static func == (left: DocumentURI, right: DocumentURI) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  private static func split(_ text: String) -> (scheme: String, rest: Substring) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text[...]) }
    let scheme = text[..<colon]
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "+-.".utf8.contains(byte)
      }
    return isScheme
      ? (scheme.lowercased(), text[text.index(after: colon)...]) : ("", text[...])
  }

  /// The path of what follows `file:`; an authority other than `localhost` stays in front of it.
  private static func path(ofFileURI rest: Substring) -> String {
    var rest = rest
    if let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
    var host = ""
    if rest.hasPrefix("//") {
      let afterSlashes = rest.dropFirst(2)
      let slash = afterSlashes.firstIndex(of: "/") ?? afterSlashes.endIndex
      host = decoded(afterSlashes[..<slash]).lowercased()
      rest = afterSlashes[slash...]
    }
    var path = decoded(rest)
    let letters = Array(path.utf8.prefix(3))
    // file:///C:/x and file:///c%3A/x are the same Windows path.
    if letters.count == 3, letters[0] == UInt8(ascii: "/"), letters[2] == UInt8(ascii: ":"),
      (65...90).contains(letters[1])
    {
      path = "/" + path.dropFirst().prefix(1).lowercased() + path.dropFirst(2)
    }
    if !host.isEmpty, host != "localhost" { path = "//" + host + path }
    return path
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = value(bytes[at + 1]),
        let low = value(bytes[at + 2])
      {
        output.append(high << 4 | low)
        at += 3
      } else {
        output.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
