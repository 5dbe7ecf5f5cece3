// What was seen of the texts at one place: their formats, and whether they are a few words.

import PostKitHTTP
import PostKitJSON

/// What was seen of texts.
struct InferredTexts {
  /// Texts that must have been seen before a format counts, and before a list of words does.
  private static let formatCount = 3
  private static let wordCount = 20
  private static let wordLimit = 8
  private static let wordBytes = 40

  private var count = 0
  private var formats = TextFormats.all
  /// The texts, each once, in the order in which they came; `nil` where they are too many, too
  /// long or secrets.
  private var words: [String]? = []

  /// Takes a text in.
  mutating func add(_ text: String) {
    count += 1
    if !formats.isEmpty { formats.formIntersection(TextFormats(of: text, among: formats)) }
    guard let known = words, !known.contains(text) else { return }
    let isWord =
      known.count < Self.wordLimit && text.utf8.count <= Self.wordBytes && !text.isEmpty
      && !text.contains(SecretMask.text)
    words = isWord ? known + [text] : nil
  }

  /// Lists no words from now on.
  mutating func hideWords() { words = nil }

  /// Takes in what another has seen.
  mutating func merge(_ other: InferredTexts) {
    count += other.count
    formats.formIntersection(other.formats)
    guard let own = words, let theirs = other.words else { return words = nil }
    let all = own + theirs.filter { !own.contains($0) }
    words = all.count <= Self.wordLimit ? all : nil
  }

  /// The members of a schema that say it: `format`, else `enum`.
  func members(listsWords: Bool, isNullable: Bool) -> [JSONMember] {
    if count >= Self.formatCount, let format = formats.name {
      return [JSONMember("format", .string(format))]
    }
    guard listsWords, count >= Self.wordCount, let words, !words.isEmpty else { return [] }
    let values = words.sorted().map(JSONValue.string) + (isNullable ? [.null] : [])
    return [JSONMember("enum", .array(values))]
  }
}

/// The formats that are told of texts.
struct TextFormats: OptionSet {
  let rawValue: UInt8

  static let dateTime = TextFormats(rawValue: 1)
  static let date = TextFormats(rawValue: 2)
  static let uuid = TextFormats(rawValue: 4)
  static let email = TextFormats(rawValue: 8)
  static let uri = TextFormats(rawValue: 16)
  static let ipv4 = TextFormats(rawValue: 32)
  static let all: TextFormats = [.dateTime, .date, .uuid, .email, .uri, .ipv4]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The formats that a text has, of those that are asked for.
  init(of text: String, among asked: TextFormats) {
    self = []
    let bytes = Array(text.utf8.prefix(2_049))
    guard !bytes.isEmpty, bytes.count <= 2_048 else { return }
    if asked.contains(.dateTime), Self.isDateTime(bytes) { insert(.dateTime) }
    if asked.contains(.date), bytes.count == 10, Self.isDate(bytes[...]) { insert(.date) }
    if asked.contains(.uuid), Self.fits(bytes[...], "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
      insert(.uuid)
    }
    if asked.contains(.email), bytes.contains(UInt8(ascii: "@")), !bytes.contains(0x25),
      IdentifierText.isAddress(text)
    {
      insert(.email)
    }
    if asked.contains(.uri), Self.isURI(bytes, text) { insert(.uri) }
    if asked.contains(.ipv4), Self.isIPv4(bytes) { insert(.ipv4) }
  }

  /// The word of the one format that is left; `nil` where there is none.
  var name: String? {
    switch self {
    case .dateTime: "date-time"
    case .date: "date"
    case .uuid: "uuid"
    case .email: "email"
    case .uri: "uri"
    case .ipv4: "ipv4"
    default: nil
    }
  }

  /// Whether bytes fit a pattern: `9` is a digit, `x` one of base 16, others stand for themselves.
  private static func fits(_ bytes: ArraySlice<UInt8>, _ pattern: String) -> Bool {
    bytes.count == pattern.utf8.count
      && zip(bytes, pattern.utf8).allSatisfy { byte, sign in
        switch sign {
        case UInt8(ascii: "9"): (48...57).contains(byte)
        case UInt8(ascii: "x"): Hex.value(byte) != nil
        default: byte == sign
        }
      }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard fits(bytes, "9999-99-99") else { return false }
    let start = bytes.startIndex
    let month = number(bytes[start + 5..<start + 7])
    let day = number(bytes[start + 8..<start + 10])
    guard (1...12).contains(month), day >= 1 else { return false }
    let year = number(bytes[start..<start + 4])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day <= lengths[month - 1]
  }

  /// RFC 3339, section 5.6.
  private static func isDateTime(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 20, isDate(bytes[..<10]), bytes[10] | 0x20 == UInt8(ascii: "t"),
      fits(bytes[11..<19], "99:99:99"), number(bytes[11..<13]) < 24,
      number(bytes[14..<16]) < 60, number(bytes[17..<19]) <= 60
    else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let end = rest.dropFirst().firstIndex { !(48...57).contains($0) } ?? rest.endIndex
      guard end > rest.startIndex + 1 else { return false }
      rest = rest[end...]
    }
    if rest.count == 1, let last = rest.first { return last | 0x20 == UInt8(ascii: "z") }
    guard rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") else { return false }
    return fits(rest.dropFirst(), "99:99") && number(rest.dropFirst().prefix(2)) < 24
      && number(rest.suffix(2)) < 60
  }

  private static func isURI(_ bytes: [UInt8], _ text: String) -> Bool {
    guard bytes.starts(with: "http".utf8), URLParts(text) != nil else { return false }
    return bytes.enumerated().allSatisfy { place, byte in
      byte == UInt8(ascii: "%")
        ? PercentEncoding.isEncoded(bytes, at: place, end: bytes.count)
        : ASCIISet.legalInURL.contains(byte)
    }
  }

  private static func isIPv4(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= 15 else { return false }
    let pieces = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return pieces.count == 4
      && pieces.allSatisfy { piece in
        (1...3).contains(piece.count) && piece.allSatisfy { (48...57).contains($0) }
          && (piece.count == 1 || piece.first != 48) && number(piece) < 256
      }
  }
}
