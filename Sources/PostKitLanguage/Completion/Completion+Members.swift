// Completion of a path into an exchange: parts, header names, members of the body (C13 to C15).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension Analysis {
  /// What can follow `name.`, where that is a request of the file; `nil` where it is none.
  func memberItems(
    _ prefix: String, _ replaced: Range<Int>, isClosed: Bool, at offset: Int
  ) -> [CompletionItem]? {
    guard let nameEnd = prefix.firstIndex(of: "."), !prefix.hasPrefix("$") else { return nil }
    let name = String(prefix[..<nameEnd])
    guard scope.request(referredToAs: name) != nil else { return nil }
    let path = MemberPath(String(prefix[prefix.index(after: nameEnd)...]))
    let start = max(replaced.lowerBound, min(offset, replaced.upperBound) - path.typed.utf8.count)
    let end = path.isInBrackets ? endOfBrackets(from: offset) : replaced.upperBound
    let close = isClosed ? "" : "}}"
    let dot = isPathContinued(at: end) ? "" : "."
    return members(of: name, path).enumerated().map { rank, member in
      // Brackets follow their owner without a dot.
      let isBracket = member.name.hasPrefix("[") && !path.isInBrackets
      let from = isBracket && path.isBehindDot ? start - 1 : start
      // What stands for several may be all that is wanted, or be followed by more.
      let isOpen = member.name.hasPrefix("[*") || member.name.hasPrefix("[?")
      let continuation = member.continues ? dot : close
      return CompletionItem(
        member.name, .member, text: member.name + (isOpen ? "" : continuation),
        snippet: member.snippet, replaced: from..<max(from, end), detail: member.detail,
        rank: rank, continues: member.continues,
        filter: isBracket && path.isBehindDot ? "." + member.name : nil)
    }
  }

  /// Whether more of a path follows a place.
  private func isPathContinued(at place: Int) -> Bool {
    let next = document.bytes.dropFirst(place).first
    return next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }

  /// Where the bracket that is open at the caret ends: behind `]`, if that follows on the line.
  private func endOfBrackets(from offset: Int) -> Int {
    let line = document.lineRange(at: offset)
    let rest = document.bytes[offset..<max(offset, line.upperBound)]
    let end = rest.firstIndex { "]}{ ".utf8.contains($0) } ?? rest.endIndex
    return end < rest.endIndex && document.bytes[end] == UInt8(ascii: "]") ? end + 1 : end
  }

  /// Whether a dot stands at a place.
  func hasDot(at place: Int) -> Bool {
    document.bytes.indices.contains(place) && document.bytes[place] == UInt8(ascii: ".")
  }

  private struct Member {
    var name: String
    var detail: String?
    var continues: Bool
    var snippet: String?
  }

  private func members(of request: String, _ path: MemberPath) -> [Member] {
    switch path.base {
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
    case "response.headers.": return headerMembers(request)
    default: return bodyMembers(request, path)
    }
  }

  /// The header fields that the last answer has, else common ones (C14).
  private func headerMembers(_ request: String) -> [Member] {
    guard let exchange = context.shownExchange(request) else {
      return HeaderCatalog.responseNames.map { Member(name: $0, detail: nil, continues: false) }
    }
    let mask = suggestionMask
    var seen: Set<String> = []
    return exchange.response.headers.fields.compactMap { field in
      guard seen.insert(field.name.lowercased()).inserted else { return nil }
      let value =
        SecretMask.isAlwaysMasked(field.name) ? SecretMask.text : mask.mask(field.value).text
      return Member(name: field.name, detail: Analysis.shortened(value), continues: false)
    }
  }

  /// Members and elements at a path of the last answer's body (C15).
  private func bodyMembers(_ request: String, _ path: MemberPath) -> [Member] {
    guard path.base.hasPrefix("response.body.") else { return [] }
    let selector = String(path.base.dropFirst("response.body.".count).dropLast())
    let start = [
      Member(name: "$", detail: "the outermost value", continues: true),
      Member(name: "*", detail: "the whole body", continues: false),
    ]
    guard let exchange = context.shownExchange(request),
      exchange.responseBody.count <= Analysis.bodyLimit
    else { return selector.isEmpty ? start : [] }
    // A body that is no JSON has no members to offer; XML has elements.
    guard let tree = try? JSONTree(parsing: exchange.responseBody) else {
      return selector.isEmpty ? start + elementMembers(exchange.responseBody) : []
    }
    if selector.isEmpty { return start }
    // A path that can't be read yet, such as one that is being written, has no members.
    guard let value = try? JSONPath(selector).first(in: tree.root) else { return [] }
    return value.kind == .array
      ? elements(of: value, path) : self.members(of: value, path)
  }

  private func members(of value: JSONView, _ path: MemberPath) -> [Member] {
    let mask = suggestionMask
    var seen: Set<String> = []
    return value.members.prefix(Analysis.shownMembers).compactMap { key, value in
      guard let key = key.string, seen.insert(key).inserted, !mask.mask(key).didMask else {
        return nil
      }
      // A name that can't follow a dot would make a path that can't be read.
      let canFollowDot = (try? JSONPath("$.\(key)")) != nil
      let name = canFollowDot && !path.isInBrackets ? key : "['\(key)']"
      if name != key, key.contains(where: { "'\\{}".contains($0) }) { return nil }
      return Member(
        name: name, detail: Analysis.detail(of: value, mask),
        continues: value.kind == .object || value.kind == .array)
    }
  }

  /// The elements of an array by place, all of them, and those that a condition chooses.
  private func elements(of value: JSONView, _ path: MemberPath) -> [Member] {
    let mask = suggestionMask
    let places = value.elements.prefix(Analysis.shownElements).enumerated().map { index, element in
      Member(
        name: "[\(index)]", detail: Analysis.detail(of: element, mask),
        continues: element.kind == .object || element.kind == .array)
    }
    let key = value.elements.first?.members.first?.key.string ?? "name"
    return places + [
      Member(name: "[*]", detail: "all elements", continues: true),
      Member(
        name: "[?(@.\(key) == 1)]", detail: "the elements that meet a condition", continues: true,
        snippet: "[?(@.${1:\(Snippet.literal(key))} == ${2:1})]"),
    ]
  }

  /// A scalar as it is shown behind its name; the size of anything else.
  private static func detail(of value: JSONView, _ mask: SecretMask) -> String? {
    switch value.kind {
    case .object: nil
    case .array: value.count == 1 ? "1 element" : "\(value.count) elements"
    default: shortened(mask.mask(value.value.substitutionText).text)
    }
  }

  /// The names of the elements of an XML text as XPath (C15), each once.
  private func elementMembers(_ body: [UInt8]) -> [Member] {
    guard body.first(where: { $0 > 32 }) == UInt8(ascii: "<") else { return [] }
    var seen: Set<String> = []
    var result: [Member] = []
    var rest = body.prefix(Analysis.scannedElementBytes)
    while result.count < Analysis.shownMembers,
      let open = rest.firstIndex(of: UInt8(ascii: "<"))
    {
      rest = rest[(open + 1)...]
      let name = String(decoding: rest.prefix { $0.isWord && $0 != 36 }, as: UTF8.self)
      guard !name.isEmpty, name.first?.isLetter == true, seen.insert(name).inserted else {
        continue
      }
      result.append(Member(name: "//" + name, detail: "an element", continues: false))
    }
    return result
  }

  /// Bytes of a body that is read while somebody types (lsp.md C15).
  private static let bodyLimit = 2 << 20
  /// Bytes of XML in which names are looked for.
  private static let scannedElementBytes = 256 << 10
  private static let shownMembers = 500
  private static let shownElements = 20
}

/// A path behind a request's name, up to the caret: what is whole, and the segment being typed.
struct MemberPath {
  /// What is whole, its last dot or bracket included where the caret stands behind one.
  let base: String
  /// The segment at the caret, an open bracket included.
  let typed: String
  /// Whether the segment is one in brackets.
  var isInBrackets: Bool { typed.hasPrefix("[") }
  /// Whether a dot stands before the segment.
  var isBehindDot: Bool { base.hasSuffix(".") }

  /// Parts the text behind `name.`.
  init(_ path: String) {
    var depth = 0
    var start = path.startIndex
    var openBracket: String.Index?
    for index in path.indices {
      switch path[index] {
      case "[":
        if depth == 0 { openBracket = index }
        depth += 1
      case "]":
        depth = max(0, depth - 1)
        if depth == 0 { openBracket = nil }
      case "." where depth == 0: start = path.index(after: index)
      default: break
      }
    }
    let from = openBracket ?? start
    typed = String(path[from...])
    base = String(path[..<from]) + (openBracket == nil ? "" : ".")
  }
}
