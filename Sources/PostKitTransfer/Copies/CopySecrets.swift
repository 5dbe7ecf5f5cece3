// Secrets in copies (IO-32): a program is pasted into repositories, so that it reads them from its
// environment. A command line for a shell keeps them, for it is run at once.

package import PostKitHTTP

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
    let marked = marks.marked(spec)
    return reads.text(text(for: marked), marks.used, self)
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
  private var forms: [CopySecret] = []
  private(set) var used: [Mark] = []
  private let prefix: String

  init(_ spec: RequestSpec, _ secrets: [CopySecret]) {
    var (taken, forms): (Set<String>, [CopySecret]) = ([], [])
    for secret in secrets where !secret.value.isEmpty {
      var (name, number) = (secret.name, 2)
      while !taken.insert(name).inserted {
        name = "\(secret.name)_\(number)"
        number += 1
      }
      forms.append(CopySecret(name: name, value: secret.value))
      for encoded in Self.encoded(secret.value) {
        forms.append(CopySecret(name: name + "_ENCODED", value: encoded))
      }
    }
    self.forms = forms.sorted {
      ($1.value.utf8.count, $0.name) < ($0.value.utf8.count, $1.name)
    }
    // A word that the request does not have.
    let texts = [spec.url] + spec.headers.fields.map(\.value)
      + spec.contents.map { if case .text(let text) = $0 { text } else { "" } }
    var prefix = "pkSecret"
    while texts.contains(where: { $0.contains(prefix) }) { prefix += "x" }
    self.prefix = prefix
  }

  /// The forms that a secret has in URLs where that is not the secret itself.
  private static func encoded(_ value: String) -> [String] {
    let forms = [PercentEncoding.encodeIllegal(value), PercentEncoding.encodeComponent(value)]
    return Set(forms).subtracting([value]).sorted()
  }

  /// The request with marks.
  mutating func marked(_ spec: RequestSpec) -> RequestSpec {
    var copy = spec
    copy.url = mark(spec.url)
    for index in copy.headers.fields.indices {
      copy.headers.fields[index].value = header(copy.headers.fields[index])
    }
    copy.body = spec.body.map { chunk in
      guard case .bytes(let bytes) = chunk,
        let text = String(validating: bytes, as: UTF8.self)
      else { return chunk }
      return .bytes(Array(mark(text).utf8))
    }
    switch spec.options.authentication {
    case .digest(let user, let password):
      copy.options.authentication = .digest(user: mark(user), password: credential(password))
    case .ntlm(let user, let password):
      copy.options.authentication = .ntlm(user: mark(user), password: credential(password))
    case .negotiate(let user, let password):
      copy.options.authentication = .negotiate(user: mark(user), password: credential(password))
    case .signature, nil: break
    }
    if let passphrase = spec.options.clientKeyPassphrase {
      copy.options.clientKeyPassphrase = credential(passphrase, as: "PASSPHRASE")
    }
    copy.options.proxy = spec.options.proxy.map { mark($0) }
    return copy
  }

  /// A value with marks. Credentials are secrets whoever has written them; of a token the scheme
  /// before it stays.
  private mutating func header(_ field: HeaderField) -> String {
    let marked = mark(field.value)
    guard marked == field.value, SecretMask.isAlwaysMasked(field.name), !marked.isEmpty else {
      return whole(field.value) ?? marked
    }
    let words = field.value.split(separator: " ", maxSplits: 1)
    let isBearer = words.count == 2 && words[0].lowercased() == "bearer"
    if isBearer { return "\(words[0]) " + word(for: "TOKEN", String(words[1])) }
    let name = field.name.uppercased().map { $0.isASCII && $0.isLetter ? $0 : "_" }
    return word(for: String(name), field.value)
  }

  private mutating func credential(_ text: String, as name: String = "PASSWORD") -> String {
    if text.isEmpty { return text }
    let marked = mark(text)
    return marked == text ? whole(text) ?? word(for: name, text) : marked
  }

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
