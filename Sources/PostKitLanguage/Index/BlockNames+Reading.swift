// The names of a block of a request file, from its tree.

import PostKitEvaluate
import PostKitSyntax

extension BlockNames {
  /// Reads the names of a block. `resolve` says what a path in the file means.
  convenience init(_ block: ParsedBlock, resolve: (String) -> String?) {
    var reader = BlockNamesReader(block: block)
    reader.readDefinitions()
    reader.readMetadata()
    reader.readDirectives()
    reader.readReferences()
    reader.readPaths(resolve)
    reader.readScripts()
    self.init(
      reader.occurrences, request: reader.request, count: block.range.count,
      substitutes: block.metadata.contains { $0.kind == .injectVariables })
  }
}

/// Collects the names of one block.
private struct BlockNamesReader {
  let block: ParsedBlock
  var occurrences: [NameOccurrence] = []

  init(block: ParsedBlock) { self.block = block }

  /// The block as others call it; `nil` where nobody can.
  var request: IndexedRequest? {
    guard block.isRequest || block.name != nil, block.syntax.kind != .response else { return nil }
    let names = occurrences.filter { $0.role == .requestName || $0.role == .requestTitle }
    let name = names.first { $0.role == .requestName } ?? names.first
    return IndexedRequest(
      name: block.name, title: block.title, target: block.isRequest ? block.methodAndPlace : "",
      selection: block.isRequest ? block.leadingLine : name?.range ?? block.leadingLine,
      isRequest: block.isRequest)
  }

  private mutating func add(
    _ role: NameOccurrence.Role, _ range: Range<Int>, rest: String = "", owner: String? = nil
  ) {
    guard !range.isEmpty else { return }
    occurrences.append(
      NameOccurrence(name: block.text(range), role: role, range: range, rest: rest, owner: owner))
  }

  mutating func readDefinitions() {
    for variable in block.variables {
      let role: NameOccurrence.Role =
        variable.isAfterResponse
        ? .responseVariable : variable.isGlobal ? .globalVariable : .fileVariable
      add(role, variable.nameRange)
    }
  }

  mutating func readMetadata() {
    let named = block.metadata.first { $0.kind == .name && !$0.value.isEmpty }
    if let title = block.syntax.separator?.title, block.title != nil { add(.requestTitle, title) }
    for tag in block.metadata where tag.region != .body {
      switch tag.kind {
      case .name: if tag.line == named?.line { add(.requestName, tag.value) }
      case .ref, .forceRef: add(.requestCall, tag.value)
      case .prompt, .secret: add(.prompt, words(tag.value).first ?? 0..<0)
      case .kulalaPrompt: readLabelledPrompt(tag.value)
      case .loop: readLoop(tag.value)
      case .disabled: readCondition(tag.value)
      default: break
      }
    }
  }

  /// The words of a range of the block, with one blank between as loops are read.
  private func words(_ range: Range<Int>) -> [Range<Int>] {
    let start = block.range.lowerBound
    return block.bytes[block.absolute(range)].split(separator: 32).map {
      $0.startIndex - start..<$0.endIndex - start
    }
  }

  /// `"label" name`, or a name alone.
  private mutating func readLabelledPrompt(_ value: Range<Int>) {
    let bytes = block.bytes
    let whole = block.absolute(value)
    var name = whole
    if let quote = bytes[whole].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let end = bytes[whole].dropFirst().firstIndex(of: quote) else { return }
      name = end + 1..<whole.upperBound
    }
    let start = block.range.lowerBound
    add(.prompt, words(name.lowerBound - start..<name.upperBound - start).first ?? 0..<0)
  }

  private mutating func readLoop(_ value: Range<Int>) {
    guard case .items(_, _) = LoopSyntax(block.text(value)) else { return }
    let words = words(value)
    add(.loopVariable, words[1])
    let path = words[3].lowerBound..<value.upperBound
    // A reference in braces is among those of the block.
    if block.slice(path).first != UInt8(ascii: "{") { addExpression(path) }
  }

  /// `# @disabled name` and `# @disabled !name`.
  private mutating func readCondition(_ value: Range<Int>) {
    let marks = block.slice(value).prefix { $0 == UInt8(ascii: "!") || $0 == 32 || $0 == 9 }
    let text = value.lowerBound + marks.count..<value.upperBound
    if block.slice(text).first != UInt8(ascii: "{") { addExpression(text) }
  }

  private mutating func addExpression(_ range: Range<Int>) {
    let text = block.text(range)
    guard case .path = ReferenceExpression(parsing: text) else { return }
    addReference(ReferenceExpression(parsing: text), range, in: range, owner: nil)
  }

  mutating func readDirectives() {
    for directive in block.directives {
      if let name = directive.calledName, !name.isEmpty { add(.requestCall, name) }
      for override in directive.overrides { add(.override, override.name) }
    }
  }

  mutating func readReferences() {
    for reference in block.references {
      let owner = block.variables.first {
        $0.value.lowerBound <= reference.range.lowerBound
          && reference.range.upperBound <= $0.value.upperBound
      }
      addReference(
        reference.expression, reference.inner, in: reference.range,
        owner: owner.map { block.name(of: $0) })
    }
    for assertion in block.assertions {
      guard case .expression(let range) = block.form(of: assertion)?.subject else { continue }
      let start = block.range.lowerBound
      let inside = range.lowerBound - start..<range.upperBound - start
      if !block.text(inside).contains("{{") { addExpression(inside) }
    }
  }

  private mutating func addReference(
    _ expression: ReferenceExpression, _ inner: Range<Int>, in whole: Range<Int>, owner: String?
  ) {
    if case .script = expression { addScript(inner, isLua: false, readsWords: true) }
    if let found = NamedReference(expression, inner, in: block.slice(0..<block.range.count)) {
      occurrences.append(NameOccurrence(found, in: whole, owner: owner))
    }
  }

  mutating func readPaths(_ resolve: (String) -> String?) {
    var roles: [Range<Int>: NameOccurrence.Role] = [:]
    for line in block.request?.body?.lines ?? [] {
      if case .file(let file) = line.kind {
        roles[file.path] = file.marker == .includeSubstituted ? .templatePath : .includePath
      }
    }
    for directive in block.directives where directive.kind == .runFile {
      roles[directive.argument] = .runPath
    }
    for script in block.scripts {
      if let path = script.path { roles[path] = .scriptPath }
    }
    for range in block.pathRanges {
      let written = block.text(range)
      let role = roles[range] ?? .filePath
      if written.isEmpty { continue }
      if written.contains("{{") {
        if role == .templatePath || role == .scriptPath || ParsedDocument.isRequestFile(written) {
          add(.openPath, range)
        } else if role == .includePath {
          add(.openIncludePath, range)
        }
        continue
      }
      let unescaped = written.split(separator: "\\ ", omittingEmptySubsequences: false)
        .joined(separator: " ")
      occurrences.append(
        NameOccurrence(
          name: resolve(unescaped) ?? unescaped, role: role, range: range, rest: unescaped))
    }
  }

  mutating func readScripts() {
    for script in block.scripts {
      guard let text = script.text else { continue }
      addScript(text, isLua: block.isLua(script), readsWords: true)
    }
  }

  private mutating func addScript(_ range: Range<Int>, isLua: Bool, readsWords: Bool) {
    let names = ScriptReading.of(block.slice(range), isLua: isLua).names(
      withWords: readsWords && !isLua)
    occurrences += names.map { NameOccurrence($0).moved(by: range.lowerBound) }
  }
}

/// The name in a reference, at its place.
struct NamedReference {
  let name: String
  let role: NameOccurrence.Role
  let range: Range<Int>
  let rest: String

  /// Finds the name of an expression that stands at a range of a text, counted from the start of
  /// the text; `nil` where it has none.
  init?(_ expression: ReferenceExpression, _ inner: Range<Int>, in text: ArraySlice<UInt8>) {
    var rest = ""
    var start = inner.lowerBound
    let name: String
    switch expression {
    case .path("$", let path):
      // `$.users..id` looks for `id` in `users`.
      let dots = path.utf8.prefix { $0 == UInt8(ascii: ".") }.count
      guard
        case .path(let first, let tail) = ReferenceExpression(
          parsing: String(path.utf8.dropFirst(dots)) ?? "")
      else { return nil }
      (name, rest, role) = (first, tail, .reference)
      start += 1 + dots
    case .path(let first, let tail): (name, rest, role) = (first, tail, .reference)
    case .script(let whole): (name, role) = (whole, .reference)
    case .empty: return nil
    case .dynamic(let word, let arguments):
      guard let found = NamedReference.dynamic(word, arguments) else { return nil }
      (name, rest, role) = (found.name, found.rest, found.role)
      let word = word.utf8.count + 1
      if found.isArgument {
        let behind = inner.lowerBound + word..<inner.upperBound
        let place = NamedReference.place(of: name, in: text, behind)
        guard let place else { return nil }
        start = place
      } else {
        start += word - name.utf8.count - rest.utf8.count
      }
    }
    self.name = name
    self.rest = rest
    // Bytes that are no text may have become a longer one.
    let end = min(start + name.utf8.count, inner.upperBound)
    range = min(start, end)..<end
  }

  private static func dynamic(
    _ word: String, _ arguments: String
  ) -> (name: String, rest: String, role: NameOccurrence.Role, isArgument: Bool)? {
    if word.hasPrefix("global."), arguments.isEmpty {
      let path = word.dropFirst(7)
      let name = path.prefix { $0 != "." && $0 != "[" }
      if name.isEmpty { return nil }
      return (String(name), String(path.dropFirst(name.count)), .globalReference, false)
    }
    if word.hasPrefix("xpath:") {
      return (String(word.dropFirst(6)), "", .exchangeReference, false)
    }
    if let token = TokenReference(name: word, arguments: arguments) {
      return (token.id, "", .clientReference, true)
    }
    guard word == "dotenv" || word == "processEnv", !arguments.isEmpty else { return nil }
    if arguments.hasPrefix("%") { return (String(arguments.dropFirst()), "", .reference, true) }
    return word == "dotenv" ? (arguments, "", .dotEnvReference, true) : nil
  }

  /// Where a name begins in a range of a text.
  private static func place(
    of name: String, in text: ArraySlice<UInt8>, _ range: Range<Int>
  ) -> Int? {
    let name = Array(name.utf8)
    let base = text.startIndex
    var at = range.lowerBound
    while at + name.count <= range.upperBound {
      if text[base + at..<base + at + name.count].elementsEqual(name) { return at }
      at += 1
    }
    return nil
  }
}
