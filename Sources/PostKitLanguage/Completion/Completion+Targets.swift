// Completion in a target: where it goes, its path, its query (C3 to C5).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// What can stand in a target at the caret; `replaced` is the target's text on this line.
  func targetItems(
    _ target: TargetCaret, _ replaced: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    let start = caret - target.typedCount
    let end = endOfPiece(target.part, caret..<replaced.upperBound)
    switch target.part {
    case .origin:
      let paths =
        target.isBehindOrigin
        ? pathItems(target, caret..<end, sources, at: caret) : []
      return originItems(replaced.lowerBound..<end, sources, at: caret) + paths
    case .path:
      return pathItems(target, start..<end, sources, at: caret)
    case .queryName, .queryValue:
      return queryItems(target, start..<end, sources, at: caret)
    case .fragment:
      return []
    }
  }

  /// Where the piece at the caret ends: before what begins the next one.
  private func endOfPiece(_ part: TargetCaret.Part, _ rest: Range<Int>) -> Int {
    let marks: String
    switch part {
    case .origin: marks = "/?#"
    case .path: marks = "?#"
    case .queryName: marks = "=&#"
    case .queryValue: marks = "&#"
    case .fragment: marks = ""
    }
    let bytes = document.bytes
    let slash = UInt8(ascii: "/")
    return rest.first { place in
      guard marks.utf8.contains(bytes[place]) else { return false }
      // The slashes behind a scheme begin no path.
      let isOfScheme = [":", ":/"].contains {
        bytes[..<place].suffix($0.utf8.count).elementsEqual($0.utf8)
      }
      return part != .origin || bytes[place] != slash || !isOfScheme
    } ?? rest.upperBound
  }

  /// Variables whose value is a URL, origins of this file and of the history, the schemes (C3).
  func originItems(
    _ replaced: Range<Int>, _ sources: CompletionSources, at caret: Int, from first: Int = 0
  ) -> [CompletionItem] {
    let variables = scope.definitions(at: caret, beginningWith: ["http://", "https://"])
    // Who writes a URL out is offered the variable that holds it.
    let typed = document.bytes[min(replaced.lowerBound, caret)..<caret]
    let isURL = typed.count > 1 && (typed.contains(58) || "https:".utf8.starts(with: typed))
    let mask = suggestionMask
    let filter = CompletionFilter(typed)
    // Some editors hold what is typed against the beginning alone (Neovim).
    let isName = typed.first != UInt8(ascii: "{")
    let fitting = variables.lazy.filter {
      filter.quality(isURL ? $0.shownText : isName ? $0.name : "{{\($0.name)}}") != nil
    }.prefix(Analysis.shownOrigins)
    var items = fitting.enumerated().map { rank, variable in
      CompletionItem(
        "{{\(variable.name)}}", .variable, replaced: replaced,
        detail: mask.maskURL(Analysis.shortened(variable.shownText)).text,
        origin: variable.origin.layer.rawValue, rank: first + rank,
        filter: isURL ? mask.maskURL(variable.shownText).text : isName ? variable.name : nil)
    }
    var known: Set<String> = []
    func add(_ urls: [String], rank: Int, _ origin: String?) {
      var seen = SeenTexts()
      for url in urls {
        guard let parts = URLParts(url), !parts.host.contains("{") else { continue }
        seen.add(parts.origin)
      }
      for (place, text) in seen.sorted.enumerated()
      where maySuggest(text, mask) && known.insert(text).inserted {
        items.append(
          CompletionItem(text, .value, replaced: replaced, origin: origin, rank: rank + place))
      }
    }
    add(writtenTargets(near: caret).map(\.text), rank: first + 1_000, nil)
    add(sources.targets.map(\.url), rank: first + 2_000, "history")
    let schemes = ["https://", "http://", "{{$exampleServer}}/"]
    return items
      + schemes.enumerated().map {
        CompletionItem($1, .value, replaced: replaced, rank: first + 3_000 + $0, continues: true)
      }
  }

  /// How many variables that hold URLs are made ready to be shown; more than a list ever has.
  private static let shownOrigins = 400

  /// Paths seen for the same origin (C4): in the file, in the history, in a description.
  private func pathItems(
    _ target: TargetCaret, _ replaced: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    var written = SeenTexts()
    var origins = SameOrigins(as: target.origin)
    for other in writtenTargets(near: caret) {
      let shape = TargetShape(Array(other.text.utf8))
      guard origins.contain(other.origin(shape), by: { self.base(of: $0, at: caret) }) else {
        continue
      }
      written.add(other.path(shape))
    }
    var sent = SeenTexts()
    let base = base(of: target.origin, at: caret)
    if let base {
      for rest in SentTarget.rests(of: sources.targets, behind: base) {
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.starts(with: base.path.utf8) else { continue }
        let own = path.dropFirst(base.path.utf8.count)
        if own.first == UInt8(ascii: "/") { sent.add(String(Substring(own))) }
      }
    }
    var list = SuggestionList(replaced: replaced, kind: .value)
    list.add(written.sorted, rank: 0, nil)
    list.add(sent.sorted, rank: 1_000, "history")
    let request = typedRequest(target.origin, at: caret)
    list.add(sources.described(.paths(request, typed: target.path)), rank: 2_000)
    return list.items(suggestible)
  }

  /// Names and values that the same path was asked with (C5).
  private func queryItems(
    _ target: TargetCaret, _ replaced: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    let whole = base(of: target.origin + target.path, at: caret)
    var wanted: String?
    if case .queryValue(let name) = target.part { wanted = name }
    if let wanted, isSensitive(wanted) { return [] }
    func collect(_ text: String, _ pairs: [TargetShape.Pair], _ seen: inout SeenTexts) {
      let bytes = Array(text.utf8)
      for pair in pairs {
        let name = String(decoding: bytes[pair.name], as: UTF8.self)
        if let wanted {
          guard name == wanted, let value = pair.value else { continue }
          seen.add(String(decoding: bytes[value], as: UTF8.self))
        } else {
          seen.add(name)
        }
      }
    }
    var written = SeenTexts()
    var origins = SameOrigins(as: target.origin)
    for other in writtenTargets(near: caret) {
      let shape = TargetShape(Array(other.text.utf8))
      guard other.path(shape) == target.path,
        origins.contain(other.origin(shape), by: { self.base(of: $0, at: caret) })
      else { continue }
      collect(other.text, shape.pairs, &written)
    }
    var sent = SeenTexts()
    for rest in whole.map({ SentTarget.rests(of: sources.targets, behind: $0) }) ?? [] {
      let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      guard let whole, path.elementsEqual(whole.path.utf8) else { continue }
      collect(String(Substring(rest)), TargetShape(Array(rest)).pairs, &sent)
    }
    let request = typedRequest(target.origin + target.path, at: caret)
    let isName = wanted == nil
    let described = sources.described(
      wanted.map { .queryValues(request, name: PercentEncoding.decodeForm($0)) }
        ?? .queryNames(request))
    let hasEquals =
      document.bytes.indices.contains(replaced.upperBound)
      && document.bytes[replaced.upperBound] == UInt8(ascii: "=")
    var list = SuggestionList(replaced: replaced, kind: isName ? .member : .value)
    list.ending = isName && !hasEquals ? "=" : ""
    list.add(written.sorted, rank: 0, nil)
    list.add(sent.sorted, rank: 1_000, "history")
    list.add(described, rank: 2_000)
    if isName { list.given = Set(target.givenNames) }
    return list.items(suggestible)
  }

  /// Whether texts may be offered.
  var suggestible: (String) -> Bool {
    let mask = suggestionMask
    return { maySuggest($0, mask) }
  }

  /// The targets of requests near by, as written.
  func writtenTargets(near caret: Int) -> [WrittenTarget] {
    blocksNear(caret).compactMap { block in
      guard let request = block.request, request.curl == nil, !request.target.isEmpty else {
        return nil
      }
      return WrittenTarget(block: block, text: request.target.map { block.text($0) }.joined())
    }
  }
}

extension SentTarget {
  /// What stands behind the origin of a URL in those that have the same one: thousands may be
  /// looked at while somebody types, so that they are not taken apart as URLs.
  static func rests(of targets: [SentTarget], behind base: URLParts) -> [Substring.UTF8View] {
    let origin = Array(base.origin.utf8)
    return targets.compactMap { target in
      let bytes = target.url.utf8
      guard bytes.count >= origin.count,
        zip(bytes, origin).allSatisfy({ $0 == $1 || (65...90).contains($0) && $0 | 0x20 == $1 })
      else { return nil }
      let rest = bytes.dropFirst(origin.count)
      return rest.first.map { "/?#".utf8.contains($0) } ?? true ? rest : nil
    }
  }
}

/// The target of another request of the file.
struct WrittenTarget {
  let block: ParsedBlock
  let text: String

  /// What stands before the path.
  func origin(_ shape: TargetShape) -> String { String(text.utf8.prefix(shape.originEnd)) ?? "" }

  /// The path as written.
  func path(_ shape: TargetShape) -> String {
    String(text.utf8.prefix(shape.pathEnd).dropFirst(shape.originEnd)) ?? ""
  }
}

/// Which texts stand for the same origin as one, be it written out or a variable; each is looked at
/// once.
private struct SameOrigins {
  private let text: String
  /// What the text stands for, once that was asked for.
  private var own: URLParts??
  private var known: [String: Bool] = [:]

  init(as text: String) { self.text = text }

  mutating func contain(_ other: String, by read: (String) -> URLParts?) -> Bool {
    if other == text { return true }
    if let answer = known[other] { return answer }
    let whole = own ?? read(text)
    own = .some(whole)
    guard let whole, !whole.host.isEmpty, !whole.host.contains("{") else { return false }
    let answer = read(other)?.url == whole.url
    known[other] = answer
    return answer
  }
}

/// Texts of several origins as items, each once.
struct SuggestionList {
  let replaced: Range<Int>
  let kind: CompletionKind
  /// What is written behind each.
  var ending = ""
  /// What is there already, so that it is hardly meant once more; it comes last.
  var given: Set<String> = []
  private var texts: [(text: DescribedText, rank: Int, origin: String?)] = []

  /// Makes an empty list.
  init(replaced: Range<Int>, kind: CompletionKind) {
    self.replaced = replaced
    self.kind = kind
  }

  /// Adds texts that were seen somewhere, the best first.
  mutating func add(_ seen: [String], rank: Int, _ origin: String?) {
    for (place, text) in seen.enumerated() {
      texts.append((DescribedText(text), rank + place, origin))
    }
  }

  /// Adds texts that a description has; of one that was seen it says more.
  mutating func add(_ described: [DescribedText], rank: Int) {
    if described.isEmpty { return }
    var places: [String: Int] = [:]
    for (place, entry) in texts.enumerated() where places[entry.text.text] == nil {
      places[entry.text.text] = place
    }
    for (place, text) in described.enumerated() {
      if let known = places[text.text] {
        texts[known].text = text
        if rank + place < texts[known].rank {
          (texts[known].rank, texts[known].origin) = (rank + place, "description")
        }
      } else {
        texts.append((text, rank + place, "description"))
      }
    }
  }

  /// The items of those that may be offered.
  func items(_ isAllowed: (String) -> Bool) -> [CompletionItem] {
    var known: Set<String> = []
    return texts.compactMap { entry in
      let text = entry.text
      guard isAllowed(text.text), known.insert(text.text).inserted else { return nil }
      var item = CompletionItem(
        text.text, kind, text: text.text + ending,
        snippet: text.snippet.map { $0 + Snippet.literal(ending) }, replaced: replaced,
        detail: text.detail, origin: entry.origin, documentation: text.documentation,
        rank: entry.rank + (given.contains(text.text) ? 10_000 : 0), continues: !ending.isEmpty)
      item.isDeprecated = text.isDeprecated
      return item
    }
  }
}
