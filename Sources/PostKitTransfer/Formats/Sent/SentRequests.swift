// Requests as a browser or a shell sent them: literal texts, with their secrets in plain sight.

import PostKitHTTP

/// A request as it was sent: nothing in it is a template.
struct CapturedRequest: Sendable, Hashable {
  var method: String
  var url: String
  var headers: [HeaderField] = []
  var body = OriginBody.none

  /// Whether a header says the type of the body.
  var hasType: Bool {
    headers.contains { $0.name.equalsIgnoringASCIICase("Content-Type") }
  }

  /// The ending of a file for bytes of a type that are no text, whatever the type says.
  static func ending(of type: String?) -> String {
    guard let media = type.flatMap(MediaType.init), !media.isText else { return ".bin" }
    return "." + media.fileExtension
  }
}

extension OriginSource {
  /// The name of the file without its ending; `nil` for standard input.
  var nameWithoutEnding: String? {
    let name = lastName.lastIndex(of: ".").map { String(lastName[..<$0]) } ?? lastName
    return name.isEmpty || name == "-" ? nil : name
  }
}

/// Makes requests of an import out of requests as they were sent. Credentials and cookies become
/// variables of the private file (IO-16).
struct SentRequests {
  /// What is told.
  let notes: ImportNotes
  /// The secrets that were found so far.
  private(set) var secrets: SentSecrets

  /// Makes a reader; `taken` are names that other variables of the import have.
  init(notes: ImportNotes, taken: Set<String> = []) {
    self.notes = notes
    secrets = SentSecrets(taken: taken)
  }

  /// The request of the import; `nil` where the URL has no host. `base` stands in the place of
  /// scheme and host where a variable has them.
  mutating func request(
    _ sent: CapturedRequest, id: String, base: String? = nil, at place: OriginPlace
  ) -> OriginRequest? {
    guard let url = SentURL(sent.url) else { return nil }
    var request = OriginRequest(
      id: id, name: "", place: place, method: sent.method,
      url: OriginText((base ?? url.origin) + url.path))
    request.auth = url.auth ?? .none
    request.query = url.query
    request.body = sent.body
    let title = "\(sent.method) \(url.path.isEmpty ? "/" : url.path)"
    for field in sent.headers where !isMultipartType(field, sent.body) {
      if field.name.equalsIgnoringASCIICase("Authorization"), let auth = Self.auth(field.value) {
        request.auth = auth
      } else {
        let value = text(of: field, origin: title, at: place)
        request.headers.append(
          OriginPair(name: OriginText(literal: field.name), value: value))
      }
    }
    return request
  }

  /// Whether a field says the type of a body that gets a boundary of its own.
  private func isMultipartType(_ field: HeaderField, _ body: OriginBody) -> Bool {
    guard case .multipart = body else { return false }
    return field.name.equalsIgnoringASCIICase("Content-Type")
      && MediaType(field.value)?.isMultipart == true
  }

  // MARK: - Secrets

  /// The credentials of a field in a form that our language has words for; `nil` for another.
  static func auth(_ value: String) -> OriginAuth? {
    guard let blank = value.firstIndex(of: " ") else { return nil }
    let scheme = String(value[..<blank])
    let rest = String(value[blank...]).trimmingASCIIBlanks()
    switch scheme.lowercased() {
    case "bearer" where !rest.isEmpty: return .bearer(token: rest, prefix: scheme)
    case "basic":
      guard let bytes = Base64.decode(rest), Base64.encode(bytes) == rest,
        let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
      else { return nil }
      // Without a user the language would read the words otherwise.
      guard colon != text.startIndex else { return nil }
      return .basic(
        user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    default: return nil
    }
  }

  /// The name of the variable that a secret becomes; it is made of a word.
  mutating func secret(_ value: String, like word: String, at place: OriginPlace) -> String {
    let name = secrets.name(for: value, like: word, at: place)
    tell([name], origin: nil, at: place)
    return name
  }

  /// The value of a field, with its secrets as references to variables.
  mutating func text(
    of field: HeaderField, origin: String, at place: OriginPlace
  ) -> OriginText {
    guard !field.value.isEmpty, OriginCredentials.isSecretField(field.name) else {
      return OriginText(literal: field.value)
    }
    if field.name.equalsIgnoringASCIICase("Cookie") {
      return cookies(field.value, origin: origin, at: place)
    }
    let name = secrets.name(for: field.value, like: Self.word(for: field.name), at: place)
    tell([name], origin: origin, at: place)
    return OriginText("{{\(name)}}")
  }

  /// The value of a `Cookie` field, with a variable for each cookie.
  private mutating func cookies(
    _ value: String, origin: String, at place: OriginPlace
  ) -> OriginText {
    var pieces: [String] = []
    var names: [String] = []
    for piece in value.split(separator: ";") {
      let pair = String(piece).trimmingASCIIBlanks()
      guard !pair.isEmpty else { continue }
      guard let equals = pair.firstIndex(of: "="), !pair[..<equals].contains("{{") else {
        // A cookie without a name is nothing but its value.
        let name = secrets.name(for: pair, like: "cookie", at: place)
        names.append(name)
        pieces.append("{{\(name)}}")
        continue
      }
      let content = String(pair[pair.index(after: equals)...])
      guard !content.isEmpty else {
        pieces.append(pair)
        continue
      }
      let name = secrets.name(for: content, like: String(pair[..<equals]), at: place)
      names.append(name)
      pieces.append("\(pair[..<equals])={{\(name)}}")
    }
    tell(names, origin: origin, at: place)
    return OriginText(pieces.joined(separator: "; "))
  }

  /// Tells of values that the language would read otherwise; the writer tells of the others.
  private func tell(_ names: [String], origin: String?, at place: OriginPlace) {
    for variable in secrets.variables.suffix(names.count) where names.contains(variable.name) {
      guard variable.value?.text.contains("{{") == true else { continue }
      notes.tell(
        .templateUnsupported,
        "The value of `\(variable.name)` has `{{` in it, which is read as a reference.",
        at: place, origin: origin)
    }
  }

  /// `X-Api-Key` as `xApiKey`.
  private static func word(for field: String) -> String {
    let words = field.lowercased().split { $0 == "-" || $0 == "_" }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return String(words.first ?? "secret") + rest.joined()
  }
}
