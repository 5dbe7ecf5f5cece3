// Requests as a script of curl commands for `sh`.

import PostKitHTTP

/// Writes shell scripts.
struct ShellExport {
  private let collection: ExportedCollection
  private let plan: LoadPlan
  private let notes: ExportNotes
  private var needsJQ = false
  /// What the request that is written reads of responses: a variable of the shell and a line each.
  private var reads: [(name: String, line: String)] = []
  /// The values that stand in URLs and forms otherwise than by themselves.
  private var encodings: [(of: String, value: String, constant: String)] = []

  /// What encloses the name of a shell variable until words are quoted; no text has it, since no
  /// shell could hand it to a program and no server take it in a head.
  private static let mark = "\u{1}"

  /// Words of the shell and variables that mean something to programs.
  private static let taken: Set<String> = [
    "path", "home", "ifs", "pwd", "shell", "user", "lang", "term", "ps1", "ps2", "ps4", "env",
    "optarg", "optind", "ppid", "oldpwd", "lineno", "_", "body",
  ]

  /// Makes the text of the script. What can't be said is told.
  static func text(of collection: ExportedCollection, _ notes: ExportNotes) -> String {
    var export = ShellExport(collection, notes)
    return export.text()
  }

  private init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    plan = LoadPlan(collection, taken: Self.taken.union(Self.taken.map { $0.uppercased() }))
  }

  private mutating func text() -> String {
    let settings = plan.settings.map { setting($0) }
    let steps = plan.steps.sorted { order($0.index) < order($1.index) }
    let requests = steps.map { command($0) }
    var head = ["#!/bin/sh"]
    head += (collection.omissionLines + collection.disabledLines + notes.lines).map {
      "# " + ExportNotes.oneLine($0)
    }
    if needsJQ {
      head.append("# It needs jq to read responses; jq before 1.7 rounds numbers above 2^53.")
    }
    head.append("set -eu")
    let readsFiles = plan.steps.contains { step in
      step.request.body.contains { if case .file = $0 { true } else { false } }
    }
    if readsFiles { head.append("cd \"$(dirname \"$0\")\"") }
    let own = encodings.map { encoding in
      "# \(plan.constant(of: encoding.of) ?? "") as it stands in a URL or a form.\n"
        + "\(encoding.constant)=${\(CodeWords.setting(encoding.constant))-"
        + "\(ShellText.quote(encoding.value))}"
    }
    let parts =
      [head.joined(separator: "\n"), (settings + own).joined(separator: "\n")] + requests
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func order(_ index: Int) -> Int { collection.order.firstIndex(of: index) ?? .max }

  private mutating func setting(_ setting: LoadPlan.Setting) -> String {
    if setting.isOfProcess {
      let name = setting.variable.name
      // No other names can be asked for.
      let isWord = name.utf8.allSatisfy(CodeWords.isWord)
      notes.report(.templateUnsupported, "The script needs `\(name)` from its environment.")
      return isWord ? "\(setting.constant)=${\(name):?a request reads it}" : "\(setting.constant)="
    }
    let key = CodeWords.setting(setting.variable.name)
    guard let value = setting.variable.value else {
      let reason =
        setting.variable.isSecret
        ? "its value is a secret and was not exported"
        : "nothing in the export gives its value"
      notes.report(
        setting.variable.isSecret ? .secretEmpty : .templateUnsupported,
        "The script needs `\(key)` from its environment: \(reason).")
      return "\(setting.constant)=${\(key):?\(reason)}"
    }
    return "\(setting.constant)=${\(key)-\(word(value, of: nil))}"
  }

  // MARK: - Requests

  private mutating func command(_ step: LoadPlan.Step) -> String {
    let request = step.request
    notes.begin(request)
    if !request.scripts.isEmpty {
      notes.tell(
        .scriptKept, "The scripts of the request are left out.", of: request, isWarning: true)
    }
    if !request.checks.isEmpty {
      notes.tell(.testUnsupported, "A script of curl commands checks no responses.", of: request)
    }
    if request.options.hasCertificate {
      notes.tell(.settingUnsupported, "The certificate of the client is left out.", of: request)
    }
    reads = []
    let spec = spec(request)
    if spec.body.contains(where: {
      if case .bytes(let bytes) = $0 { hasMarkAndMore(bytes) } else { false }
    }) {
      notes.tell(
        .templateUnsupported, "The body has bytes that are no text beside its variables.",
        of: request)
    }
    var line = resolved(CurlCommand.line(for: spec))
    if step.keeps.body || step.keeps.members { line = "\(constant(step))_BODY=$(\(line))" }
    if step.keeps.headers || step.keeps.status {
      notes.tell(
        .templateUnsupported, "Later requests read the head of this response, which is not kept.",
        of: request)
    }
    var lines = ["# " + ExportNotes.oneLine(request.path)]
    lines += notes.remarks(of: request).map { "# " + $0 }
    if request.delayMilliseconds > 0 {
      lines.append("sleep \(request.delayMilliseconds.inSeconds)")
    }
    // In lines of their own, since a shell goes on when a command within a word fails.
    let commands = reads.map(\.line) + [line]
    guard request.loopCount != 1 else { return (lines + commands).joined(separator: "\n") }
    lines += ["turn=0", "while [ \"$turn\" -lt \(request.loopCount) ]; do"]
    lines += commands.map { "  \($0)" } + ["  turn=$((turn + 1))", "done"]
    return lines.joined(separator: "\n")
  }

  private func hasMarkAndMore(_ bytes: [UInt8]) -> Bool {
    bytes.contains(1) && (bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil)
  }

  private func constant(_ step: LoadPlan.Step) -> String { step.word.uppercased() }

  /// The request with the names of shell variables between marks.
  private mutating func spec(_ request: ExportedRequest) -> RequestSpec {
    var headers = HeaderFields()
    var spec = RequestSpec(
      method: marked(request.method, of: request), url: marked(request.url, of: request, .url))
    for header in request.headers {
      headers.append(marked(header.name, of: request), marked(header.value, of: request))
    }
    // What the author left to the program is the program's.
    for name in ["User-Agent", "Accept"] where !headers.contains(name) {
      headers.append(name, Self.left)
    }
    func pair(_ user: ExportedText, _ password: ExportedText) -> (user: String, password: String) {
      (marked(user, of: request), marked(password, of: request))
    }
    switch request.auth {
    case .none, .client, .apiKey, .other: break
    case .bearer(let token):
      headers.append("Authorization", "Bearer " + marked(token, of: request))
    case .basic(let user, let password):
      let (user, password) = pair(user, password)
      headers.append("Authorization", "\(Self.basic)\(user):\(password)")
    case .digest(let user, let password):
      let (user, password) = pair(user, password)
      spec.options.authentication = .digest(user: user, password: password)
    case .ntlm(let user, let password):
      let (user, password) = pair(user, password)
      spec.options.authentication = .ntlm(user: user, password: password)
    case .negotiate(let user, let password):
      let (user, password) = pair(user, password)
      spec.options.authentication = .negotiate(user: user, password: password)
    case .aws(let key, let secret, let region, let service):
      let (key, secret) = pair(key, secret)
      spec.options.authentication = .signature(
        AWSSignature(
          accessKey: key, secret: secret, region: marked(region, of: request),
          service: marked(service, of: request)))
    }
    spec.headers = headers
    let place: Place = request.mediaType?.isForm == true ? .form : .plain
    spec.body = request.body.map { chunk in
      switch chunk {
      case .file(let path): .file(path: path)
      case .text(let text): .bytes(marked(text, of: request, place).keptBytes)
      }
    }
    let options = request.options
    spec.options.followsRedirects = options.followsRedirects
    spec.options.redirectLimit = options.redirectLimit
    spec.options.totalTimeoutMilliseconds = options.timeoutMilliseconds
    if let most = options.connectTimeoutMilliseconds {
      spec.options.connectTimeoutMilliseconds = most
    }
    spec.options.verifiesTLS = options.verifiesTLS
    spec.options.httpVersion = options.httpVersion
    spec.options.proxy = options.proxy.map { marked($0, of: request) }
    return spec
  }

  /// The value of a header that curl writes by itself.
  private static let left = "\u{2}"
  /// What stands before user and password, which curl makes a header of.
  private static let basic = "\u{3}"

  // MARK: - Texts

  /// A command with the variables between marks as the shell reads them.
  private func resolved(_ line: String) -> String {
    var line = line
    for name in ["User-Agent", "Accept"] {
      line = line.replacing(" --header '\(name): \(Self.left)'", with: "")
    }
    line = line.replacing("--header 'Authorization: \(Self.basic)", with: "--user '")
    return ShellExport.opening(line)
  }

  /// Takes what stands between marks out of single quotes and puts it into double ones. Each word
  /// with a mark is in single quotes, since a mark is no plain character.
  private static func opening(_ line: String) -> String {
    var result = ""
    var isQuoted = false
    /// Whether the quotes have to be opened again before the next character.
    var isPending = false
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "'":
        if !isPending { result.append("'") }
        (isQuoted, isPending) = (!isQuoted, false)
      case "\\" where !isQuoted:
        result.append(character)
        if let next = rest.popFirst() { result.append(next) }
      case "\u{1}":
        let inner = rest.prefix { $0 != "\u{1}" }
        rest = rest.dropFirst(inner.count + 1)
        if !isPending, result.hasSuffix("'"), isOpenedLast(result) {
          result.removeLast()
        } else if !isPending {
          result.append("'")
        }
        // It is no word of its own: its quotes are its own.
        result += "\"" + inner.replacing("'\\''", with: "'") + "\""
        isPending = true
      default:
        if isPending { result.append("'") }
        isPending = false
        result.append(character)
      }
    }
    return result
  }

  /// Whether the quote at the end of a text opens a word.
  private static func isOpenedLast(_ text: String) -> Bool {
    let before = text.dropLast().last
    return before.map { " -=(\"".contains($0) } ?? true
  }

  /// A text as one word of the shell.
  private mutating func word(_ text: ExportedText, of request: ExportedRequest?) -> String {
    resolved(ShellText.quote(marked(text, of: request)))
  }

  /// Where a text stands, which decides whether values are encoded.
  private enum Place { case plain, url, form }

  private mutating func marked(
    _ text: ExportedText, of request: ExportedRequest?, _ place: Place = .plain
  ) -> String {
    var result = ""
    for (index, piece) in text.pieces.enumerated() {
      switch piece {
      case .literal(let literal): result += literal
      case .reference(let reference, let isWhole):
        // What begins a URL has its scheme and host.
        let isPlain = place == .plain || place == .url && index == 0
        let known = isWhole || !isPlain ? encoded(reference, isWhole) : nil
        result +=
          (known ?? value(reference, of: request)).map { Self.mark + $0 + Self.mark }
          ?? unresolved(reference, of: request)
      }
    }
    return result
  }

  /// The variable of the shell that has a known value as it stands in a URL or a form; `nil` where
  /// that is the value itself, or nobody knows it.
  private mutating func encoded(_ reference: ExportedReference, _ isWhole: Bool) -> String? {
    guard case .variable(let name) = reference, let value = plan.value(of: name)?.literal,
      let constant = plan.constant(of: name)
    else { return nil }
    let text =
      isWhole ? PercentEncoding.encodeComponent(value) : PercentEncoding.encodeIllegal(value)
    if text == value { return nil }
    if let known = encodings.first(where: { $0.of == name && $0.value == text }) {
      return "$\(known.constant)"
    }
    var word = constant + "_ENCODED"
    while plan.settings.contains(where: { $0.constant == word })
      || encodings.contains(where: { $0.constant == word })
    {
      word += "_2"
    }
    encodings.append((of: name, value: text, constant: word))
    return "$\(word)"
  }

  private func unresolved(
    _ reference: ExportedReference, of request: ExportedRequest?
  ) -> String {
    let written =
      switch reference {
      case .unknown(let written): written
      case .dynamic(let name, let arguments):
        "{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}"
      case .response(let index, _): "{{\(collection.requests[index].title).response…}}"
      case .variable(let name), .process(let name): "{{\(name)}}"
      }
    notes.tellTemplate(written, of: request)
    return written
  }

  /// What stands between double quotes for a reference; `nil` where there is nothing.
  private mutating func value(
    _ reference: ExportedReference, of request: ExportedRequest?
  ) -> String? {
    switch reference {
    case .variable(let name): return plan.constant(of: name).map { "$\($0)" }
    case .process(let name):
      return plan.constant(ofProcess: name).map { "$\($0)" }
    case .unknown: return nil
    case .response(let index, let part):
      guard let step = plan.step(index) else { return nil }
      switch part {
      case .body: return "$\(constant(step))_BODY"
      case .member(let path):
        guard let filter = path.filter else { return nil }
        needsJQ = true
        // What is not there ends the script; `false` is there.
        let read = "$(printf %s \"$\(constant(step))_BODY\" | "
          + "jq -er '\(filter) | if . == false then \"false\" else . end')"
        guard request != nil else { return read }
        if let known = reads.first(where: { $0.line.hasSuffix("=" + read) }) {
          return "${\(known.name)}"
        }
        let name = "\(constant(step))_VALUE_\(reads.count + 1)"
        reads.append((name, "\(name)=\(read)"))
        return "${\(name)}"
      case .header, .status, .other: return nil
      }
    case .dynamic(let name, let arguments):
      return ExportedDynamic(name: name, arguments: arguments).shell
    }
  }
}

extension ExportedPath {
  /// The path as a filter of jq; `nil` where it is no plain path.
  fileprivate var filter: String? {
    steps.map { steps in
      if steps.isEmpty { return "." }
      return "."
        + steps.map { step in
          switch step {
          // A quote of the shell can't stand in a word that it ends.
          case .name(let name):
            "[\(JavaScriptCode.literal.short(name).replacing("'", with: "\\u0027"))]"
          case .index(let index): "[\(index)]"
          }
        }.joined()
    }
  }
}

extension ExportedDynamic {
  /// A command that prints such a value, to stand in double quotes; `nil` where there is none.
  fileprivate var shell: String? {
    switch self {
    case .uuid: "$(uuidgen | tr A-F a-f)"
    case .seconds(let shift):
      "$(($(date +%s)\(shift == 0 ? "" : shift < 0 ? " - \(-shift)" : " + \(shift)")))"
    case .milliseconds: "$(date +%s)000"
    case .iso8601: "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)"
    case .rfc1123: "$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')"
    case .date: "$(date +%Y-%m-%d)"
    case .integer(let low, let high):
      "$(shuf -i \(low)-\(high - 1) -n 1)"
    case .float, .characters, .email, .other: nil
    }
  }
}
