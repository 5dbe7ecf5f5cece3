// Finds long secrets in bytes, in every spelling in which they travel.

/// Finds secrets anywhere: as they are, percent-encoded, escaped as in JSON or HTML, hexadecimal,
/// in base64 wherever they stand in what was encoded, and inside the credentials of `Basic`.
struct SecretSearch: Sendable {
  /// The secrets and their fixed forms by first byte, the longest first.
  private var exact = [[Spelling]](repeating: [], count: 256)
  /// The secrets alone by first byte, which may also be found byte by byte in escapes; none for
  /// bytes that begin an escape, where it can be any.
  private var escaped = [[[UInt8]]](repeating: [], count: 256)
  /// The secrets, the longest first.
  private var secrets: [[UInt8]] = []
  private var known: Set<[UInt8]> = []
  /// Which pairs of bytes may begin a spelling: a bit for each.
  private var pairs = [UInt64](repeating: 0, count: 1 << 10)

  /// The search for nothing.
  static let none = SecretSearch([])

  init(_ plain: Set<[UInt8]>) { add(plain) }

  /// Looks for more secrets from now on. What is known stays as it is: scripts may set a thousand
  /// secrets one by one.
  mutating func add(_ plain: Set<[UInt8]>) {
    let fresh = plain.subtracting(known)
    if fresh.isEmpty { return }
    if known.isEmpty { allowMarkers() }
    known.formUnion(fresh)
    // The longest first, so that each goes behind those that came before it.
    for bytes in fresh.sorted(by: { $0.count > $1.count }) {
      for spelling in Spelling.all(bytes) {
        exact[Int(spelling.bytes[0])].insertByLength(spelling) { $0.bytes.count }
        allow(spelling.bytes[0], spelling.bytes[1])
      }
      secrets.insertByLength(bytes) { $0.count }
      guard !SecretSearch.markers.contains(bytes[0]) else { continue }
      escaped[Int(bytes[0])].insertByLength(bytes) { $0.count }
      for byte in SecretSearch.markers { allow(bytes[0], byte) }
    }
  }

  /// The bytes that begin an escape.
  private static let markers = Array("%\\+&".utf8)

  /// Any secret may begin with an escape, and with the word `Basic`.
  private mutating func allowMarkers() {
    for byte in SecretSearch.markers {
      for word in 0..<4 { pairs[Int(byte) << 2 + word] = .max }
    }
    for first in "bB".utf8 {
      for second in "aA".utf8 { allow(first, second) }
    }
  }

  private mutating func allow(_ first: UInt8, _ second: UInt8) {
    let pair = Int(first) << 8 | Int(second)
    pairs[pair >> 6] |= 1 << UInt64(pair & 63)
  }

  var isEmpty: Bool { secrets.isEmpty }

  /// The bytes with each run of secrets replaced by one mask; `nil` where there is none.
  func replacing(in bytes: [UInt8]) -> [UInt8]? {
    guard !isEmpty else { return nil }
    var ranges: [Range<Int>] = []
    bytes.withUnsafeBufferPointer { buffer in
      pairs.withUnsafeBufferPointer { pairs in
        guard buffer.count > 1 else { return }
        for at in 0..<buffer.count - 1 {
          let pair = Int(buffer[at]) << 8 | Int(buffer[at + 1])
          guard pairs[pair >> 6] & 1 << UInt64(pair & 63) != 0, let range = match(buffer, at) else {
            continue
          }
          if let last = ranges.last, range.lowerBound <= last.upperBound {
            let end = max(last.upperBound, range.upperBound)
            ranges[ranges.count - 1] = last.lowerBound..<end
          } else {
            ranges.append(range)
          }
        }
      }
    }
    return ranges.isEmpty ? nil : SecretMask.replace(ranges, in: bytes, with: SecretMask.text)
  }

  private func match(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Range<Int>? {
    let first = Int(bytes[at])
    for spelling in exact[first] where matches(spelling.bytes, bytes, at) {
      return spelling.range(in: bytes, at: at)
    }
    for needle in SecretSearch.markers.contains(bytes[at]) ? secrets : escaped[first] {
      let end = matchPercent(needle, bytes, at)
        ?? match(needle, bytes, at, marker: UInt8(ascii: "\\"), isText: false, JSONText.escape)
        ?? match(needle, bytes, at, marker: UInt8(ascii: "&"), isText: true, MarkupText.reference)
      if let end { return at..<end }
    }
    return basic(bytes, at)
  }

  private func matches(_ needle: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    guard at + needle.count <= bytes.count else { return false }
    for offset in 0..<needle.count where bytes[at + offset] != needle[offset] { return false }
    return true
  }

  /// Compares with percent-encoding undone, whichever bytes the sender chose to encode.
  private func matchPercent(
    _ needle: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> Int? {
    var at = start
    for wanted in needle {
      guard at < bytes.count else { return nil }
      var byte = bytes[at]
      var length = 1
      if byte == UInt8(ascii: "%"), at + 2 < bytes.count, let high = Hex.value(bytes[at + 1]),
        let low = Hex.value(bytes[at + 2])
      {
        byte = high << 4 | low
        length = 3
      } else if byte == UInt8(ascii: "+"), wanted == 0x20 {
        byte = 0x20
      }
      guard byte == wanted else { return nil }
      at += length
    }
    return at
  }

  /// Compares with escapes undone, which `read` reads where `marker` begins one. `isText` is
  /// whether a marker may also stand for itself, as in HTML and not in JSON.
  private func match(
    _ needle: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, marker: UInt8,
    isText: Bool, _ read: (UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], length: Int)?
  ) -> Int? {
    var (at, index) = (start, 0)
    while index < needle.count {
      guard at < bytes.count else { return nil }
      if bytes[at] == marker, let escape = read(UnsafeBufferPointer(rebasing: bytes[at...])),
        needle[index...].starts(with: escape.bytes)
      {
        at += escape.length
        index += escape.bytes.count
        continue
      }
      guard bytes[at] == needle[index], isText || bytes[at] != marker else { return nil }
      at += 1
      index += 1
    }
    return at
  }

  /// The credentials after the word `Basic` when they decode to something with a secret in it.
  private func basic(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Range<Int>? {
    let word: StaticString = "basic "
    guard at + word.utf8CodeUnitCount < bytes.count else { return nil }
    for offset in 0..<word.utf8CodeUnitCount
    where bytes[at + offset].asciiLowercased != word.utf8Start[offset] {
      return nil
    }
    let start = at + word.utf8CodeUnitCount
    let token = bytes[start...].prefix {
      $0 >= 48 && $0 <= 57 || $0 >= 65 && $0 <= 90 || $0 >= 97 && $0 <= 122
        || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=")
    }
    guard token.count <= 4096,
      let decoded = Base64.decode(String(decoding: token, as: UTF8.self), requiresPadding: false),
      secrets.contains(where: { contains(decoded, $0) })
    else { return nil }
    return start..<token.endIndex
  }

  private func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return bytes.withUnsafeBufferPointer { buffer in
      (0...buffer.count - needle.count).contains { matches(needle, buffer, $0) }
    }
  }
}

extension Array {
  /// Puts an element behind those that are as long or longer.
  fileprivate mutating func insertByLength(_ element: Element, _ length: (Element) -> Int) {
    let own = length(element)
    var (low, high) = (0, count)
    // Those that come in order go to the end.
    if let last, length(last) >= own { low = count }
    while low < high {
      let middle = (low + high) / 2
      if length(self[middle]) >= own { low = middle + 1 } else { high = middle }
    }
    insert(element, at: low)
  }
}

/// Bytes that stand for a secret, whatever is around them.
private struct Spelling: Sendable {
  let bytes: [UInt8]
  /// Whether it is base64, and which characters beside it have bits of the secret, too.
  var isBase64 = false
  var sharesFirst = false
  var sharesLast = false

  /// All spellings of a secret that are not found byte by byte.
  static func all(_ secret: [UInt8]) -> [Spelling] {
    var result = [Spelling(bytes: secret)]
    let digits = Hex.encode(secret)
    result += [digits, digits.uppercased()].map { Spelling(bytes: Array($0.utf8)) }
    // What is encoded in threes has one of three forms in the middle of a text.
    for before in 0..<3 {
      let whole = Base64.encodedBytes([UInt8](repeating: 0, count: before) + secret)
      let inner = whole[(before * 8 + 5) / 6..<(before + secret.count) * 8 / 6]
      var spelling = Spelling(bytes: Array(inner), isBase64: true)
      spelling.sharesFirst = before > 0
      spelling.sharesLast = inner.endIndex < whole.endIndex
      result.append(spelling)
      let (plus, slash) = (UInt8(ascii: "+"), UInt8(ascii: "/"))
      guard inner.contains(where: { $0 == plus || $0 == slash }) else { continue }
      var other = Spelling(
        bytes: inner.map {
          $0 == plus ? UInt8(ascii: "-") : $0 == slash ? UInt8(ascii: "_") : $0
        }, isBase64: true)
      (other.sharesFirst, other.sharesLast) = (spelling.sharesFirst, spelling.sharesLast)
      result.append(other)
    }
    return result
  }

  /// What has to be covered where the spelling stands.
  func range(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Range<Int> {
    var (start, end) = (start, start + bytes.count)
    guard isBase64 else { return start..<end }
    if sharesFirst, start > 0, Spelling.isBase64(text[start - 1]) { start -= 1 }
    if sharesLast, end < text.count, Spelling.isBase64(text[end]) { end += 1 }
    // The padding tells the length of a secret at the end.
    while end < text.count, text[end] == UInt8(ascii: "=") { end += 1 }
    return start..<end
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte >= 48 && byte <= 57 || byte | 0x20 >= 97 && byte | 0x20 <= 122
      || "+/-_".utf8.contains(byte)
  }
}

/// As much of JSON as masking needs; this target may not import the parser.
enum JSONText {
  /// Whether a byte can be part of a number or a bare word.
  static func isBare(_ byte: UInt8) -> Bool {
    byte >= 48 && byte <= 57 || byte | 0x20 >= 97 && byte | 0x20 <= 122
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  /// The bytes that the escape at the start stands for, and its length.
  static func escape(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], length: Int)? {
    guard bytes.count >= 2 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "u"):
      guard let high = unit(bytes, 2) else { return nil }
      if high & 0xFC00 == 0xD800, bytes.count >= 12, bytes[6] == UInt8(ascii: "\\"),
        bytes[7] == UInt8(ascii: "u"), let low = unit(bytes, 8), low & 0xFC00 == 0xDC00
      {
        let value = 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF
        return Unicode.Scalar(value).map { (Array(String($0).utf8), 12) }
      }
      return Unicode.Scalar(high).map { (Array(String($0).utf8), 6) }
    default: return ([bytes[1]], 2)
    }
  }

  /// The text between the quotes of a string, escapes undone where they are valid.
  static func unescape(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
    var output: [UInt8] = []
    Array(bytes).withUnsafeBufferPointer { buffer in
      var at = 0
      while at < buffer.count {
        if buffer[at] == UInt8(ascii: "\\"),
          let escape = escape(UnsafeBufferPointer(rebasing: buffer[at...]))
        {
          output.append(contentsOf: escape.bytes)
          at += escape.length
        } else {
          output.append(buffer[at])
          at += 1
        }
      }
    }
    return output
  }

  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = Hex.value(bytes[at + offset]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
