// Completion where a request begins: methods and what else can stand there, metadata, names.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// What a line can begin with (C1): methods, then directives and whole requests.
  func startItems(_ replaced: Range<Int>, at caret: Int) -> [CompletionItem] {
    let words = [
      ("###", "### ", "separates two requests"), ("@name", "@name = ", "defines a variable"),
      ("# @name", "# @name ", "names the request"), ("import", "import ", "imports another file"),
      ("run", "run ", "runs a request or a file"),
    ]
    var items = methodItems(replaced, CompletionSources(), at: caret)
    items += words.enumerated().map { rank, word in
      CompletionItem(
        word.0, .metadata, text: word.1, snippet: word.0 == "@name" ? "@${1:name} = $0" : nil,
        replaced: replaced, detail: word.2, rank: 100 + rank, continues: true)
    }
    // A line may also be a target alone.
    let typed = document.bytes[min(replaced.lowerBound, caret)..<caret]
    if let first = typed.first, "hH{".utf8.contains(first) {
      items += originItems(replaced, CompletionSources(), at: caret, from: 300)
    }
    // Below a separator the skeletons come without one.
    let block = document.block(at: caret)
    let isBegun = block?.syntax.separator != nil && (block?.requestLine.upperBound ?? 0) <= caret
    return items
      + RequestSkeleton.all.enumerated().map { rank, skeleton in
        let skeleton = isBegun ? skeleton.withoutTitle : skeleton
        return CompletionItem(
          skeleton.label, .snippet, text: skeleton.text, snippet: skeleton.snippet,
          replaced: replaced, detail: skeleton.summary, rank: 200 + rank, filter: skeleton.label)
      }
  }

  /// Methods (C2): those that the service's description has for the URL, then those used near by.
  func methodItems(
    _ replaced: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    var uses: [String: Int] = [:]
    for block in blocksNear(caret) {
      guard let range = block.request?.method else { continue }
      uses[block.text(range), default: 0] += 1
    }
    let target = document.block(at: caret)?.writtenTarget ?? ""
    let described =
      target.isEmpty ? [] : sources.described(.methods(typedRequest(target, at: caret)))
    let methods = MethodCatalog.all.enumerated().sorted {
      (uses[$1.element.name] ?? 0, $0.offset) < (uses[$0.element.name] ?? 0, $1.offset)
    }
    return methods.enumerated().map { rank, method in
      let place = described.firstIndex { $0.text == method.element.name }
      var item = CompletionItem(
        method.element.name, .method,
        text: method.element.name + (isBlank(at: replaced.upperBound) ? "" : " "),
        replaced: replaced, detail: method.element.source, documentation: method.element.summary,
        rank: place ?? described.count + rank, continues: true)
      if let place {
        item.origin = described[place].detail
        item.isDeprecated = described[place].isDeprecated
      }
      return item
    }
  }

  /// Metadata keys (C16); a key for the whole file only above its first request.
  func metadataItems(_ replaced: Range<Int>, at caret: Int, lead: String = "") -> [CompletionItem] {
    let isAtTop =
      document.block(at: caret).map { block in
        !document.blocks[..<block.index].contains { $0.isRunnable }
      } ?? true
    return MetadataTable.offered.enumerated().compactMap { rank, tag in
      if tag.reach == .file, !isAtTop { return nil }
      let (key, isFlag) = (tag.key, tag.form == .none)
      let isAlone = isFlag || isBlank(at: replaced.upperBound)
      return CompletionItem(
        lead + key, .metadata, text: lead + (isAlone ? key : key + " "),
        snippet: isAlone ? nil : tag.snippet.map { lead + $0 }, replaced: replaced,
        detail: isFlag ? nil : "@" + tag.usage, documentation: tag.summary, rank: rank,
        continues: !isFlag)
    }
  }

  /// What can follow a metadata key (C17); `words` are those before the one at the caret.
  func metadataValueItems(
    _ tag: MetadataTag?, _ words: [String], _ replaced: Range<Int>, at caret: Int
  ) -> [CompletionItem] {
    guard let form = tag?.entry.form else { return [] }
    func values(_ texts: [String], _ kind: CompletionKind = .value) -> [CompletionItem] {
      texts.enumerated().map { CompletionItem($1, kind, replaced: replaced, rank: $0) }
    }
    switch (form, words.count) {
    case (.requestName, _):
      let own = document.block(at: caret)?.name
      return requestNameItems("", replaced, marker: "").filter { $0.label != own }
    case (.newName, 0): return nameItems(replaced, at: caret)
    case (.requestFile, _): return requestFileItems("", replaced, isRun: false, CompletionSources())
    case (.preset, 0): return values(DialectPreset.allCases.map(\.rawValue))
    case (.duration, 0): return values(["5 s", "30 s", "500 ms", "2 m"])
    case (.duration, 1): return values(["s", "ms", "m"])
    case (.pause, 0): return values(["500", "1 s", "5 s", "1 m"])
    case (.loop, 0): return values(["for ", "for 10", "for item of "], .snippet)
    case (.labels, _): return values(tagsNear(caret))
    case (.statusCodes, _): return values(["200", "201", "204", "400", "401", "404"])
    case (.header, 1): return values(HeaderCatalog.responseNames, .header)
    case (.condition, 0):
      return scope(at: caret).definitions(at: caret).map(\.name).enumerated().map {
        CompletionItem($1, .variable, replaced: replaced, rank: $0)
      }
    case (.prompt, 0), (.labelledPrompt, 1):
      return values(undefinedNames(at: caret), .variable)
    default: return []
    }
  }

  /// The labels of requests near by.
  private func tagsNear(_ caret: Int) -> [String] {
    var seen = SeenTexts()
    for block in blocksNear(caret) { for tag in block.tags.sorted() { seen.add(tag) } }
    return seen.sorted
  }

  /// The names that the block at an offset uses and that nothing defines: what can be asked for.
  private func undefinedNames(at caret: Int) -> [String] {
    undefinedNames(in: document.block(at: caret).map { [$0] } ?? [], at: caret)
  }

  /// The names that blocks use and that nothing defines.
  func undefinedNames(in blocks: [ParsedBlock], at caret: Int) -> [String] {
    var seen = SeenTexts()
    for block in blocks {
      for reference in block.references {
        guard case .path(let name, let rest) = reference.expression, rest.isEmpty,
          scope.lookup(name, at: caret) == nil, scope.request(referredToAs: name) == nil
        else { continue }
        seen.add(name)
      }
    }
    return seen.sorted
  }

  /// The names of requests (C19), those of the file first, then those of files that it imports.
  func requestNameItems(
    _ prefix: String, _ replaced: Range<Int>, marker: String
  ) -> [CompletionItem] {
    bestRequestNames(prefix, count: Analysis.shownNames).enumerated().map { rank, name in
      CompletionItem(marker + name, .request, replaced: replaced, rank: rank)
    }
  }

  private static let shownNames = 400

  /// The names of requests that fit: those of the file, in order, then those of files that it
  /// imports.
  func bestRequestNames(_ prefix: String, count: Int) -> [String] {
    var seen: Set<String> = []
    var result: [String] = []
    let filter = CompletionFilter(prefix.utf8)
    for index in [scope.file] + scope.files.files[scope.file].visible {
      let names = (index == scope.file ? document : scope.files.files[index].document).names
      let fitting = names.requestNames.lazy.filter { filter.quality($0) != nil }
      for name in fitting.prefix(count) where seen.insert(name).inserted { result.append(name) }
    }
    return result
  }

  /// The parameters that `run` or `import` can give what it names (C19), without those given.
  func runArgumentItems(
    _ argument: String, _ given: [String], _ replaced: Range<Int>
  ) -> [CompletionItem] {
    let document: ParsedDocument?
    var blocks: [ParsedBlock] = []
    if argument.hasPrefix("#") {
      let place = scope.files.place(referredToAs: String(argument.dropFirst()), from: scope.file)
      blocks = place.map { [scope.files.block($0)] } ?? []
      document = place.map { scope.files.files[$0.file].document }
    } else {
      let (path, name) = Analysis.parts(ofRun: argument)
      document = self.document(ofRun: path)
      blocks = document?.requests.filter { name == nil || $0.name == name } ?? []
    }
    var seen = SeenTexts()
    for name in document?.names.definitions.keys.sorted() ?? [] { seen.add(name) }
    for block in blocks {
      for reference in block.references {
        if case .path(let name, let rest) = reference.expression, rest.isEmpty { seen.add(name) }
      }
    }
    return seen.sorted.filter { !given.contains($0) }.enumerated().map { rank, name in
      CompletionItem(
        "@" + name, .variable, text: "@\(name)=", replaced: replaced,
        detail: "what \(argument) is run with", rank: rank, continues: true)
    }
  }

  /// The names of the requests of a file that a `run` line names.
  func requestNameItems(ofFile path: String, _ replaced: Range<Int>) -> [CompletionItem] {
    let names = document(ofRun: path.trimmingASCIIBlanks())?.requests.compactMap(\.name) ?? []
    return names.prefix(Analysis.shownNames).enumerated().map { rank, name in
      CompletionItem(name, .request, replaced: replaced, rank: rank)
    }
  }

  /// The file that a `run` line names.
  private func document(ofRun path: String) -> ParsedDocument? {
    scope.files.files.first {
      $0.path == path || $0.path.hasSuffix("/" + Analysis.withoutDot(path))
    }?.document
  }

  /// The path of a `run` line, and the name of the request behind it.
  private static func parts(ofRun argument: String) -> (path: String, name: String?) {
    guard let mark = argument.lastIndex(of: "#"), argument[..<mark].hasSuffix(" ") else {
      return (argument, nil)
    }
    return (
      String(argument[..<mark]).trimmingASCIIBlanks(),
      String(argument[argument.index(after: mark)...]).trimmingASCIIBlanks()
    )
  }

  private static func withoutDot(_ path: String) -> String {
    path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }
}

/// A request as one begins to write it.
struct RequestSkeleton {
  let label: String
  let summary: String
  /// With places to fill in.
  let snippet: String

  /// The same without its first line, for where a separator stands above.
  var withoutTitle: RequestSkeleton {
    let end = snippet.firstIndex(of: "\n").map { snippet.index(after: $0) }
    return RequestSkeleton(
      label: label, summary: summary, snippet: String(snippet[(end ?? snippet.startIndex)...]))
  }

  /// Without them.
  var text: String {
    var result = ""
    var rest = Substring(snippet)
    while let mark = rest.firstIndex(of: "$") {
      result += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      guard rest.hasPrefix("{") else {
        rest = rest.drop(while: \.isNumber)
        continue
      }
      rest = rest.drop { $0 != ":" }.dropFirst()
      let end = rest.indices.first { rest[$0] == "}" && !rest[..<$0].hasSuffix("\\") }
      result += rest[..<(end ?? rest.endIndex)]
      rest = rest[(end ?? rest.endIndex)...].dropFirst()
    }
    return (result + rest).filter { $0 != "\\" }
  }

  /// All of them.
  static let all = [
    RequestSkeleton(
      label: "get", summary: "a GET request",
      snippet: "### ${1:Read}\nGET ${2:https://example.com}\nAccept: application/json\n$0"),
    RequestSkeleton(
      label: "create", summary: "a request with a JSON body",
      snippet: "### ${1:Create}\nPOST ${2:https://example.com}\nContent-Type: application/json\n\n"
        + "{\n  \"${3:name}\": \"${4:value}\"\n\\}\n$0"),
    RequestSkeleton(
      label: "update", summary: "a PUT request",
      snippet: "### ${1:Update}\nPUT ${2:https://example.com}\nContent-Type: application/json\n\n"
        + "{\n  \"${3:name}\": \"${4:value}\"\n\\}\n$0"),
    RequestSkeleton(
      label: "delete", summary: "a DELETE request",
      snippet: "### ${1:Delete}\nDELETE ${2:https://example.com}\n$0"),
    RequestSkeleton(
      label: "graphql", summary: "a GraphQL query",
      snippet: "### ${1:Query}\nGRAPHQL ${2:https://example.com/graphql}\n\n"
        + "query {\n  ${3:field}\n\\}\n$0"),
    RequestSkeleton(
      label: "multipart", summary: "a form with a file",
      snippet: "### ${1:Upload}\nPOST ${2:https://example.com}\n"
        + "Content-Type: multipart/form-data; boundary=boundary\n\n--boundary\n"
        + "Content-Disposition: form-data; name=\"${3:file}\"; filename=\"${4:file.txt}\"\n\n"
        + "< ${5:./file.txt}\n--boundary--\n$0"),
    RequestSkeleton(
      label: "basic-auth", summary: "a request with user and password",
      snippet: "### ${1:Request}\nGET ${2:https://example.com}\n"
        + "Authorization: Basic ${3:{{user\\}\\}} ${4:{{password\\}\\}}\n$0"),
    RequestSkeleton(
      label: "bearer-auth", summary: "a request with a token",
      snippet: "### ${1:Request}\nGET ${2:https://example.com}\n"
        + "Authorization: Bearer ${3:{{token\\}\\}}\n$0"),
  ]
}

extension MetadataEntry {
  /// The key with places to fill in; `nil` where one word follows it, for which completion has the
  /// words.
  fileprivate var snippet: String? {
    let words = form.words.split(separator: "|")[0].split(separator: " ")
    guard words.count > 1 else { return nil }
    var number = 0
    let places = words.map { word -> String in
      let name = word.filter { $0.isLetter || $0.isNumber }
      guard name.contains(where: \.isUppercase) else { return String(word) }
      number += 1
      let place = Snippet.place(number, name)
      return word.hasPrefix("\"") ? "\"\(place)\"" : place
    }
    return ([key] + places).joined(separator: " ")
  }
}
