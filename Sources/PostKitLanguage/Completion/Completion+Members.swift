// Completion of a path into an exchange: parts, header names, members of the body (C13 to C15).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// What can follow `name.`, where that is a request of the file, or a variable that is an object;
  /// `nil` where it is neither.
  func memberItems(
    _ prefix: String, _ replaced: Range<Int>, _ braces: ReferenceBraces,
    _ sources: CompletionSources, at offset: Int
  ) -> [CompletionItem]? {
    guard let nameEnd = prefix.firstIndex(where: { $0 == "." || $0 == "[" }),
      !prefix.hasPrefix("$")
    else { return nil }
    let name = String(prefix[..<nameEnd])
    let rest = prefix[nameEnd...]
    let path: MemberPath
    let members: [Member]
    let isBehindDot: Bool
    if rest.hasPrefix("."), scope.request(referredToAs: name) != nil {
      path = MemberPath(String(rest.dropFirst()))
      members = self.members(of: name, path, sources)
      isBehindDot = path.isBehindDot
    } else if let definition = scope(at: offset).lookup(name, at: offset), definition.hasMembers {
      path = MemberPath(String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
      members = self.members(of: definition, path)
      isBehindDot = path.base.isEmpty ? rest.hasPrefix(".") : path.isBehindDot
    } else {
      return nil
    }
    let start = max(replaced.lowerBound, min(offset, replaced.upperBound) - path.typed.utf8.count)
    let end = path.isInBrackets ? endOfBrackets(from: offset) : replaced.upperBound
    let close = braces.closing
    let dot = isPathContinued(at: end) ? "" : "."
    return members.enumerated().map { rank, member in
      // Brackets follow their owner without a dot.
      let isBracket = member.name.hasPrefix("[") && !path.isInBrackets
      let from = isBracket && isBehindDot ? start - 1 : start
      let continuation = member.continues ? dot : close
      return CompletionItem(
        member.name, .member, text: member.name + (member.isOpen ? "" : continuation),
        snippet: member.snippet, replaced: from..<max(from, end), detail: member.detail,
        origin: member.origin, rank: rank, continues: member.continues,
        filter: isBracket && isBehindDot ? "." + member.name : nil)
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

  /// A piece of a path.
  struct Member {
    var name: String
    var detail: String?
    var continues = false
    /// Whether it may be all that is wanted, or be followed by more.
    var isOpen = false
    var snippet: String?
    var origin: String?
  }

  private func members(
    of request: String, _ path: MemberPath, _ sources: CompletionSources
  ) -> [Member] {
    let exchange = context.shownExchange(request)
    switch path.base {
    case "":
      return [
        Member(name: "response", detail: "the response", continues: true),
        Member(name: "request", detail: "the request as sent", continues: true),
      ]
    case "response.":
      return [
        Member(name: "body", detail: "its body", continues: true),
        Member(name: "headers", detail: "its headers", continues: true),
        Member(name: "status", detail: "its status code"),
        Member(name: "cookies", detail: "the cookies it sets", continues: true),
        Member(name: "time", detail: "how long it took, in milliseconds"),
      ]
    case "request.":
      return [
        Member(name: "body", detail: "its body", continues: true),
        Member(name: "headers", detail: "its headers", continues: true),
        Member(name: "url", detail: "its URL"),
        Member(name: "method", detail: "its method"),
      ]
    case "response.headers.":
      return headerMembers(
        exchange?.response.headers.fields.map { ($0.name, $0.value) },
        else: HeaderCatalog.responseNames)
    case "request.headers.":
      return headerMembers(
        exchange?.request.headers.fields.map { ($0.name, $0.value) },
        else: presentHeaders(of: request))
    case "response.cookies.":
      return cookieMembers(exchange?.response.headers.values("Set-Cookie") ?? [])
    default:
      return bodyMembers(request, path, exchange, sources)
    }
  }

  /// The header fields that the last exchange had, else common ones (C14).
  private func headerMembers(
    _ fields: [(name: String, value: String)]?, else names: [String]
  ) -> [Member] {
    guard let fields else { return names.map { Member(name: $0) } }
    let mask = suggestionMask
    var seen: Set<String> = []
    return fields.compactMap { field in
      guard seen.insert(field.name.lowercased()).inserted else { return nil }
      let value =
        SecretMask.isAlwaysMasked(field.name) ? SecretMask.text : mask.mask(field.value).text
      return Member(name: field.name, detail: Analysis.shortened(value))
    }
  }

  /// The names of the header lines that a request has in the file.
  private func presentHeaders(of request: String) -> [String] {
    guard let block = scope.request(referredToAs: request) else { return [] }
    return block.request?.headers.map { block.text($0.name) }
      .filter { !$0.isEmpty && !$0.contains("{") } ?? []
  }

  /// The names of the cookies that an answer sets; their values are credentials.
  private func cookieMembers(_ fields: [String]) -> [Member] {
    let mask = suggestionMask
    var seen: Set<String> = []
    return fields.compactMap { field in
      guard let equals = field.firstIndex(of: "=") else { return nil }
      let name = String(field[..<equals]).trimmingBlanks
      guard maySuggest(name, mask), seen.insert(name).inserted else { return nil }
      return Member(name: name, detail: SecretMask.text)
    }
  }

  /// Members and elements at a path of the last exchange's bodies (C15); where the request was not
  /// sent yet, those of answers to requests like it.
  private func bodyMembers(
    _ request: String, _ path: MemberPath, _ exchange: ReferencedExchange?,
    _ sources: CompletionSources
  ) -> [Member] {
    let part = ["response.body.", "request.body."].first(where: path.base.hasPrefix)
    guard let part else { return [] }
    let isAnswer = part == "response.body."
    let selector = String(path.base.dropFirst(part.count).dropLast())
    if let exchange {
      return bodyMembers(isAnswer ? exchange.responseBody : exchange.requestBody, selector, path)
    }
    let method = scope.request(referredToAs: request)?.writtenMethod.uppercased()
    let known = sources.bodies.filter { $0.method == method }.map {
      isAnswer ? $0.response : $0.request
    }
    guard let body = known.first(where: { !$0.isEmpty }) else {
      let start = selector.isEmpty ? Analysis.bodyStart : []
      return isAnswer ? start + describedMembers(request, selector, sources) : start
    }
    return bodyMembers(body, selector, path).map { member in
      var member = member
      // What another request got is no value of this one.
      if member.detail != nil, member.snippet == nil { member.detail = nil }
      member.origin = "history"
      return member
    }
  }
}

extension Analysis {
  /// The members that the service's description has for the answer of a request, of which nothing
  /// was recorded yet.
  private func describedMembers(
    _ name: String, _ selector: String, _ sources: CompletionSources
  ) -> [Member] {
    guard let block = scope.request(referredToAs: name), let request = describedRequest(of: block),
      let path = Analysis.keys(of: selector)
    else { return [] }
    // Another file's tags are seen from there.
    let tag = ownRequest(referredToAs: name).flatMap { document.descriptionTag(of: $0) }
    let texts = sources.described(.responseKeys(request, tag: tag, path: path))
    return texts.filter { Analysis.canFollowDot($0.text) }.map { text in
      let continues = text.opening == UInt8(ascii: "{") || text.opening == UInt8(ascii: "[")
      return Member(
        name: text.text, detail: text.detail.map { "described: \($0)" } ?? "described",
        continues: continues, origin: "description")
    }
  }

  /// The keys that a selector such as `$.items[0]` names, `*` for elements; `nil` for one that
  /// chooses among several.
  private static func keys(of selector: String) -> [String]? {
    var keys: [String] = []
    for step in selector.split(separator: ".") where step != "$" {
      let name = step.prefix { $0 != "[" }
      if !name.isEmpty, name != "$" { keys.append(String(name)) }
      for bracket in step[name.endIndex...].split(separator: "[") {
        guard bracket.hasSuffix("]") else { return nil }
        let inner = bracket.dropLast()
        if inner == "*" || Int(inner) != nil {
          keys.append("*")
        } else if inner.count > 2, inner.hasPrefix("'"), inner.hasSuffix("'") {
          keys.append(String(inner.dropFirst().dropLast()))
        } else {
          return nil
        }
      }
    }
    return keys
  }
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
