// Host names of any script in the ASCII form that DNS and servers know (PK-69; RFC 3492).

/// Writes host names in ASCII.
package enum InternationalHost {
  /// The host or authority with each label that is not ASCII as punycode behind `xn--`, in small
  /// letters. libcurl does the same, but only where the locale of the process is a UTF-8 one.
  package static func ascii(_ host: String) -> String {
    guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host }
    return host.split(omittingEmptySubsequences: false, whereSeparator: isDot)
      .map(label).joined(separator: ".")
  }

  /// The URL, or reference to one, with its host in ASCII.
  package static func ascii(inURL text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    let bytes = Array(text.utf8)
    let scheme = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    let isEnd: (UInt8) -> Bool = { "/?#\\".utf8.contains($0) }
    let starts = [0, scheme].filter { bytes[$0...].starts(with: "//".utf8) }
    guard let start = starts.first, !bytes[..<start].contains(where: isEnd) else { return text }
    let end = bytes[(start + 2)...].firstIndex(where: isEnd) ?? bytes.count
    let host = bytes[start + 2..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start + 2
    return String(decoding: bytes[..<host], as: UTF8.self)
      + ascii(String(decoding: bytes[host..<end], as: UTF8.self))
      + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// The dots that keyboards of other scripts write, too (RFC 3490, section 3.1).
  private static func isDot(_ character: Character) -> Bool {
    character == "." || character == "\u{3002}" || character == "\u{FF0E}"
      || character == "\u{FF61}"
  }

  /// A label, with the port behind it where it is the last.
  private static func label(_ text: Substring) -> String {
    let name = text.prefix { $0 != ":" }
    let scalars = Array(name.lowercased().unicodeScalars)
    // A longer label is none that DNS knows (RFC 1035, section 2.3.4).
    guard scalars.count <= 63, !scalars.allSatisfy(\.isASCII) else { return String(text) }
    return "xn--" + punycode(scalars) + text[name.endIndex...]
  }

  /// RFC 3492, section 6.3.
  private static func punycode(_ scalars: [Unicode.Scalar]) -> String {
    var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
    let basic = output.count
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (code, delta, bias, handled) = (128, 0, 72, basic)
    while handled < scalars.count {
      let next = scalars.lazy.map { Int($0.value) }.filter { $0 >= code }.min() ?? code
      delta += (next - code) * (handled + 1)
      code = next
      for scalar in scalars {
        if scalar.value < code { delta += 1 }
        guard scalar.value == code else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var place = 36
    while true {
      let threshold = min(max(place - bias, 1), 26)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      place += 36
    }
    output.append(digit(rest))
  }

  /// `a` to `z`, then `0` to `9`.
  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "0")) + value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var place = 0
    while rest > 455 {
      rest /= 35
      place += 36
    }
    return place + 36 * rest / (rest + 38)
  }
}
