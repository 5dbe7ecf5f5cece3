// Constructs of structure: separators, names, request lines, headers and what a body may hold.

import PostKitSyntax

extension Construct {
  /// The structure of a file.
  static let structure: [Construct] = lines + heads + bodies

  private static let lines: [Construct] = [
    Construct(
      name: "An indented separator",
      readings: [.differs([.restclient, .jetbrains, .kulala], "reads it as a comment")],
      find: { $0.syntax.separator.map { $0.isIndented ? [$0.marker] : [] } ?? [] }),
    Construct(
      name: "A request without a `###` line before it",
      readings: [
        .differs(
          [.restclient, .jetbrains, .kulala, .plain],
          "reads it as the body of the request above")
      ],
      isHinted: true,
      find: { $0.followsBySplit ? [$0.syntax.request?.line].compactMap { $0 } : [] }),
    Construct(
      name: "A name behind `=`",
      readings: [
        .unknown([.restclient, .httpyac, .kulala, .visualstudio], "ignores the name")
      ],
      find: { block in
        block.syntax.metadata.filter { tag in
          tag.kind == .name
            && block.slice(tag.key.upperBound..<tag.value.lowerBound).contains(61)
        }.map(\.value)
      }),
    Construct(
      name: "A name with blanks",
      readings: [.unknown(.restclient, "can't refer to it")],
      find: { block in
        block.syntax.metadata.filter {
          $0.kind == .name && block.slice($0.value).contains(32)
        }.map(\.value)
      }),
    Construct(
      name: "A definition in a body",
      readings: [.differs([.httpyac, .kulala], "takes the line out of the body")],
      isHinted: true,
      find: { $0.bodyLines { $0.first == 64 && $0.contains(61) && !$0.contains(123) } }),
    Construct(
      name: "A line that looks like a request line in a body",
      readings: [.differs(.httpyac, "begins a new request there")],
      find: { $0.problems { if case .missingSeparator = $0 { true } else { false } } }),
    Construct(
      name: "A tag in a body",
      readings: [.differs([.httpyac, .kulala], "acts on it")],
      find: { $0.problems { if case .metadataInBody = $0 { true } else { false } } }),
    Construct(
      name: "An `import` line",
      readings: [.differs([.restclient, .httpyac, .plain], "reads it as a URL")],
      find: { $0.syntax.directives.filter { $0.kind == .importFile }.map(\.line) }),
    Construct(
      name: "A `run` line",
      readings: [.differs([.restclient, .httpyac, .plain], "reads it as a URL")],
      find: { $0.syntax.directives.filter { $0.kind != .importFile }.map(\.line) }),
    Construct(
      name: "A GraphQL fragment before a request",
      readings: [.unknown([.restclient, .jetbrains, .kulala, .plain])],
      find: { $0.syntax.fragments.map(\.range) }),
    Construct(
      name: "A `curl` command",
      readings: [
        .differs([.httpyac, .kulala, .plain], "reads it as a URL"),
        .unknown(.jetbrains, "reads one only where it is pasted"),
      ],
      find: { $0.syntax.request?.curl != nil ? [$0.syntax.request?.line].compactMap { $0 } : [] }),
  ]

  private static let heads: [Construct] = [
    Construct(
      name: "A method in small letters",
      readings: [
        .differs(
          [.jetbrains, .httpyac, .kulala, .restnvim], "reads it as part of the URL")
      ],
      isHinted: true,
      find: { block in
        block.method { $0.contains { (97...122).contains($0) } && !$0.contains(123) }
      }),
    Construct(
      name: "A method of your own",
      readings: [.differs([.restclient, .httpyac, .plain], "reads it as part of the URL")],
      find: { $0.problems { if case .unknownMethod = $0 { true } else { false } } }),
    Construct(
      name: "The method `GRAPHQL`",
      readings: [.unknown([.restclient, .visualstudio])],
      find: { $0.method { $0.elementsEqual("GRAPHQL".utf8) } }),
    Construct(
      name: "A URL without a scheme",
      readings: [.unknown([.restclient, .visualstudio], "sends nothing")],
      find: { $0.targetWithoutScheme }),
    Construct(
      name: "A URL without a scheme",
      readings: [.unknown(.httpyac, "sends nothing")],
      // A host alone is more than a URL to it.
      find: { block in
        block.targetWithoutScheme.filter { block.slice($0).contains(UInt8(ascii: "/")) }
      }),
    Construct(
      name: "The target `*`",
      readings: [.unknown([.restclient, .httpyac, .plain])],
      find: { block in
        block.syntax.request?.target.filter { block.text($0) == "*" } ?? []
      }),
    Construct(
      name: "A URL on several lines",
      readings: [.unknown(.visualstudio, "reads the first line alone")],
      find: { Array(($0.syntax.request?.target ?? RangeList()).dropFirst().prefix(1)) }),
    Construct(
      name: "A path on a line of its own",
      readings: [.differs(.restclient, "reads it as a header")],
      find: { block in
        (block.syntax.request?.target ?? RangeList()).dropFirst().filter {
          block.slice($0).first == 47
        }
      }),
    Construct(
      name: "A query that goes on without `?` or `&` at the start of the line",
      readings: [.differs([.restclient, .httpyac], "does not read the line as a part of the URL")],
      find: { block in
        (block.syntax.request?.target ?? RangeList()).dropFirst().filter {
          block.slice($0).first.map { !"/?&".utf8.contains($0) } ?? false
        }
      }),
    Construct(
      name: "A version of HTTP",
      readings: [.differs(.restclient, "ignores it")],
      // What is written is what it sends.
      find: { block in
        block.syntax.request?.version.map { block.text($0).hasSuffix("1.1") ? [] : [$0] } ?? []
      }),
    Construct(
      name: "A header value on several lines",
      readings: [
        .differs(
          [.restclient, .httpyac, .kulala, .plain], "reads the second line as another header")
      ],
      isHinted: true,
      find: { $0.syntax.request?.headers.filter { $0.value.count > 1 }.map(\.line) ?? [] }),
    Construct(
      name: "A header spread",
      readings: [.unknown([.restclient, .jetbrains, .kulala, .plain])],
      find: { $0.syntax.request?.headers.filter(\.isSpread).map(\.line) ?? [] }),
    Construct(
      name: "A header line that is one reference",
      readings: [
        .differs(.httpyac, "begins the body there"),
        .unknown([.jetbrains, .kulala], "does not read the value as a header"),
      ],
      isHinted: true,
      find: { block in
        let headers = block.syntax.request?.headers ?? []
        return headers.filter { !$0.isSpread && $0.value.isEmpty }.map(\.line)
      }),
    Construct(
      name: "A header that is repeated",
      readings: [
        .differs(.restclient, "sends the values in one line with a comma between"),
        .differs(.kulala, "sends the last alone"),
      ],
      find: { $0.repeatedHeaders }),
    Construct(
      name: "A body without a blank line before it",
      readings: [.unknown([.restclient, .jetbrains, .kulala, .plain], "reads it as a header")],
      find: { $0.bodyWithoutBlankLine }),
  ]

  private static let bodies: [Construct] = [
    Construct(
      name: "A comment in a body",
      readings: [.differs([.kulala, .restnvim], "sends it")],
      find: { block in
        block.syntax.request?.body?.lines.filter { $0.kind == .comment }.map(\.content) ?? []
      }),
    Construct(
      name: "A file with references in it",
      readings: [
        .unknown([.jetbrains, .kulala], "may send it as it is"),
        .differs(.restnvim, "sends the file as it is"), .unknown(.visualstudio),
      ],
      find: { $0.includes { $0.marker == .includeSubstituted && $0.encoding == nil } }),
    Construct(
      name: "A file in an encoding",
      readings: [.unknown([.jetbrains, .kulala, .plain])],
      find: { $0.includes { $0.encoding != nil } }),
    Construct(
      name: "A file that is sent as it is",
      readings: [
        .differs([.jetbrains, .kulala, .restnvim], "resolves the references in it")
      ],
      concernsReferences: true,
      find: { $0.includes { $0.marker == .includeRaw } }),
    Construct(
      name: "A file as a body",
      readings: [.unknown(.visualstudio)],
      find: { $0.includes { $0.marker == .includeRaw } }),
    Construct(
      name: "A body of several parts",
      readings: [.unknown(.restnvim)],
      find: { block in
        block.syntax.request?.headers.filter { header in
          block.text(header.name).lowercased() == "content-type"
            && header.value.first.map { block.text($0).hasPrefix("multipart/") } == true
        }.map(\.line) ?? []
      }),
    Construct(
      name: "A `??` assertion",
      readings: [
        .differs([.restclient, .jetbrains, .kulala, .plain], "reads it as text of the body")
      ],
      find: { $0.syntax.assertions.map(\.line) }),
    Construct(
      name: "A script block between `{{` and `}}`",
      readings: [.differs([.restclient, .jetbrains, .kulala, .plain], "reads it as text")],
      find: { $0.scripts { $0 == .block } }),
    Construct(
      name: "A script before the request",
      readings: [.unknown([.restclient, .visualstudio])],
      find: { $0.scripts { $0 == .preRequest } }),
    Construct(
      name: "A response handler",
      readings: [.unknown([.restclient, .visualstudio])],
      find: { $0.scripts { $0 == .responseHandler } }),
    Construct(
      name: "Saving the response to a file",
      readings: [.unknown([.restclient, .visualstudio])],
      find: { $0.syntax.saves.map(\.path) }),
    Construct(
      name: "A reference to a stored response",
      readings: [.unknown([.restclient, .kulala, .plain])],
      find: { $0.syntax.responseReferences.map(\.path) }),
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
