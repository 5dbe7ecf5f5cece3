// What a plain scalar means: the core schema of YAML 1.2, without what older readers make of words.

import PostKitJSON

/// What a scalar is.
enum YAMLScalar: Hashable {
  case null
  case bool(Bool)
  /// A number whose text is JSON's as it stands.
  case number
  /// A number in JSON's form, where YAML's is another one, such as `.5` or `0x1F`.
  case converted(String)
  /// An infinity or no number at all, which JSON can't say.
  case notFinite
  /// A number of more digits than are converted.
  case huge
  case string

  /// How many digits of another base than ten are converted; the work grows with their square.
  static let digitLimit = 256

  /// What a plain scalar is. `yes`, `no`, `on`, `off`, `0777`, `1_000`, `12:30` and dates are
  /// strings (IO-26).
  init(plain text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else {
      self = .null
      return
    }
    switch first {
    case UInt8(ascii: "~") where text.count == 1: self = .null
    case UInt8(ascii: "n"), UInt8(ascii: "N"):
      self = Self.isWord(text, "null", "Null", "NULL") ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"):
      self = Self.isWord(text, "true", "True", "TRUE") ? .bool(true) : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      self = Self.isWord(text, "false", "False", "FALSE") ? .bool(false) : .string
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      self = YAMLNumber(text).scalar
    default: self = .string
    }
  }

  /// The value of a plain scalar.
  static func value(plain text: String) -> JSONValue {
    var copy = text
    return copy.withUTF8 { buffer in
      switch YAMLScalar(plain: buffer) {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .number: .number(text)
      case .converted(let digits): .number(digits)
      case .notFinite, .huge, .string: .string(text)
      }
    }
  }

  /// Whether a text is one of three spellings of a word.
  private static func isWord(
    _ text: UnsafeBufferPointer<UInt8>, _ small: StaticString, _ mixed: StaticString,
    _ large: StaticString
  ) -> Bool {
    equals(text, small) || equals(text, mixed) || equals(text, large)
  }

  /// Whether a text is a word, byte for byte.
  static func equals(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for at in 0..<text.count where text[at] != word.utf8Start[at] { return false }
    return true
  }
}

/// The parts of a number as YAML writes it.
struct YAMLNumber {
  /// What the text is.
  private(set) var scalar = YAMLScalar.string
  /// Whether it has no fraction and no exponent.
  private(set) var isInteger = false

  private let text: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// Reads a text; with `strips` zeros before the digits are left out and not taken for a string.
  init(_ text: UnsafeBufferPointer<UInt8>, strips: Bool = false) {
    self.text = text
    scalar = read(strips: strips)
  }

  private mutating func read(strips: Bool) -> YAMLScalar {
    guard let first = text.first else { return .string }
    if first == UInt8(ascii: "0"), text.count > 2 {
      if text[1] == UInt8(ascii: "o") { return based(8) }
      if text[1] == UInt8(ascii: "x") { return based(16) }
    }
    let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    if isSigned { at = 1 }
    let rest = UnsafeBufferPointer(rebasing: text[at...])
    for word in [".inf", ".Inf", ".INF"] as [StaticString] where YAMLScalar.equals(rest, word) {
      return .notFinite
    }
    for word in [".nan", ".NaN", ".NAN"] as [StaticString]
    where !isSigned && YAMLScalar.equals(rest, word) {
      return .notFinite
    }
    return decimal(sign: first, strips: strips)
  }

  /// Reads `digits . digits e digits`.
  private mutating func decimal(sign: UInt8, strips: Bool) -> YAMLScalar {
    var whole = digits()
    let hasZeros = whole.count > 1 && text[whole.lowerBound] == UInt8(ascii: "0")
    if hasZeros {
      guard strips else { return .string }
      while whole.count > 1, text[whole.lowerBound] == UInt8(ascii: "0") {
        whole = whole.lowerBound + 1..<whole.upperBound
      }
    }
    var fraction: Range<Int>?
    if at < text.count, text[at] == UInt8(ascii: ".") {
      at += 1
      fraction = digits()
    }
    guard !whole.isEmpty || fraction?.isEmpty == false else { return .string }
    let power = at
    if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < text.count, text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") {
        at += 1
      }
      guard !digits().isEmpty else { return .string }
    }
    guard at == text.count else { return .string }
    isInteger = fraction == nil && power == text.count
    if sign != UInt8(ascii: "+"), !hasZeros, !whole.isEmpty, fraction?.isEmpty != true {
      return .number
    }
    var result = sign == UInt8(ascii: "-") ? "-" : ""
    result += whole.isEmpty ? "0" : string(whole)
    if let fraction { result += fraction.isEmpty ? ".0" : "." + string(fraction) }
    return .converted(result + string(power..<text.count))
  }

  private mutating func digits() -> Range<Int> {
    let start = at
    while at < text.count, text[at] >= 48, text[at] <= 57 { at += 1 }
    return start..<at
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }

  /// Reads `0o17` or `0x1F` into decimal digits.
  private mutating func based(_ base: UInt64) -> YAMLScalar {
    // Nine decimal digits each, the lowest first.
    var limbs: [UInt64] = [0]
    for byte in text[2...] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < base else {
        return .string
      }
      if text.count - 2 > YAMLScalar.digitLimit { continue }
      var carry = UInt64(digit)
      for index in limbs.indices {
        let value = limbs[index] * base + carry
        limbs[index] = value % 1_000_000_000
        carry = value / 1_000_000_000
      }
      if carry > 0 { limbs.append(carry) }
    }
    isInteger = true
    guard text.count - 2 <= YAMLScalar.digitLimit else { return .huge }
    var result = String(limbs[limbs.count - 1])
    for limb in limbs.dropLast().reversed() {
      let digits = String(limb)
      result += String(repeating: "0", count: 9 - digits.count) + digits
    }
    return .converted(result)
  }
}
