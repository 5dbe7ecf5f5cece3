// Completion in header fields: names, values, credentials, cookies (C7 to C10).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A header value with the caret in it.
struct HeaderCaret {
  var name: String
  /// The element at the caret, up to there.
  var typed: String
  var replaced: Range<Int>
  var needsBlank: Bool
}

extension Analysis {
  /// Header names that the request does not have yet (C7); of lists it may have more.
  func headerNameItems(
    _ replaced: Range<Int>, hasColon: Bool, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    let present = presentHeaders(at: caret)
    let used = usedHeaders(near: caret)
    var sent = SeenTexts()
    for field in sources.fields where HeaderCatalog.named(field.name) == nil {
      sent.add(field.name)
    }
    var list: [(name: String, rank: Int, origin: String?)] = []
    for (place, name) in used.sorted.enumerated() { list.append((name, place, nil)) }
    list += Analysis.commonHeaders.enumerated().map { ($1, 500 + $0, nil) }
    list += sent.sorted.enumerated().map { ($1, 600 + $0, "history") }
    list += HeaderCatalog.all.enumerated().map { ($1.name, 1_000 + $0, nil) }
    let described = describedHeaders(sources, at: caret)
    list = described.enumerated().map { ($1.text, $0 - 1_000, "description") } + list
    let details = Dictionary(described.map { ($0.text.lowercased(), $0) }) { first, _ in first }
    let mask = suggestionMask
    var known: Set<String> = []
    return list.compactMap { entry in
      let folded = entry.name.lowercased()
      let isPresent = present.contains(folded)
      if isPresent && !HeaderCatalog.lists.contains(folded) { return nil }
      guard known.insert(folded).inserted, maySuggest(entry.name, mask) else { return nil }
      let header = HeaderCatalog.named(entry.name)
      let said = details[folded]
      var item = CompletionItem(
        header?.name ?? entry.name, .header,
        text: (header?.name ?? entry.name)
          + (hasColon ? "" : isBlank(at: replaced.upperBound) ? ":" : ": "),
        replaced: replaced, detail: said?.detail ?? header?.source ?? "seen before",
        origin: entry.origin, documentation: said?.documentation ?? header?.summary,
        rank: isPresent ? 5_000 + entry.rank : entry.rank,
        continues: said != nil || !(header?.values.isEmpty ?? true))
      item.isDeprecated = said?.isDeprecated ?? false
      return item
    }
  }

  /// The header fields that the service's description has for the request.
  private func describedHeaders(_ sources: CompletionSources, at caret: Int) -> [DescribedText] {
    guard let block = document.block(at: caret), let request = describedRequest(of: block) else {
      return []
    }
    return sources.described(.headerNames(request))
  }

  private static let commonHeaders = [
    "Content-Type", "Authorization", "Accept", "User-Agent", "Cookie", "Cache-Control",
  ]

  /// The names of the request's other header lines, in small letters.
  private func presentHeaders(at caret: Int) -> Set<String> {
    var present: Set<String> = []
    guard let block = document.block(at: caret) else { return present }
    for header in block.request?.headers ?? [] {
      let line = block.absolute(header.line)
      if !(line.lowerBound...line.upperBound).contains(caret) {
        present.insert(block.text(header.name).lowercased())
      }
    }
    return present
  }

  /// The names of header lines of requests near by.
  private func usedHeaders(near caret: Int) -> SeenTexts {
    var seen = SeenTexts()
    for block in blocksNear(caret) {
      for header in block.request?.headers ?? [] where !header.isSpread && !header.value.isEmpty {
        let name = block.text(header.name)
        if !name.contains("{") { seen.add(HeaderCatalog.named(name)?.name ?? name) }
      }
    }
    return seen
  }

  /// Values of a header (C8): what is common, then what requests near by and sent ones have.
  func headerValueItems(
    _ caret: HeaderCaret, _ sources: CompletionSources, at offset: Int
  ) -> [CompletionItem] {
    switch caret.name.lowercased() {
    case "authorization", "proxy-authorization":
      let described = describedValues(caret, sources, at: offset)
      let others = credentialItems(caret, at: offset)
      return described + others.filter { item in !described.contains { $0.label == item.label } }
    case "cookie": return cookieItems(caret, sources, at: offset)
    case "content-type", "accept":
      if let parameters = typeParameterItems(caret, at: offset) { return parameters }
    default: break
    }
    let common = commonValues(caret, at: offset)
    var written = SeenTexts()
    for block in blocksNear(offset) {
      for header in block.request?.headers ?? []
      where block.text(header.name).equalsIgnoringASCIICase(caret.name) {
        written.add(header.value.map { block.text($0) }.joined(separator: " "))
      }
    }
    var sent = SeenTexts()
    for field in sources.fields where field.name.equalsIgnoringASCIICase(caret.name) {
      sent.add(field.value)
    }
    // Parameters behind the type that is changed stay.
    let isType = ["content-type", "accept"].contains(caret.name.lowercased())
    let end = isType ? end(of: caret, from: offset) : caret.replaced.upperBound
    var list = SuggestionList(replaced: caret.replaced.lowerBound..<end, kind: .value)
    list.add(common, rank: 0, nil)
    if !isSensitive(caret.name) {
      list.add(written.sorted, rank: 1_000, nil)
      list.add(sent.sorted, rank: 2_000, "history")
    }
    if let request = document.block(at: offset).flatMap(describedRequest) {
      list.add(sources.described(.headerValues(request, name: caret.name)), rank: -1_000)
    }
    let given = elements(besides: caret, at: offset)
    let isList = HeaderCatalog.lists.contains(caret.name.lowercased())
    return list.items(suggestible).compactMap { item in
      // A list is no element of another, nor is one that it has already.
      if isList, !given.isEmpty, given.contains(item.label) || item.label.contains(",") {
        return nil
      }
      return withBlank(item, caret)
    }
  }

  /// The credentials that the service's description asks for.
  private func describedValues(
    _ caret: HeaderCaret, _ sources: CompletionSources, at offset: Int
  ) -> [CompletionItem] {
    guard let request = document.block(at: offset).flatMap(describedRequest) else { return [] }
    let texts = sources.described(.headerValues(request, name: caret.name))
    return texts.enumerated().map { rank, text in
      withBlank(
        CompletionItem(
          text.text, .value, snippet: text.snippet, replaced: caret.replaced, detail: text.detail,
          origin: "description", rank: rank - 1_000), caret)
    }
  }

  /// What the catalog has for a header; what only bodies of requests are is not asked for.
  private func commonValues(_ caret: HeaderCaret, at offset: Int) -> [String] {
    let values = HeaderCatalog.named(caret.name)?.values ?? []
    guard caret.name.equalsIgnoringASCIICase("accept") else { return values }
    return values.filter { !$0.contains("form") && !$0.contains("graphql") }
  }

  /// The other elements of a list on the caret's line, without their parameters.
  private func elements(besides caret: HeaderCaret, at offset: Int) -> Set<String> {
    let line = document.lineRange(at: offset)
    let start = document.bytes[line].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 }
    let before = document.bytes[(start ?? line.lowerBound)..<caret.replaced.lowerBound]
    let after = document.bytes[
      caret.replaced.upperBound..<max(caret.replaced.upperBound, line.upperBound)]
    let texts = (Array(before) + [44] + Array(after)).split(separator: UInt8(ascii: ","))
    return Set(
      texts.map { String(decoding: $0.prefix { $0 != 59 }, as: UTF8.self).trimmingBlanks }
        .filter { !$0.isEmpty })
  }

  /// The item with the blank that is missing after the colon.
  private func withBlank(_ item: CompletionItem, _ caret: HeaderCaret) -> CompletionItem {
    guard caret.needsBlank else { return item }
    var result = item
    result.text = " " + item.text
    result.snippet = item.snippet.map { " " + $0 }
    return result
  }

  /// What can follow `;` behind a media type; `nil` where there is none before the caret.
  private func typeParameterItems(_ caret: HeaderCaret, at offset: Int) -> [CompletionItem]? {
    guard let mark = caret.typed.utf8.lastIndex(of: UInt8(ascii: ";")) else { return nil }
    let behind = caret.typed.utf8[mark...].dropFirst()
    let blanks = behind.prefix { $0 == 32 || $0 == 9 }.count
    let start = offset - behind.count + blanks
    let type = MediaType(String(caret.typed.utf8[..<mark]) ?? "")?.essence ?? ""
    let texts: [String]
    if caret.name.equalsIgnoringASCIICase("accept") {
      texts = ["q=0.9", "charset=utf-8"]
    } else {
      texts = [type.hasPrefix("multipart/") ? "boundary=boundary" : "charset=utf-8"]
    }
    return texts.enumerated().map { rank, text in
      CompletionItem(
        text, .value, text: blanks == 0 ? " " + text : text,
        replaced: start..<end(of: caret, from: offset), rank: rank, filter: text)
    }
  }

  /// Where the piece between semicolons ends that the caret stands in.
  private func end(of caret: HeaderCaret, from offset: Int) -> Int {
    let rest = document.bytes[offset..<max(offset, caret.replaced.upperBound)]
    return rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
  }

  /// Credentials (C9): variables that hold tokens first, then the schemes with places to fill in.
  private func credentialItems(_ caret: HeaderCaret, at offset: Int) -> [CompletionItem] {
    let names = scope(at: offset).nameGroups.joined()
    func named(_ words: [String]) -> [String] {
      var found: [String] = []
      for filter in words.map({ CompletionFilter($0.utf8) }) {
        let matching = Set(names.filter { filter.quality($0).map { $0 < 2 } ?? false })
        found += matching.subtracting(found).sorted().prefix(Analysis.shownCredentials)
      }
      return found
    }
    let tokens = named(["token", "key"])
    var items = tokens.enumerated().map { rank, name in
      CompletionItem("Bearer {{\(name)}}", .value, replaced: caret.replaced, rank: rank)
    }
    let user = named(["user", "login"]).first ?? "user"
    let password = named(["password", "passwd", "pass"]).first ?? "password"
    func reference(_ number: Int, _ name: String) -> String { Snippet.place(number, "{{\(name)}}") }
    let pair = " \(reference(1, user)) \(reference(2, password))"
    var forms = tokens.isEmpty ? [("Bearer {{token}}", "Bearer " + reference(1, "token"))] : []
    forms += ["Basic", "Digest", "NTLM"].map { ("\($0) {{\(user)}} {{\(password)}}", $0 + pair) }
    forms += [
      (
        "AWS {{accessKey}} {{secretKey}} region:us-east-1 service:s3",
        "AWS \(reference(1, "accessKey")) \(reference(2, "secretKey")) "
          + "region:${3:us-east-1} service:${4:s3}"
      ), ("Negotiate", "Negotiate"),
    ]
    let signIns = tokenHeaderForms(at: offset).enumerated().map { rank, form in
      CompletionItem(
        form.text, .value, replaced: caret.replaced, rank: (form.isKnown ? 50 : 200) + rank)
    }
    items += signIns + forms.enumerated().map { rank, form in
      CompletionItem(form.0, .value, snippet: form.1, replaced: caret.replaced, rank: 100 + rank)
    }
    return items.map { withBlank($0, caret) }
  }

  /// How many variables with a word in their names are offered as credentials.
  private static let shownCredentials = 20

  /// The names of cookies (C10): those of the jar, then those that requests near by send.
  private func cookieItems(
    _ caret: HeaderCaret, _ sources: CompletionSources, at offset: Int
  ) -> [CompletionItem] {
    let pairs = caret.typed.split(separator: ";", omittingEmptySubsequences: false)
    guard let last = pairs.last, !last.contains("=") else { return [] }
    let blanks = last.prefix { $0 == " " }.utf8.count
    let start = offset - last.utf8.count + blanks
    let given = Set(
      pairs.dropLast().map { pair in String(pair.drop { $0 == " " }.prefix { $0 != "=" }) })
    var written = SeenTexts()
    for block in blocksNear(offset) {
      for header in block.request?.headers ?? []
      where block.text(header.name).equalsIgnoringASCIICase("cookie") {
        let value = header.value.map { block.text($0) }.joined(separator: " ")
        for pair in value.split(separator: ";") where pair.contains("=") {
          written.add(String(pair.drop { $0 == " " }.prefix { $0 != "=" }))
        }
      }
    }
    let lead = caret.needsBlank || pairs.count > 1 && blanks == 0 ? " " : ""
    var known = given
    let mask = suggestionMask
    let names = sources.cookieNames.map { ($0, "cookie jar") } + written.sorted.map { ($0, "file") }
    return names.enumerated().compactMap { rank, entry in
      guard known.insert(entry.0).inserted, maySuggest(entry.0, mask) else { return nil }
      return CompletionItem(
        entry.0, .value, text: "\(lead)\(entry.0)=",
        replaced: start..<end(of: caret, from: offset),
        detail: entry.1 == "cookie jar" ? SecretMask.text : nil, origin: entry.1, rank: rank,
        filter: lead + entry.0)
    }
  }
}
