// Entries of Hurl as requests.

import PostKitEvaluate
import PostKitHTTP

/// Makes requests of the entries of one file after the other.
struct HurlRequests {
  private(set) var source: OriginSource
  let context: OriginContext
  private(set) var requests: [OriginRequest] = []
  private var sent: SentRequests
  private var ids = CountedIDs()
  /// What the entry before has captured as a part of its answer, for the head of the next.
  private var captured: [OriginVariable] = []
  /// What holds for all later entries, in order: captures, and variables of options.
  private var lasting: [OriginVariable] = []

  /// Makes a writer with nothing written.
  init(source: OriginSource, context: OriginContext) {
    self.source = source
    self.context = context
    sent = SentRequests(notes: context.notes)
  }

  /// Begins another file: its requests see nothing of the entries before.
  mutating func begin(_ source: OriginSource) {
    self.source = source
    (requests, captured, lasting) = ([], [], [])
  }

  /// The literal credentials of all files, as variables.
  var secrets: [OriginVariable] { sent.secrets.variables }

  /// Adds entries in order.
  mutating func add(_ entries: [HurlEntry]) {
    for (position, entry) in entries.enumerated() {
      let isLast = position == entries.count - 1
      add(entry, number: requests.count + 1, isLast: isLast)
    }
  }

  private mutating func add(_ entry: HurlEntry, number: Int, isLast: Bool) {
    let place = OriginPlace(file: source.name, line: entry.line)
    let templates = HurlTemplates(notes: context.notes)
    var request = OriginRequest(
      id: ids.next(entry.method, entry.url), name: "", place: place, method: entry.method,
      url: "")
    request.auth = .none
    if let title = entry.heading.first, title.count <= 80 {
      request.name = title
      request.description = entry.heading.dropFirst().joined(separator: "\n")
    } else {
      request.description = entry.heading.joined(separator: "\n")
    }
    request.comments = entry.comments.filter { !$0.isEmpty }
    request.variables = captured
    request.references = captured.isEmpty ? [] : ["e\(number - 1)"]
    captured = []
    target(of: entry, into: &request, templates)
    headers(of: entry, into: &request, templates)
    request.body = body(of: entry, templates)
    addImpliedType(of: entry, to: &request)
    HurlOptions(context: context, templates: templates, source: source)
      .read(entry.options, into: &request)
    if let response = entry.response {
      var checks = HurlChecks(
        context: context, source: source, entry: "e\(number)", response: response)
      checks.read(isLast: isLast)
      request.checks = checks.checks
      request.scripts = checks.scripts
      if !checks.captured.isEmpty { request.referenceName = "e\(number)" }
      captured = checks.captured
    }
    addLasting(to: &request, entry)
    requests.append(request)
  }

  /// Gives a request those variables of earlier entries that it uses: what an entry sets or
  /// captures holds until another does.
  private mutating func addLasting(to request: inout OriginRequest, _ entry: HurlEntry) {
    let own = request.variables
    let (names, used) = (Set(own.map(\.name)), request.usedNames)
    request.variables.insert(
      contentsOf: lasting.filter { used.contains($0.name) && !names.contains($0.name) }, at: 0)
    let captures = Set((entry.response?.captures ?? []).map(\.name))
    lasting.removeAll { captures.contains($0.name) || names.contains($0.name) }
    lasting += own.filter { !captures.contains($0.name) } + captured
  }

  // MARK: - Target

  private func target(
    of entry: HurlEntry, into request: inout OriginRequest, _ templates: HurlTemplates
  ) {
    var url = templates.text(entry.url, at: request.place)
    if !url.contains("{{"), let parts = SentURL(url), let auth = parts.auth {
      request.auth = auth
      url = URLText(url).withoutUserInfo
    }
    let parts = OriginURL(url)
    request.url = OriginText(parts.url)
    request.query = parts.query.filter { !$0.isEmpty }
    request.query += entry.query.map { pair in
      let place = self.place(pair.line)
      return OriginPair(
        name: OriginText(templates.encoded(pair.name, at: place)),
        value: OriginText(templates.encoded(pair.value, at: place)))
    }
  }

  private func place(_ line: Int) -> OriginPlace { OriginPlace(file: source.name, line: line) }

  // MARK: - Headers

  private mutating func headers(
    of entry: HurlEntry, into request: inout OriginRequest, _ templates: HurlTemplates
  ) {
    for header in entry.headers {
      let place = self.place(header.line)
      let value = templates.text(header.value, at: place)
      let name = OriginText(templates.text(header.name, at: place))
      if value.contains("{{") {
        request.headers.append(OriginPair(name: name, value: OriginText(value)))
      } else if name.text.equalsIgnoringASCIICase("Authorization"),
        let auth = SentRequests.auth(value)
      {
        request.auth = auth
      } else {
        let field = HeaderField(name.text, value)
        request.headers.append(
          OriginPair(name: name, value: sent.text(of: field, origin: request.name, at: place)))
      }
    }
    if !entry.cookies.isEmpty {
      let pairs = entry.cookies.map { pair in
        let value = templates.text(pair.value, at: place(pair.line))
        guard !value.contains("{{"), OriginCredentials.isSecretField(pair.name) else {
          return "\(pair.name)=\(value)"
        }
        return "\(pair.name)={{\(sent.secret(value, like: pair.name, at: place(pair.line)))}}"
      }
      request.headers.append(
        OriginPair(name: "Cookie", value: OriginText(pairs.joined(separator: "; "))))
    }
    if let basic = entry.basicAuth {
      let place = self.place(basic.line)
      request.auth = .basic(
        user: templates.text(basic.name, at: place),
        password: templates.text(basic.value, at: place))
    }
  }

  /// Hurl says what a body is where it knows.
  private func addImpliedType(of entry: HurlEntry, to request: inout OriginRequest) {
    let hasType = request.headers.contains {
      $0.name.text.equalsIgnoringASCIICase("Content-Type")
    }
    let type: String? =
      switch request.body {
      case .form: "application/x-www-form-urlencoded"
      case .graphQL: "application/json"
      case .text:
        switch entry.body {
        case .json: "application/json"
        case .xml: "application/xml"
        default: nil
        }
      default: nil
      }
    if case .multipart = request.body {
      request.headers.removeAll { $0.name.text.equalsIgnoringASCIICase("Content-Type") }
    } else if !hasType, let type {
      request.headers.append(OriginPair(name: "Content-Type", value: OriginText(literal: type)))
    }
  }

  // MARK: - Bodies

  private func body(of entry: HurlEntry, _ templates: HurlTemplates) -> OriginBody {
    let place = self.place(entry.line)
    if let form = entry.form {
      return .form(
        form.map {
          OriginPair(
            name: OriginText(templates.text($0.name, at: place)),
            value: OriginText(templates.text($0.value, at: place)))
        })
    }
    if let parts = entry.multipart { return .multipart(parts.map { part($0, templates) }) }
    switch entry.body {
    case nil: return .none
    case .json(let text)?, .xml(let text)?, .text(let text, isTemplate: true)?:
      return .text(OriginText(templates.text(text, at: place)))
    case .text(let text, isTemplate: false)?: return .text(OriginText(literal: text))
    case .graphQL(let query, let variables)?:
      return .graphQL(
        query: templates.text(query, at: place),
        variables: variables.map { templates.text($0, at: place) }, operationName: nil)
    case .bytes(let bytes)?: return .bytes(bytes, ending: ".bin")
    case .file(let path)?: return .file(templates.text(path, at: place))
    }
  }

  /// `value`, or `file,PATH;` with a type behind it.
  private func part(_ pair: HurlPair, _ templates: HurlTemplates) -> OriginPart {
    let place = self.place(pair.line)
    let name = OriginText(templates.text(pair.name, at: place))
    guard pair.value.hasPrefix("file,") else {
      let value = templates.text(pair.value, at: place)
      return OriginPart(name: name, content: .text(OriginText(value)))
    }
    let rest = pair.value.dropFirst(5)
    let end = rest.firstIndex(of: ";") ?? rest.endIndex
    let path = String(rest[..<end]).trimmingBlanks
    let type = rest[end...].dropFirst().trimmingPrefix { $0 == " " }
    let fileName = path.split(separator: "/").last.map(String.init)
    return OriginPart(
      name: name, content: .file(path), fileName: fileName,
      contentType: type.isEmpty ? CurlEncoding.mediaType(ofFile: path) : String(type))
  }
}
