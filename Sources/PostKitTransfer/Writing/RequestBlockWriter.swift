// A request of another tool as a block of a request file (IO-9).

import PostKitHTTP
import PostKitSyntax

/// What all requests of a folder that is written have in common.
struct WritingContext {
  let options: WritingOptions
  let format: OriginFormat
  let notes: ImportNotes
  let variables: WrittenVariables
  let auth: AuthWriter
  let scripts: ScriptPlaces
  let names: DirectoryNames
  let source: SourceFiles
  /// Whether a parsed file has exactly the parts that were written, as who merges takes them apart.
  let haveParts: (ParsedDocument, WrittenFile) -> Bool
}

/// Writes one request, with more care where it was read back otherwise.
struct RequestBlockWriter {
  let context: WritingContext
  let planned: PlannedRequest
  let names: RequestNames
  let files: BesideFiles
  /// The names of folders and request.
  let origin: String
  /// What its auth adds.
  private let auth: AuthLines
  /// What runs before and after it, those of folders first.
  private let scripts: [PlacedScript]

  /// Prepares a request of a file in a directory.
  init(
    _ planned: PlannedRequest, _ names: RequestNames, directory: String, _ context: WritingContext
  ) {
    self.context = context
    self.planned = planned
    self.names = names
    let request = planned.request
    origin = planned.frame.origin(of: request)
    files = BesideFiles(
      directory: directory, title: planned.title, sourcePath: context.options.sourcePath,
      names: context.names, source: context.source, standsAlone: context.options.standsAlone)
    context.variables.tellSigns(in: request, origin)
    let isInherited = request.auth == .inherited
    let auth = isInherited ? planned.frame.auth : request.auth
    let authPlace = isInherited ? planned.frame.authPlace : request.authPlace
    context.auth.secrets.owner = request.id
    self.auth = context.auth.lines(
      auth.renaming(names.all), at: authPlace ?? request.place, origin: origin)
    var scripts = planned.frame.scripts
    for script in request.scripts where !ScriptPlaces.isEmpty(script) {
      if let statements = context.scripts.translation(of: script) {
        scripts += context.scripts.placed(
          statements, of: script, origin: origin, context.notes)
      } else {
        ScriptPlaces.tellKept(script, origin: origin, context.notes)
        let text = TemplateNames.renaming(inScript: script.text, names.all)
        scripts.append(PlacedScript(phase: script.phase, content: .text(text)))
      }
    }
    self.scripts = scripts
  }

  /// The request as a block.
  func draft(_ care: WritingCare) -> RequestDraft {
    context.auth.secrets.owner = planned.request.id
    var draft = RequestDraft(block: WrittenBlock(id: planned.request.id, title: title(care)))
    if care == .comment { return commented(draft) }
    writeLine(care, to: &draft)
    var comments = writeHeaders(care, to: &draft)
    BodyWriter(
      care: care, names: names.all, files: files,
      place: planned.request.bodyPlace ?? planned.request.place,
      standsAlone: context.options.standsAlone,
      isPlain: planned.request.metadata.contains("no-auto-encoding")
    ).write(planned.request.body, to: &draft)
    var lines: [String] = []
    for (index, header) in draft.headers.enumerated() {
      while comments.first?.at == index { lines.append(comments.removeFirst().line) }
      lines.append(header.line)
    }
    draft.block.headers = (lines + comments.map(\.line)).joined(separator: "\n")
    writeTail(care, to: &draft)
    writeHead(care, to: &draft)
    return draft
  }

  private func title(_ care: WritingCare) -> String {
    care < .strict ? planned.title : TitleText.strict(planned.title)
  }

  /// What the request says, as comments.
  private func commented(_ start: RequestDraft) -> RequestDraft {
    var draft = start
    draft.isRequest = false
    let url = LineText.cut(LineText.oneLine(planned.request.url.text), to: LineText.nameLimit)
    let method = LineText.cut(LineText.oneLine(planned.request.method), to: 40)
    draft.block.head = LineText.comment("not written: \(method) \(url)")
    draft.notes.append(
      (.itemMalformed, "No text of a request file means this request; write it anew.",
        planned.request.place))
    return draft
  }

  // MARK: - Line and headers

  private func writeLine(_ care: WritingCare, to draft: inout RequestDraft) {
    draft.method = method(&draft)
    var url = PairEscaping.url.text(planned.request.url, names.url)
    if url.isEmpty {
      url = "http://"
      draft.notes.append((.itemMalformed, "The request has no URL.", planned.request.place))
    }
    // A target of that name is only a place for headers.
    if url == "NOP" { url = "http://NOP" }
    var pairs = planned.request.query
    if let added = auth.query {
      pairs.removeAll { $0.isOn && $0.name.text == added.name }
      pairs.append(OriginPair(name: OriginText(added.name), value: OriginText(added.value)))
    }
    let query = PairText.query(
      pairs, names.all, after: draft.method.utf8.count + 1 + url.unicodeScalars.count,
      hasQuery: url.has("?"), isStrict: care >= .strict)
    draft.target = url + query.target
    var first = "\(draft.method) \(url)\(query.sameLine)"
    if let version = planned.request.httpVersion.map(Self.version) {
      if care < .strict {
        first += " HTTP/\(version)"
        draft.version = version
      } else {
        draft.notes.append(
          (.settingUnsupported, "The version of HTTP can't be written here.",
            planned.request.place))
      }
    }
    draft.block.line = query.lines.isEmpty
      ? first : first + "\n" + query.lines.joined(separator: "\n")
  }

  private func method(_ draft: inout RequestDraft) -> String {
    switch planned.request.kind {
    case .webSocket: return "WEBSOCKET"
    case .grpc: return "GRPC"
    case .http: break
    }
    let method = LineText.oneLine(planned.request.method)
    if method.isEmpty { return "GET" }
    if Self.isMethod(method) { return method }
    let capitals = method.uppercased()
    guard Self.isMethod(capitals) else {
      draft.notes.append(
        (.itemMalformed,
          "`\(LineText.cut(method, to: 40))` is no method; the request is switched off.",
          planned.request.place))
      return "GET"
    }
    if !MethodCatalog.isKnown(capitals) {
      draft.notes.append(
        (.encodingDiffers, "The method is sent in capitals, as `\(capitals)`.",
          planned.request.place))
    }
    return capitals
  }

  /// Whether the method is none, so that the request must not be sent with another one.
  private var isSwitchedOff: Bool {
    let method = LineText.oneLine(planned.request.method).uppercased()
    return planned.request.kind == .http && !method.isEmpty && !Self.isMethod(method)
  }

  /// The number of a version, whether or not `HTTP/` stands before it.
  private static func version(_ text: String) -> String {
    let text = LineText.oneLine(text)
    return text.uppercased().hasPrefix("HTTP/") ? String(text.dropFirst(5)) : text
  }

  /// `[A-Z][A-Z0-9_-]*`, as what any word before a URL is a method (PK-9).
  private static func isMethod(_ text: String) -> Bool {
    guard let first = text.utf8.first, (65...90).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (65...90).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
    }
  }

  /// Writes the headers and gives the comments among them, each with the place of the header
  /// before which it stands.
  private func writeHeaders(
    _ care: WritingCare, to draft: inout RequestDraft
  ) -> [(at: Int, line: String)] {
    var comments: [(at: Int, line: String)] = []
    let pairs = FolderFrame.merged(planned.frame.headers, planned.request.headers)
    for pair in pairs {
      guard let header = HeaderText(pair, names.all) else { continue }
      if pair.isOn, header.isSendable, care < .strict || !header.name.hasTemplate {
        draft.headers.append(header)
      } else {
        comments.append((draft.headers.count, LineText.comment(header.line)))
        if pair.isOn {
          draft.notes.append(
            (.itemMalformed,
              "The header `\(LineText.cut(header.name, to: 80))` can't be sent and is a comment.",
              planned.request.headersPlace ?? planned.request.place))
        }
      }
      for line in LineText.comments(pair.description) {
        comments.append((draft.headers.count, line))
      }
    }
    guard let added = auth.header else { return comments }
    let header = HeaderText(name: added.name, value: added.value)
    guard header.isSendable else {
      comments.append((draft.headers.count, LineText.comment(header.line)))
      draft.notes.append(
        (.authPartial,
          "The header `\(LineText.cut(header.name, to: 80))` of its authentication can't be sent "
            + "and is a comment.", planned.request.place))
      return comments
    }
    let isEqual: (HeaderText) -> Bool = { $0.name.equalsIgnoringASCIICase(header.name) }
    if header.name == "Cookie" {
      draft.headers.append(header)
    } else if let place = draft.headers.firstIndex(where: isEqual) {
      // In Insomnia a header that was typed counts.
      if context.format == .insomnia, header.name == "Authorization" { return comments }
      draft.headers[place] = header
      while let next = draft.headers[(place + 1)...].firstIndex(where: isEqual) {
        draft.headers.remove(at: next)
        comments = comments.map { $0.at > next ? ($0.at - 1, $0.line) : $0 }
      }
    } else {
      draft.headers.append(header)
    }
    return comments
  }

  // MARK: - What stands before and after

  private func writeHead(_ care: WritingCare, to draft: inout RequestDraft) {
    var lines = planned.comments + description(&draft)
    lines += (planned.request.comments + auth.comments).map {
      LineText.comment(TemplateNames.renaming($0, names.all))
    }
    if !draft.block.head.isEmpty { lines.append(String(draft.block.head.dropLast())) }
    var tags: [String] = []
    let words = planned.request.tags.map { Self.label($0) }.filter { !$0.isEmpty }
    if !words.isEmpty { tags.append("tag \(words.joined(separator: ", "))") }
    if context.options.writesExamples { tags += examples(&draft) }
    if let name = planned.request.referenceName { tags.append("name \(Self.identifier(name))") }
    tags += planned.request.references.map { "ref \(Self.identifier($0))" }
    if isSwitchedOff { tags.append("disabled") }
    tags += planned.request.metadata.map { LineText.oneLine(TemplateNames.renaming($0, names.all)) }
    for tag in tags {
      if Self.isTag(tag) {
        lines.append("# @\(tag)")
        draft.metadataCount += 1
      } else {
        lines.append(LineText.comment(tag))
      }
    }
    lines += names.definitions
    draft.variableCount = names.definitions.count
    for script in scripts where script.phase == .beforeRequest {
      lines += self.lines(of: script, marker: "<", care, to: &draft)
    }
    draft.block.head = lines.joined(separator: "\n")
  }

  private func description(_ draft: inout RequestDraft) -> [String] {
    let limit = LineText.descriptionLimit
    if planned.request.description.utf8.count > limit {
      draft.notes.append(
        (.descriptionCut, "The description is longer than 4 KiB and cut.", planned.request.place))
    }
    return LineText.comments(LineText.cut(planned.request.description, to: limit))
  }

  private func examples(_ draft: inout RequestDraft) -> [String] {
    var tags: [String] = []
    for (index, example) in planned.request.examples.enumerated() {
      let found = ExampleFiles.file(
        example, number: index + 1, title: planned.title, files)
      if let found {
        draft.attachments.append(found.file)
        tags.append(found.tag)
      } else {
        draft.notes.append(
          (.itemMalformed, "The example has the status \(example.status) and is left out.",
            example.place))
      }
    }
    return tags
  }

  private func writeTail(_ care: WritingCare, to draft: inout RequestDraft) {
    var lines: [String] = []
    var checks = planned.request.checks
    for script in scripts where script.phase == .afterResponse {
      if case .check(let check) = script.content {
        checks.append(check)
      } else {
        lines += self.lines(of: script, marker: ">", care, to: &draft)
      }
    }
    // Comments below a body are a part of it until something else has begun.
    let followsBody = !draft.block.body.isEmpty
      || draft.headers.contains { $0.name.equalsIgnoringASCIICase("Content-Type") }
    for check in checks {
      let line = LineText.oneLine(TemplateNames.renaming(check.line, names.all))
      let title = check.title.map(LineText.oneLine) ?? ""
      if care >= .strict {
        draft.block.head += LineText.comment("check: \(line)") + "\n"
        draft.notes.append(
          (.testUnsupported, "A check can't be written here and is a comment.",
            planned.request.place))
        continue
      }
      if !title.isEmpty, title != line {
        if lines.isEmpty, followsBody {
          draft.block.head += LineText.comment("check: \(title)") + "\n"
        } else {
          lines.append(LineText.comment(title))
        }
      }
      lines.append("?? \(line)")
      draft.checkCount += 1
    }
    draft.block.tail = lines.joined(separator: "\n")
  }

  /// A script in its lines.
  private func lines(
    of script: PlacedScript, marker: String, _ care: WritingCare, to draft: inout RequestDraft
  ) -> [String] {
    draft.scriptCount += 1
    switch script.content {
    case .check: return []
    case .handler(let statement):
      return ["\(marker) {% \(TemplateNames.renaming(inScript: statement, names.all)) %}"]
    case .file(let path): return ["\(marker) \(relative(path))"]
    case .text(let written):
      let text = context.options.standsAlone ? written.withPlainLineEnds : written
      if care < .strict, ScriptPlaces.canStandInBlock(text) {
        return ["\(marker) {%", text, "%}"]
      }
      let role = script.phase == .beforeRequest ? "pre" : "post"
      let name = files.name(
        "script \(draft.scriptCount)", suffix: ".\(role)", in: "scripts/", ending: ".js",
        withoutBlanks: true)
      draft.attachments.append(
        TransferFile(path: files.directory + name, bytes: Array(text.utf8)))
      return ["\(marker) ./\(name)"]
    }
  }

  /// A path below the target as one from the directory of the request file, above which it lies.
  private func relative(_ path: String) -> String {
    var (rest, up) = (files.directory, "")
    while !path.hasPrefix(rest), !rest.isEmpty {
      rest = String(rest.dropLast())
      rest = rest.lastIndex(of: "/").map { String(rest[...$0]) } ?? ""
      up += "../"
    }
    return (up.isEmpty ? "./" : up) + path.dropFirst(rest.count)
  }

  /// A word as `# @tag` has it: commas and blanks part words.
  private static func label(_ text: String) -> String {
    LineText.oneLine(text).replacing(" ", with: "-").replacing(",", with: "-")
      .replacing("\t", with: "-")
  }

  /// A name of a request that others can use.
  private static func identifier(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isKept = scalar.properties.isAlphabetic || ("0"..."9") ~= scalar || scalar == "_"
        || scalar == "-"
      result.unicodeScalars.append(isKept ? scalar : "_")
    }
    return result.isEmpty ? "request" : result
  }

  /// Whether a text begins with a key and is on one line.
  private static func isTag(_ text: String) -> Bool {
    let key = text.prefix { $0 != " " && $0 != "=" }
    guard let first = key.utf8.first, (65...90).contains(first & 0xDF) else { return false }
    return key.utf8.allSatisfy {
      (65...90).contains($0 & 0xDF) || (48...57).contains($0) || $0 == 45
    }
  }
}
