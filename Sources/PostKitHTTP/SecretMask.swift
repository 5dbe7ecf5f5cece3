// Keeps secrets out of history, logs and displays (CONTRACTS.md, section 5).

/// Replaces known secrets by a mask.
///
/// A secret of six bytes or more is found anywhere, also percent-encoded, escaped as in JSON, or in
/// base64. A shorter one would hide innocent text, so it is masked only where it is a whole value.
package struct SecretMask: Sendable {
  /// What stands in place of a secret.
  package static let text = "••••••"
  /// From how many bytes on a secret is masked wherever it stands.
  package static let searchedBytes = 6

  /// How a text says where values begin and end.
  package enum Format: Sendable, Hashable {
    case plain, form, json
  }

  private var search = SecretSearch.none
  private var short: Set<String> = []
  /// The bytes with which a short secret begins in some spelling.
  private var mayBeginShort: Set<UInt8> = []

  /// Makes a mask; empty secrets are ignored.
  package init(secrets: [String]) { add(secrets) }

  /// Masks more secrets from now on; empty ones are ignored.
  package mutating func add(_ secrets: [String]) {
    // Header values lose the blanks around them, so the trimmed secret is one too.
    let all = Set((secrets + secrets.map { $0.trimmingASCIIBlanks() }).filter { !$0.isEmpty })
    if all.isEmpty { return }
    let long = all.filter { $0.keptBytes.count >= SecretMask.searchedBytes }
    if !long.isEmpty { search.add(Set(long.flatMap(SecretMask.spellings))) }
    let brief = all.subtracting(long).flatMap(SecretMask.spellings)
    if brief.isEmpty { return }
    short.formUnion(brief.map { String(decoding: $0, as: UTF8.self) })
    mayBeginShort.formUnion(brief.compactMap(\.first))
    mayBeginShort.formUnion("%+ \t".utf8)
  }

  /// A secret as it is sent, and as displays show it that read bytes which are no UTF-8.
  private static func spellings(_ secret: String) -> [[UInt8]] {
    let bytes = secret.keptBytes
    if bytes.allSatisfy({ $0 < 128 }) { return [bytes] }
    return [bytes, Array(secret.shown.utf8), Array(CharacterEncoding.latin1.decode(bytes).utf8)]
  }

  /// Whether there is no secret to mask.
  package var isEmpty: Bool { search.isEmpty && short.isEmpty }

  /// The text without secrets, and whether there were any.
  package func mask(_ text: String, as format: Format = .plain) -> (text: String, didMask: Bool) {
    if isEmpty { return (text, false) }
    let (bytes, didMask) = mask(text.keptBytes, as: format)
    return didMask ? (String(keeping: bytes), true) : (text, false)
  }

  /// The bytes without secrets, and whether there were any.
  package func mask(
    _ bytes: [UInt8], as format: Format = .plain
  ) -> (bytes: [UInt8], didMask: Bool) {
    var result = bytes
    var didMask = false
    if let masked = search.replacing(in: result) {
      result = masked
      didMask = true
    }
    guard !short.isEmpty else { return (result, didMask) }
    let values: [UInt8]?
    switch format {
    case .plain: values = isShort(result[...]) ? Array(SecretMask.text.utf8) : nil
    case .form: values = maskingForm(result)
    case .json: values = maskingJSON(result)
    }
    return (values ?? result, didMask || values != nil)
  }

  /// The body in the form its media type says.
  package func maskBody(_ bytes: [UInt8], contentType: String?) -> (bytes: [UInt8], didMask: Bool) {
    mask(bytes, as: SecretMask.format(ofType: contentType))
  }

  /// The form of a body by its media type.
  package static func format(ofType contentType: String?) -> Format {
    let type = contentType.flatMap(MediaType.init)
    if type?.isForm == true { return .form }
    return type.map { $0.isJSON || $0.isNewlineDelimitedJSON } ?? false ? .json : .plain
  }

  /// The fields without secrets; credentials and cookies are masked whatever they hold. `didMask`
  /// says whether a known secret was found in another field.
  package func maskHeaders(_ headers: HeaderFields) -> (headers: HeaderFields, didMask: Bool) {
    let isUntouched = isEmpty && !headers.fields.contains { SecretMask.isAlwaysMasked($0.name) }
    if isUntouched { return (headers, false) }
    var result = headers
    var didMask = false
    for index in result.fields.indices {
      if SecretMask.isAlwaysMasked(result.fields[index].name) {
        result.fields[index].value = SecretMask.text
      } else {
        let masked = mask(result.fields[index].value)
        result.fields[index].value = masked.text
        didMask = didMask || masked.didMask
      }
    }
    return (result, didMask)
  }

  /// Whether the value of a header field is never shown.
  package static func isAlwaysMasked(_ name: String) -> Bool {
    switch name.utf8.count {
    case 6: name.equalsIgnoringASCIICase("cookie")
    case 10: name.equalsIgnoringASCIICase("set-cookie")
    case 13: name.equalsIgnoringASCIICase("authorization")
    case 19: name.equalsIgnoringASCIICase("proxy-authorization")
    default: false
    }
  }

  /// Whether the first word of a credential names its scheme, which is no secret.
  package static func isScheme(_ word: String) -> Bool { schemes.contains(word.lowercased()) }

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "aws", "aws4-hmac-sha256", "ntlm", "negotiate", "oauth2",
  ]

  /// The URL without secrets. A password in the user information is masked whatever it is, as the
  /// `Authorization` field that it becomes.
  package func maskURL(_ url: String) -> (text: String, didMask: Bool) {
    var (text, didMask) = mask(url)
    if let range = SecretMask.userInfo(of: text) {
      let pieces = text[range].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let user = isShort(Array(pieces[0].utf8)[...]) ? SecretMask.text : String(pieces[0])
      let masked = pieces.count > 1 ? "\(user):\(SecretMask.text)" : user
      didMask = didMask || masked != text[range]
      text.replaceSubrange(range, with: masked)
    }
    guard !short.isEmpty, let question = text.firstIndex(of: "?") else { return (text, didMask) }
    let end = text[question...].firstIndex(of: "#") ?? text.endIndex
    let query = text.index(after: question)..<end
    guard let values = maskingForm(Array(text[query].utf8)) else { return (text, didMask) }
    text.replaceSubrange(query, with: String(decoding: values, as: UTF8.self))
    return (text, true)
  }

  /// The user information of a URL, such as `user:password`.
  package static func userInfo(of url: String) -> Range<String.Index>? {
    // Few URLs have one, and looking for text is slower than looking for a byte.
    guard url.utf8.contains(UInt8(ascii: "@")), let slashes = url.firstRange(of: "://") else {
      return nil
    }
    let rest = url[slashes.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = rest[..<end].lastIndex(of: "@") else { return nil }
    return slashes.upperBound..<at
  }

  private func isShort(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The longest short secret, every byte percent-encoded.
    guard let first = bytes.first, bytes.count <= 3 * SecretMask.searchedBytes,
      mayBeginShort.contains(first)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return short.contains(text) || short.contains(text.trimmingASCIIBlanks())
      || short.contains(PercentEncoding.decodeForm(text))
  }

  /// Masks whole values between `=` and `&`; `nil` where there was nothing to mask.
  private func maskingForm(_ bytes: [UInt8]) -> [UInt8]? {
    var ranges: [Range<Int>] = []
    SecretMask.eachValue(in: bytes, as: .form) { value, _ in
      if isShort(bytes[value]) { ranges.append(value) }
    }
    return ranges.isEmpty ? nil : SecretMask.replace(ranges, in: bytes, with: SecretMask.text)
  }

  /// Masks whole strings that aren't names, and whole bare words; `nil` where there was none.
  private func maskingJSON(_ bytes: [UInt8]) -> [UInt8]? {
    var ranges: [Range<Int>] = []
    SecretMask.eachValue(in: bytes, as: .json) { value, inner in
      // Six letters of an escape may stand for one byte; longer strings aren't worth a look.
      guard inner.count <= 6 * SecretMask.searchedBytes else { return }
      let text = value == inner ? bytes[inner] : JSONText.unescape(bytes[inner])[...]
      if isShort(text) { ranges.append(value) }
    }
    guard !ranges.isEmpty else { return nil }
    return SecretMask.replace(ranges, in: bytes, with: "\"\(SecretMask.text)\"")
  }

  /// Gives where each whole value of a text is, in order: what stands between `=` and `&` in a
  /// form; in JSON each string that is no name, with and without its quotes, and each bare word.
  /// It looks only at tokens, so that broken JSON has values too. A plain text is one value.
  package static func eachValue(
    in bytes: [UInt8], as format: Format, _ take: (_ value: Range<Int>, _ inner: Range<Int>) -> Void
  ) {
    switch format {
    case .plain: take(bytes.indices, bytes.indices)
    case .form:
      var start = 0
      for at in 0...bytes.count where at == bytes.count || bytes[at] == UInt8(ascii: "&") {
        if let equals = bytes[start..<at].firstIndex(of: UInt8(ascii: "=")) {
          take(equals + 1..<at, equals + 1..<at)
        }
        start = at + 1
      }
    case .json: eachJSONValue(in: bytes, take)
    }
  }

  private static func eachJSONValue(
    in bytes: [UInt8], _ take: (_ value: Range<Int>, _ inner: Range<Int>) -> Void
  ) {
    var at = 0
    while at < bytes.count {
      let start = at
      if bytes[at] == UInt8(ascii: "\"") {
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
          at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        // A string that was cut off reaches to the end.
        let inner = start + 1..<min(at, bytes.count)
        at = min(at + 1, bytes.count)
        let next = bytes[at...].first { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
        if next != UInt8(ascii: ":") { take(start..<at, inner) }
      } else if JSONText.isBare(bytes[at]) {
        while at < bytes.count, JSONText.isBare(bytes[at]) { at += 1 }
        take(start..<at, start..<at)
      } else {
        at += 1
      }
    }
  }

  /// Replaces ranges that are in order and don't touch each other.
  static func replace(_ ranges: [Range<Int>], in bytes: [UInt8], with text: String) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var at = 0
    for range in ranges {
      output.append(contentsOf: bytes[at..<range.lowerBound])
      output.append(contentsOf: text.utf8)
      at = range.upperBound
    }
    output.append(contentsOf: bytes[at...])
    return output
  }
}
