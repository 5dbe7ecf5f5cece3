// Secrets in copies (IO-32): a program is pasted into repositories, so that it reads them from its
// environment. A command line for a shell keeps them, for it is run at once.

package import PostKitHTTP
import PostKitJSON

/// A secret of a request, and what the variable of the environment is called that has it.
package struct CopySecret: Sendable, Hashable {
  package let name: String
  package let value: String

  /// Makes a secret with the name of a variable, which becomes `API_TOKEN` of `apiToken`.
  package init(variable name: String, value: String) {
    self.name = CopySecret.environmentName(name)
    self.value = value
  }

  fileprivate init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// What each environment has for other ends: a copy that reads one of these has no secret.
  private static let taken: Set<String> = [
    "PATH", "HOME", "USER", "USERNAME", "LOGNAME", "SHELL", "LANG", "PWD", "TMPDIR", "TERM",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
  ]

  /// A name as environments have it: capital letters, digits and `_`.
  private static func environmentName(_ name: String) -> String {
    var (result, wasSmall) = ("", false)
    for character in name.unicodeScalars {
      let isWord = character.isASCII && (character.properties.isAlphabetic
        || character.properties.numericType != nil)
      if isWord, wasSmall, character.properties.isUppercase { result += "_" }
      wasSmall = isWord && !character.properties.isUppercase
      result += isWord ? String(character).uppercased() : "_"
    }
    guard let first = result.first else { return "SECRET" }
    if taken.contains(result) { return result + "_SECRET" }
    return first.isNumber ? "_" + result : result
  }
}

extension CopyTarget {
  /// Whether a copy reads secrets from its environment, where nobody asks for their values.
  package var readsSecrets: Bool { SecretReads(self) != nil }

  /// A text that sends the request and has none of its secrets: a program reads them from its
  /// environment. Other targets have their values.
  package func text(for spec: RequestSpec, reading secrets: [CopySecret]) -> String {
    guard let reads = SecretReads(self) else { return text(for: spec) }
    var marks = SecretMarks(spec, secrets)
    var marked = marks.marked(spec)
    if self == .powershell { marked.body = marks.setApart(marked.body) }
    let copy = text(for: marked)
    guard marks.areHidden(in: copy) else { return reads.text(copy, marks.used, self) }
    // Nothing can be read within base64: the body is as it is sent.
    marked.body = spec.body
    let remark = "\(commentMark) The body is as it is sent, with the secrets in it."
    return remark + "\n" + reads.text(text(for: marked), marks.used, self)
  }
}

/// Puts marks in the place of secrets. A mark is a word of letters and digits, which every language
/// writes as it is.
struct SecretMarks {
  /// A secret that was found, and the word that stands for it.
  struct Mark {
    let word: String
    let name: String
    fileprivate let value: String
  }

  /// The forms of secrets to look for, the longest first.
  private let forms: [CopySecret]
  /// Those of the secrets that somebody has named, which the credentials of the request are not.
  private let given: [CopySecret]
  private(set) var used: [Mark] = []
  /// What all marks begin with.
  let prefix: String
  /// Bytes of the longest form.
  private let longestForm: Int

  init(_ spec: RequestSpec, _ secrets: [CopySecret]) {
    var (taken, forms): (Set<String>, [CopySecret]) = ([], [])
    func add(_ secret: CopySecret) {
      var (name, number) = (secret.name, 2)
      while !taken.insert(name).inserted {
        name = "\(secret.name)_\(number)"
        number += 1
      }
      forms.append(CopySecret(name: name, value: secret.value))
      for encoded in Self.encoded(secret.value) {
        forms.append(CopySecret(name: name + "_ENCODED", value: encoded))
      }
      var writer = JSONWriter()
      writer.string(secret.value)
      let escaped = String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
      if escaped != secret.value {
        forms.append(CopySecret(name: name + "_ESCAPED", value: escaped))
      }
    }
    for secret in secrets where !secret.value.isEmpty { add(secret) }
    given = forms
    for secret in Self.credentials(of: spec) where !secret.value.isEmpty {
      let isKnown = forms.contains { $0.value == secret.value }
      if !isKnown, !Self.holds(secret.value, any: given) { add(secret) }
    }
    self.forms = forms.sorted {
      ($1.value.utf8.count, $0.name) < ($0.value.utf8.count, $1.name)
    }
    longestForm = self.forms.first?.value.utf8.count ?? 0
    // A word that the request does not have.
    let texts = [spec.url] + spec.headers.fields.map(\.value)
      + spec.contents.map { if case .text(let text) = $0 { text } else { "" } }
    var prefix = "pkSecret"
    while texts.contains(where: { $0.contains(prefix) }) { prefix += "x" }
    self.prefix = prefix
  }

  /// What a request has of tokens and passwords: they are secrets wherever they stand in it,
  /// whoever has written them.
  private static func credentials(of spec: RequestSpec) -> [CopySecret] {
    var found: [CopySecret] = []
    func add(_ value: String, as name: String = "PASSWORD") {
      found.append(CopySecret(name: name, value: value))
    }
    for field in spec.headers.fields where SecretMask.isAlwaysMasked(field.name) {
      let words = field.value.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { continue }
      switch words[0].lowercased() {
      case "bearer": add(words[1], as: "TOKEN")
      case "basic":
        let pair = String(decoding: Base64.decode(words[1]) ?? [], as: UTF8.self)
        add(String(pair.drop { $0 != ":" }.dropFirst()))
      default: break
      }
    }
    switch spec.options.authentication {
    case .digest(_, let password)?: add(password)
    case .ntlm(_, let password)?: add(password)
    case .negotiate(_, let password)?: add(password)
    case .signature(let key)?: add(key.secret, as: "SECRET_KEY")
    case nil: break
    }
    if let passphrase = spec.options.clientKeyPassphrase { add(passphrase, as: "PASSPHRASE") }
    for url in [spec.url, spec.options.proxy ?? ""] {
      guard let range = SecretMask.userInfo(of: url) else { continue }
      let password = String(url[range].drop { $0 != ":" }.dropFirst())
      add(String(decoding: PercentEncoding.decode(password), as: UTF8.self))
    }
    return found
  }

  /// Whether a value is one of some secrets, or has one in it that is long enough to be no chance.
  private static func holds(_ value: String, any secrets: [CopySecret]) -> Bool {
    secrets.contains { secret in
      secret.value == value
        || secret.value.utf8.count >= SecretMask.searchedBytes && value.contains(secret.value)
    }
  }

  /// The forms that a secret has in URLs where that is not the secret itself.
  private static func encoded(_ value: String) -> [String] {
    let forms = [PercentEncoding.encodeIllegal(value), PercentEncoding.encodeComponent(value)]
    return Set(forms).subtracting([value]).sorted()
  }

  /// The request with marks.
  mutating func marked(_ spec: RequestSpec) -> RequestSpec {
    var copy = spec
    copy.url = url(spec.url)
    for index in copy.headers.fields.indices {
      copy.headers.fields[index].value = header(copy.headers.fields[index])
    }
    copy.body = spec.body.map { chunk in
      guard case .bytes(let bytes) = chunk,
        let text = String(validating: bytes, as: UTF8.self)
      else { return chunk }
      return .bytes(body(mark(text), of: spec.headers))
    }
    copy.options.authentication = spec.options.authentication.map { authentication($0) }
    if let passphrase = spec.options.clientKeyPassphrase {
      copy.options.clientKeyPassphrase = credential(passphrase, as: "PASSPHRASE")
    }
    copy.options.proxy = spec.options.proxy.map { url($0) }
    return copy
  }

  private mutating func authentication(_ authentication: Authentication) -> Authentication {
    switch authentication {
    case .digest(let user, let password):
      .digest(user: value(user), password: credential(password))
    case .ntlm(let user, let password):
      .ntlm(user: value(user), password: credential(password))
    case .negotiate(let user, let password):
      .negotiate(user: value(user), password: credential(password))
    case .signature(let key):
      .signature(
        AWSSignature(
          accessKey: value(key.accessKey), secret: credential(key.secret, as: "SECRET_KEY"),
          region: key.region, service: key.service))
    }
  }

  /// A URL with marks: the password in it is a secret whoever has written it, and a short secret is
  /// one where it is the user or a value of the query.
  private mutating func url(_ url: String) -> String {
    var text = mark(url)
    if let query = URLText(text).query {
      let values = values(in: Array(text[query].utf8), as: .form)
      text.replaceSubrange(query, with: String(decoding: values, as: UTF8.self))
    }
    guard let range = SecretMask.userInfo(of: text) else { return text }
    let pieces = text[range].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var information = value(String(pieces[0]))
    if pieces.count > 1 {
      let password = String(pieces[1])
      let isMarked = used.contains { password.contains($0.word) }
      information += ":" + (isMarked ? password : credential(password))
    }
    text.replaceSubrange(range, with: information)
    return text
  }

  /// A body that has marks for long secrets, with marks for the short ones that are whole values.
  private mutating func body(_ text: String, of headers: HeaderFields) -> [UInt8] {
    let type = headers.first("Content-Type")
    let bytes = Array(text.utf8)
    if let boundary = type.flatMap(MediaType.init)?.parameter("boundary") {
      return marked(CopyParts.contents(of: bytes, boundary: boundary), in: bytes)
    }
    return values(in: bytes, as: SecretMask.format(ofType: type))
  }

  private mutating func values(in bytes: [UInt8], as format: SecretMask.Format) -> [UInt8] {
    var ranges: [Range<Int>] = []
    SecretMask.eachValue(in: bytes, as: format) { _, inner in ranges.append(inner) }
    return marked(ranges, in: bytes)
  }

  /// Bytes with marks for the ranges, which are in order, that are a secret.
  private mutating func marked(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
    var (result, at): ([UInt8], Int) = ([], 0)
    for range in ranges where range.count <= longestForm {
      guard let word = whole(String(decoding: bytes[range], as: UTF8.self)) else { continue }
      result += bytes[at..<range.lowerBound] + Array(word.utf8)
      at = range.upperBound
    }
    return result + bytes[at...]
  }

  /// A value with marks. Credentials are secrets whoever has written them, with all that stands
  /// beside them unless that has a secret of its own; of a token the scheme before it stays.
  private mutating func header(_ field: HeaderField) -> String {
    guard SecretMask.isAlwaysMasked(field.name), !field.value.isEmpty,
      !Self.holds(field.value, any: given)
    else { return value(field.value) }
    let words = field.value.split(separator: " ", maxSplits: 1)
    let isBearer = words.count == 2 && words[0].lowercased() == "bearer"
    if isBearer { return "\(words[0]) " + credential(String(words[1]), as: "TOKEN") }
    let name = field.name.uppercased().map { $0.isASCII && $0.isLetter ? $0 : "_" }
    return word(for: String(name), field.value)
  }

  private mutating func credential(_ text: String, as name: String = "PASSWORD") -> String {
    if text.isEmpty { return text }
    let marked = mark(text)
    return marked == text ? whole(text) ?? word(for: name, text) : marked
  }

  private mutating func value(_ text: String) -> String { whole(text) ?? mark(text) }

  /// The mark of a secret that is all of a text; such a one may be short.
  private mutating func whole(_ text: String) -> String? {
    forms.first { $0.value == text }.map { word(for: $0.name, text) }
  }

  /// A text with marks for the secrets in it that are long enough to be no chance.
  private mutating func mark(_ text: String) -> String {
    var text = text
    for form in forms
    where form.value.utf8.count >= SecretMask.searchedBytes && text.contains(form.value) {
      text = text.replacing(form.value, with: word(for: form.name, form.value))
    }
    return text
  }

  /// The word for a secret. The same value has one, and another value has a name of its own.
  private mutating func word(for base: String, _ value: String) -> String {
    var (name, number) = (base, 2)
    while let known = used.first(where: { $0.name == name }) {
      if known.value == value { return known.word }
      name = "\(base)_\(number)"
      number += 1
    }
    // Letters at both ends keep numbers apart.
    let word = "\(prefix)\(used.count)x"
    used.append(Mark(word: word, name: name, value: value))
    return word
  }
}
