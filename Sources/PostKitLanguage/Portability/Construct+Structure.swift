// Constructs of structure: separators, names, request lines, headers and what a body may hold.

import PostKitEvaluate
import PostKitSyntax

extension Construct {
  /// The structure of a file.
  static let structure: [Construct] = lines + heads + bodies

  private static let lines: [Construct] = [
    Construct(
      "An indented separator", .differs([.restclient, .jetbrains, .kulala], "reads it as a comment")
    ) { $0.syntax.separator.map { $0.isIndented ? [$0.marker] : [] } ?? [] },
    Construct(
      "A request without a `###` line before it",
      .differs(
        [.restclient, .jetbrains, .kulala, .plain], "reads it as the body of the request above"),
      isHinted: true
    ) { $0.followsBySplit ? [$0.syntax.request?.line].compactMap { $0 } : [] },
    Construct(
      "A name behind `=`",
      .unknown([.restclient, .httpyac, .kulala, .visualstudio], "ignores the name")
    ) { block in
      block.syntax.metadata.filter { tag in
        tag.kind == .name && block.slice(tag.key.upperBound..<tag.value.lowerBound).contains(61)
      }.map(\.value)
    },
    Construct("A name with blanks", .unknown(.restclient, "can't refer to it")) { block in
      block.syntax.metadata.filter {
        $0.kind == .name && block.slice($0.value).contains(32)
      }.map(\.value)
    },
    Construct(
      "A definition in a body",
      .differs([.httpyac, .kulala], "takes the line out of the body"), isHinted: true
    ) { $0.bodyLines { $0.first == 64 && $0.contains(61) && !$0.contains(123) } },
    Construct(
      "A line that looks like a request line in a body",
      .differs(.httpyac, "begins a new request there")
    ) { $0.problems { if case .missingSeparator = $0 { true } else { false } } },
    Construct("A tag in a body", .differs([.httpyac, .kulala], "acts on it")) {
      $0.problems { if case .metadataInBody = $0 { true } else { false } }
    },
    Construct("An `import` line", .differs([.restclient, .httpyac, .plain], "reads it as a URL")) {
      $0.syntax.directives.filter { $0.kind == .importFile }.map(\.line)
    },
    Construct("A `run` line", .differs([.restclient, .httpyac, .plain], "reads it as a URL")) {
      $0.syntax.directives.filter { $0.kind != .importFile }.map(\.line)
    },
    Construct(
      "A GraphQL fragment before a request", .unknown([.restclient, .jetbrains, .kulala, .plain])
    ) { $0.syntax.fragments.map(\.range) },
    Construct(
      "A `curl` command",
      .differs([.httpyac, .kulala, .plain], "reads it as a URL"),
      .unknown(.jetbrains, "reads one only where it is pasted")
    ) { $0.syntax.request?.curl != nil ? [$0.syntax.request?.line].compactMap { $0 } : [] },
  ]

  private static let heads: [Construct] = [
    Construct(
      "A method in small letters",
      .differs([.jetbrains, .httpyac, .kulala, .restnvim], "reads it as part of the URL"),
      isHinted: true
    ) { block in block.method { $0.contains { (97...122).contains($0) } && !$0.contains(123) } },
    Construct(
      "A method of your own",
      .differs([.restclient, .httpyac, .plain], "reads it as part of the URL")
    ) { $0.problems { if case .unknownMethod = $0 { true } else { false } } },
    Construct("The method `GRAPHQL`", .unknown([.restclient, .visualstudio])) {
      $0.method { $0.elementsEqual("GRAPHQL".utf8) }
    },
    Construct("A URL without a scheme", .unknown([.restclient, .visualstudio], "sends nothing")) {
      $0.targetWithoutScheme
    },
    Construct("A URL without a scheme", .unknown(.httpyac, "sends nothing")) { block in
      // A host alone is more than a URL to it.
      block.targetWithoutScheme.filter { block.slice($0).contains(UInt8(ascii: "/")) }
    },
    Construct("The target `*`", .unknown([.restclient, .httpyac, .plain])) { block in
      block.syntax.request?.target.filter { block.text($0) == "*" } ?? []
    },
    Construct("A URL on several lines", .unknown(.visualstudio, "reads the first line alone")) {
      Array(($0.syntax.request?.target ?? RangeList()).dropFirst().prefix(1))
    },
    Construct(
      "A path on a line of its own", .differs(.restclient, "reads it as a header")
    ) { block in
      (block.syntax.request?.target ?? RangeList()).dropFirst().filter {
        block.slice($0).first == 47
      }
    },
    Construct(
      "A query that goes on without `?` or `&` at the start of the line",
      .differs([.restclient, .httpyac], "does not read the line as a part of the URL")
    ) { block in
      (block.syntax.request?.target ?? RangeList()).dropFirst().filter {
        block.slice($0).first.map { !"/?&".utf8.contains($0) } ?? false
      }
    },
    Construct("A version of HTTP", .differs(.restclient, "ignores it")) { block in
      // What is written is what it sends.
      block.syntax.request?.version.map { block.text($0).hasSuffix("1.1") ? [] : [$0] } ?? []
    },
    Construct(
      "A header value on several lines",
      .differs([.restclient, .httpyac, .kulala, .plain], "reads the second line as another header"),
      isHinted: true
    ) { $0.syntax.request?.headers.filter { $0.value.count > 1 }.map(\.line) ?? [] },
    Construct("A header spread", .unknown([.restclient, .jetbrains, .kulala, .plain])) {
      $0.syntax.request?.headers.filter(\.isSpread).map(\.line) ?? []
    },
    Construct(
      "A header line that is one reference",
      .differs(.httpyac, "begins the body there"),
      .unknown([.jetbrains, .kulala], "does not read the value as a header"), isHinted: true
    ) { block in
      let headers = block.syntax.request?.headers ?? []
      return headers.filter { !$0.isSpread && $0.value.isEmpty }.map(\.line)
    },
    Construct(
      "A header that is repeated",
      .differs(.restclient, "sends the values in one line with a comma between"),
      .differs(.kulala, "sends the last alone")
    ) { $0.repeatedHeaders },
    Construct(
      "A body without a blank line before it",
      .unknown([.restclient, .jetbrains, .kulala, .plain], "reads it as a header")
    ) { $0.bodyWithoutBlankLine },
  ]

  private static let bodies: [Construct] = [
    Construct("A comment in a body", .differs([.kulala, .restnvim], "sends it")) { block in
      block.syntax.request?.body?.lines.filter { $0.kind == .comment }.map(\.content) ?? []
    },
    Construct(
      "A file with references in it",
      .unknown([.jetbrains, .kulala], "may send it as it is"),
      .differs(.restnvim, "sends the file as it is"), .unknown(.visualstudio)
    ) { $0.includes { $0.marker == .includeSubstituted && $0.encoding == nil } },
    Construct("A file in an encoding", .unknown([.jetbrains, .kulala, .plain])) {
      $0.includes { $0.encoding != nil }
    },
    Construct(
      "A file that is sent as it is",
      .differs([.jetbrains, .kulala, .restnvim], "resolves the references in it"),
      concernsReferences: true
    ) { $0.includes { $0.marker == .includeRaw } },
    Construct("A file as a body", .unknown(.visualstudio)) {
      $0.includes { $0.marker == .includeRaw }
    },
    Construct("A body of several parts", .unknown(.restnvim)) { block in
      block.syntax.request?.headers.filter { header in
        block.text(header.name).lowercased() == "content-type"
          && header.value.first.map { block.text($0).hasPrefix("multipart/") } == true
      }.map(\.line) ?? []
    },
    Construct(
      "A `??` assertion",
      .differs([.restclient, .jetbrains, .kulala, .plain], "reads it as text of the body")
    ) { $0.syntax.assertions.map(\.line) },
    Construct("The check `?? openapi`", .differs([.httpyac], "looks for a variable of this name")) {
      block in
      block.syntax.assertions.filter { block.form(of: $0)?.isOfDescription == true }.map(\.line)
    },
    Construct(
      "A script block between `{{` and `}}`",
      .differs([.restclient, .jetbrains, .kulala, .plain], "reads it as text")
    ) { $0.scripts { $0 == .block } },
    Construct("A script before the request", .unknown([.restclient, .visualstudio])) {
      $0.scripts { $0 == .preRequest || $0 == .imports }
    },
    Construct("A response handler", .unknown([.restclient, .visualstudio])) {
      $0.scripts { $0 == .responseHandler }
    },
    Construct("Saving the response to a file", .unknown([.restclient, .visualstudio])) {
      $0.syntax.saves.map(\.path)
    },
    Construct("A reference to a stored response", .unknown([.restclient, .kulala, .plain])) {
      $0.syntax.responseReferences.map(\.path)
    },
  ]
}

extension ParsedBlock {
  /// Whether the block began without a separator, at a line that ended the block above (PK-3).
  fileprivate var followsBySplit: Bool {
    guard index > 0, syntax.separator == nil, isRequest, range.lowerBound > 1 else { return false }
    // In Markdown the first block of a fence has no separator either.
    let above = bytes[..<(range.lowerBound - 1)]
    let start = above.lastIndex(of: 10).map { $0 + 1 } ?? 0
    return !"`~".utf8.contains(bytes[start])
  }

  /// The method, where its bytes are like that.
  fileprivate func method(_ isLike: (ArraySlice<UInt8>) -> Bool) -> [Range<Int>] {
    guard let method = syntax.request?.method, isLike(slice(method)) else { return [] }
    return [method]
  }

  /// Where mistakes of a kind are.
  fileprivate func problems(_ isWanted: (SyntaxProblem.Kind) -> Bool) -> [Range<Int>] {
    syntax.problems.filter { isWanted($0.kind) }.map(\.range)
  }

  /// Lines of text in the body.
  fileprivate func bodyLines(_ isWanted: (ArraySlice<UInt8>) -> Bool) -> [Range<Int>] {
    syntax.request?.body?.lines.filter { $0.kind == .text && isWanted(slice($0.content)) }
      .map(\.content) ?? []
  }

  /// Paths of files in the body.
  fileprivate func includes(_ isWanted: (RedirectSyntax) -> Bool) -> [Range<Int>] {
    syntax.request?.body?.lines.compactMap { line in
      if case .file(let include) = line.kind, isWanted(include) { include.path } else { nil }
    } ?? []
  }

  /// Scripts of a kind.
  fileprivate func scripts(_ isWanted: (ScriptSyntax.Kind) -> Bool) -> [Range<Int>] {
    syntax.scripts.filter { isWanted($0.kind) }.map(\.range)
  }

  /// A target of HTTP that begins with its host; other protocols have addresses of their own.
  fileprivate var targetWithoutScheme: [Range<Int>] {
    guard let request = syntax.request, let first = request.target.first else { return [] }
    let other = request.method.flatMap { OtherProtocol.named(text($0)) }
    if other?.usesHTTP == false { return [] }
    let target = text(first)
    return target.contains("://") || "/*{".contains(target.first ?? "/") ? [] : [first]
  }

  /// The first line of a body that follows the line above it at once.
  fileprivate var bodyWithoutBlankLine: [Range<Int>] {
    guard let request = syntax.request, request.curl == nil,
      let first = request.body?.lines.first?.content
    else { return [] }
    let head = max(request.line.upperBound, request.headers.last?.line.upperBound ?? 0)
    guard head < first.lowerBound else { return [] }
    // What stands between ends the line above, and begins that of the body.
    let lines = slice(head..<first.lowerBound).split(
      separator: 10, omittingEmptySubsequences: false)
    let hasBlank = lines.dropFirst().dropLast().contains { line in
      line.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 }
    }
    return hasBlank ? [] : [first]
  }

  /// The second and further headers of a name; several `Cookie` lines are joined by all.
  fileprivate var repeatedHeaders: [Range<Int>] {
    guard let headers = syntax.request?.headers, headers.count > 1 else { return [] }
    var seen: Set<String> = []
    seen.insert("")
    return headers.filter { header in
      let name = text(header.name).lowercased()
      return name != "cookie" && !header.value.isEmpty && !seen.insert(name).inserted
    }
    .map(\.line)
  }
}
