// Completion between `{{` and `}}`: variables, dynamic variables, requests and paths into them.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension Analysis {
  /// What can stand in a reference that begins with `prefix`.
  func referenceItems(
    _ prefix: String, _ replaced: Range<Int>, isClosed: Bool, at offset: Int
  ) -> [CompletionItem] {
    if let items = memberItems(prefix, replaced, isClosed: isClosed, at: offset) { return items }
    let close = isClosed ? "" : "}}"
    var items = scope(at: offset).definitions(at: offset).map { definition in
      let layer = definition.origin.layer
      return CompletionItem(
        definition.name, .variable, text: definition.name + close, replaced: replaced,
        detail: Analysis.detail(definition), origin: layer.rawValue,
        documentation: Analysis.place(definition.origin), rank: Analysis.rank(layer))
    }
    items += scope(at: offset).definedLater.map { name, request in
      CompletionItem(
        name, .variable, text: name + close, replaced: replaced,
        detail: "from the answer to \(request)",
        origin: VariableOrigin.Layer.response.rawValue, rank: 0)
    }
    items += requestNames.map { name in
      CompletionItem(
        name, .request, text: hasDot(at: replaced.upperBound) ? name : name + ".response.",
        replaced: replaced,
        detail: "a part of the answer to \(name)", origin: "request", rank: 50, continues: true)
    }
    items += DynamicVariables.all.map { variable in
      let needsArguments = ["NAME", "length"].contains { variable.signature.contains($0) }
      return CompletionItem(
        "$" + variable.name, .dynamicVariable,
        text: "$" + variable.name + (needsArguments ? " " : close), replaced: replaced,
        detail: variable.signature, origin: "dynamic", documentation: variable.summary, rank: 60)
    }
    return items
  }

  /// The layer that wins comes first.
  private static func rank(_ layer: VariableOrigin.Layer) -> Int {
    switch layer {
    case .override, .prompt, .loop, .global, .response: 0
    case .file, .importedFile: 1
    case .collection, .privateEnvironment, .userEnvironment, .publicEnvironment, .editorSettings: 2
    case .shared: 3
    case .dotEnv, .process: 4
    }
  }

  /// The value as written; never that of a secret.
  private static func detail(_ definition: VariableDefinition) -> String {
    if definition.origin.layer == .prompt { return "asked for before sending" }
    if definition.isFile { return "the content of \(shortened(definition.shownText))" }
    return definition.isSecret ? SecretMask.text : shortened(definition.shownText)
  }

  /// The first line of a text, cut where it is long.
  static func shortened(_ text: String) -> String {
    let line = text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(59)) + "…" : line
  }

  /// The file and line of a definition in words; `nil` where no file holds it.
  static func place(_ origin: VariableOrigin) -> String? {
    guard origin.line > 0 else { return nil }
    let name = origin.path.split(separator: "/").last.map(String.init) ?? "this file"
    return "\(name), line \(origin.line)"
  }

  /// What can follow `name.`, where that is a request of the file.
  private func memberItems(
    _ prefix: String, _ replaced: Range<Int>, isClosed: Bool, at offset: Int
  ) -> [CompletionItem]? {
    guard let nameEnd = prefix.firstIndex(of: "."), !prefix.hasPrefix("$") else { return nil }
    let name = String(prefix[..<nameEnd])
    guard scope.request(referredToAs: name) != nil else { return nil }
    let path = String(prefix[prefix.index(after: nameEnd)...])
    let segment = path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex
    let typed = path[segment...]
    let base = String(path[..<segment])
    let start = max(replaced.lowerBound, min(offset, replaced.upperBound) - typed.utf8.count)
    let target = start..<replaced.upperBound
    let close = isClosed ? "" : "}}"
    let dot = hasDot(at: replaced.upperBound) ? "" : "."
    let names = members(of: name, base)
    return names.enumerated().map { rank, member in
      CompletionItem(
        member.name, .member, text: member.name + (member.continues ? dot : close),
        replaced: target, detail: member.detail, rank: rank, continues: member.continues)
    }
  }

  private func hasDot(at place: Int) -> Bool {
    document.bytes.indices.contains(place) && document.bytes[place] == UInt8(ascii: ".")
  }

  private struct Member {
    var name: String
    var detail: String?
    var continues: Bool
  }

  private func members(of request: String, _ base: String) -> [Member] {
    switch base {
    case "":
      return [
        Member(name: "response", detail: "the answer", continues: true),
        Member(name: "request", detail: "what was sent", continues: true),
      ]
    case "response.":
      return [
        Member(name: "body", detail: "its body", continues: true),
        Member(name: "headers", detail: "its headers", continues: true),
        Member(name: "status", detail: "its status code", continues: false),
        Member(name: "cookies", detail: "the cookies it sets", continues: true),
        Member(name: "time", detail: "how long it took, in milliseconds", continues: false),
      ]
    case "request.":
      return [
        Member(name: "body", detail: "its body", continues: true),
        Member(name: "headers", detail: "its headers", continues: true),
        Member(name: "url", detail: "its URL", continues: false),
        Member(name: "method", detail: "its method", continues: false),
      ]
    default:
      return received(request, base)
    }
  }

  /// Names that the last answer really has.
  private func received(_ request: String, _ base: String) -> [Member] {
    let exchange = context.shownExchange(request)
    if base == "response.headers." {
      let common = ["Content-Type", "Location", "ETag"]
      let names = exchange?.response.headers.fields.map(\.name) ?? common
      var seen: Set<String> = []
      return names.filter { seen.insert($0.lowercased()).inserted }
        .map { Member(name: $0, detail: nil, continues: false) }
    }
    guard base.hasPrefix("response.body.") else { return [] }
    let path = base.dropFirst("response.body.".count)
    let start = [
      Member(name: "$", detail: "the outermost value", continues: true),
      Member(name: "*", detail: "the whole body", continues: false),
    ]
    // A body that is no JSON has no members to offer.
    guard let exchange, exchange.responseBody.count <= Analysis.bodyLimit,
      let tree = try? JSONTree(parsing: exchange.responseBody)
    else { return path.isEmpty ? start : [] }
    if path.isEmpty { return start }
    let selector = String(path.dropLast())
    // A path that can't be read yet, such as one that is being written, has no members.
    guard let value = try? JSONPath(selector).first(in: tree.root) else { return [] }
    let mask = SecretMask(secrets: knownSecrets)
    return value.members.compactMap { key, value in
      // A name that can't follow a dot would make a path that can't be read.
      guard let name = key.string, (try? JSONPath("$.\(name)")) != nil else { return nil }
      let isContainer = value.kind == .object || value.kind == .array
      let text = mask.mask(value.value.substitutionText).text
      return Member(
        name: name, detail: isContainer ? nil : Analysis.shortened(text), continues: isContainer)
    }
  }

  /// Bytes of a body that is read while somebody types (lsp.md C15).
  private static let bodyLimit = 2 << 20
}
