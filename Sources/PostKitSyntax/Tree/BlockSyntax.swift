// What a block says, in types. All ranges are byte offsets from the start of the block, so that a
// block that moved is unchanged.

/// The tree of one block: a view of records that it has in common with the blocks that were parsed
/// with it.
package struct BlockSyntax: Sendable, Equatable {
  /// What kind of thing a block is.
  package enum Kind: Sendable, Hashable {
    /// A request line, with all that belongs to it.
    case request
    /// A curl command (PK-30).
    case curl
    /// Definitions or scripts but no request: seen by all requests of the file (PK-40).
    case global
    /// A block whose first line is a status line: an example, no request (PK-102).
    case response
    /// `import` and `run` lines.
    case directives
    /// Nothing but blanks and comments.
    case empty
    /// Text between the fences of a Markdown file.
    case prose
  }

  let storage: SyntaxStorage
  /// The block's place in the storage.
  let slot: Int

  private var starts: RecordCounts { storage.counts(before: slot) }
  private var ends: RecordCounts { storage.tables.blocks[slot].ends }

  package var kind: Kind { storage.tables.blocks[slot].kind }
  /// Tokens that tile the block's bytes exactly.
  package var tokens: SyntaxList<SyntaxToken> {
    SyntaxList(storage.tables.tokens, starts.tokens..<ends.tokens)
  }
  package var separator: SeparatorSyntax? {
    guard let marker = storage.tables.blocks[slot].marker else { return nil }
    return SeparatorSyntax(
      marker: marker, title: storage.tables.blocks[slot].separatorTitle,
      isIndented: storage.tables.blocks[slot].isIndented)
  }
  package var metadata: SyntaxList<MetadataSyntax> {
    SyntaxList(storage.tables.metadata, starts.metadata..<ends.metadata)
  }
  package var variables: SyntaxList<VariableSyntax> {
    SyntaxList(storage.tables.variables, starts.variables..<ends.variables)
  }
  /// Whether there is a definition.
  var hasVariables: Bool { starts.variables < ends.variables }
  /// Whether there is a request.
  var hasRequest: Bool { storage.tables.blocks[slot].requestLine != nil }
  package var request: RequestSyntax? {
    let record = storage.tables.blocks[slot]
    guard let line = record.requestLine else { return nil }
    let (starts, ends) = (starts, record.ends)
    return RequestSyntax(
      line: line, method: record.method, target: record.target, version: record.version,
      headers: SyntaxList(storage.tables.headers, starts.headers..<ends.headers),
      body: record.body.map {
        BodySyntax(
          range: $0,
          lines: SyntaxList(storage.tables.bodyLines, starts.bodyLines..<ends.bodyLines))
      },
      curl: record.curl)
  }
  /// Every `{{…}}` of the block in order, wherever it has a meaning: not in comments outside of
  /// bodies, titles, scripts and responses.
  package var references: SyntaxList<ReferenceSyntax> {
    SyntaxList(storage.tables.references, starts.references..<ends.references)
  }
  /// The reference that a place in the block touches; between two of them the caret is on the
  /// second.
  package func reference(at place: Int) -> ReferenceSyntax? {
    references.reversed().first { $0.range.lowerBound <= place && place <= $0.range.upperBound }
  }
  package var problems: SyntaxList<SyntaxProblem> {
    SyntaxList(storage.tables.problems, starts.problems..<ends.problems)
  }
  /// Whether it has what most blocks don't have.
  var hasExtras: Bool { storage.tables.blocks[slot].extras != nil }
  /// What most blocks don't have.
  var extras: BlockExtras {
    storage.tables.blocks[slot].extras.map { storage.tables.extras[Int($0)] } ?? BlockExtras()
  }

  /// Whether both are one tree; equal ones need not be.
  package func isSame(as other: BlockSyntax) -> Bool {
    storage === other.storage && slot == other.slot
  }

  package static func == (left: BlockSyntax, right: BlockSyntax) -> Bool {
    if left.isSame(as: right) { return true }
    return left.kind == right.kind && left.tokens == right.tokens
      && left.separator == right.separator && left.metadata == right.metadata
      && left.variables == right.variables && left.request == right.request
      && left.references == right.references && left.problems == right.problems
      && left.extras == right.extras
  }
}

/// The parts of a block that most blocks don't have.
struct BlockExtras: Sendable, Hashable {
  var directives: [DirectiveSyntax] = []
  var fragments: [FragmentSyntax] = []
  var scripts: [ScriptSyntax] = []
  var saves: [RedirectSyntax] = []
  var responseReferences: [RedirectSyntax] = []
  var assertions: [AssertionSyntax] = []
  var inlineResponse: Range<Int>?

  /// Whether there are none.
  var isEmpty: Bool {
    directives.isEmpty && fragments.isEmpty && scripts.isEmpty && saves.isEmpty
      && responseReferences.isEmpty && assertions.isEmpty && inlineResponse == nil
  }
}

extension BlockSyntax {
  package var directives: [DirectiveSyntax] { extras.directives }
  /// httpYac's GraphQL fragments for the whole file.
  package var fragments: [FragmentSyntax] { extras.fragments }
  package var scripts: [ScriptSyntax] { extras.scripts }
  /// `>> path` and `>>! path`.
  package var saves: [RedirectSyntax] { extras.saves }
  /// `<> path`.
  package var responseReferences: [RedirectSyntax] { extras.responseReferences }
  package var assertions: [AssertionSyntax] { extras.assertions }
  /// The bytes of an in-line response.
  package var inlineResponse: Range<Int>? { extras.inlineResponse }
}

/// A separator line.
package struct SeparatorSyntax: Sendable, Hashable {
  /// The hashes.
  package var marker: Range<Int>
  /// The trimmed text after them; `nil` where there is none.
  package var title: Range<Int>?
  /// Whether blanks stand before the hashes (PK-2).
  package var isIndented: Bool
}

/// Where in a block something stands.
package enum BlockRegion: Sendable, Hashable {
  case prologue, headers, body, epilogue
}

/// A metadata line, `# @key value` (PK-36).
package struct MetadataSyntax: Sendable, Hashable {
  /// The whole line without its line end.
  @Compact package var line: Range<Int>
  /// The key as written.
  @Compact package var key: Range<Int>
  /// Which tag it is; `nil` for a key that no tool knows.
  package var kind: MetadataTag?
  /// The trimmed value; empty and after the key where there is none.
  @Compact package var value: Range<Int>
  package var region: BlockRegion
}

/// A definition, `@name = value` (PK-31), or a tag that makes one, `# @env-json-key name value`.
package struct VariableSyntax: Sendable, Hashable {
  /// What the value of a definition says.
  package enum Form: Sendable, Hashable {
    /// The text itself; all others are tags.
    case text
    /// The path of a file, whose content is meant.
    case file
    /// A path into the JSON of the response's body.
    case member
    /// The name of a header of the response.
    case header
  }
  @Compact package var line: Range<Int>
  /// The name without `@` and without `global.`.
  @Compact package var nameRange: Range<Int>
  /// Whether the name was written with `global.`.
  package var isGlobal: Bool
  /// Whether the operator is `:=`.
  package var isLazy: Bool
  /// The trimmed value, as written.
  @Compact package var value: Range<Int>
  /// Whether it is defined after the response (PK-26).
  package var isAfterResponse: Bool
  package var form = Form.text
}

/// An `import` or `run` line (PK-39).
package struct DirectiveSyntax: Sendable, Hashable {
  /// The kinds of directive.
  package enum Kind: Sendable, Hashable { case importFile, runFile, runRequest }
  package var kind: Kind
  package var line: Range<Int>
  /// The path without quotes, or the request's name without `#`.
  package var argument: Range<Int>
  /// Of a `run` line with a path the name of the only request that is meant, without `#`.
  package var request: Range<Int>?
  /// The overrides in parentheses, in order.
  package var overrides: [(name: Range<Int>, value: Range<Int>)]

  /// The name of the request that is run; `nil` where all of a file are, or none.
  package var calledName: Range<Int>? { kind == .runRequest ? argument : request }

  package static func == (left: DirectiveSyntax, right: DirectiveSyntax) -> Bool {
    left.kind == right.kind && left.line == right.line && left.argument == right.argument
      && left.request == right.request && left.overrides.elementsEqual(right.overrides) {
        $0.name == $1.name && $0.value == $1.value
      }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(line)
    hasher.combine(argument)
  }
}

/// A GraphQL fragment before a request: `gql NAME < path`, or `fragment NAME on Type` with the
/// lines of its selection.
package struct FragmentSyntax: Sendable, Hashable {
  package var name: Range<Int>
  /// All its bytes without the last line end.
  package var range: Range<Int>
  /// The path of the file that holds its text; `nil` where the text stands here.
  package var path: Range<Int>?
}

/// A request line with its headers and body.
package struct RequestSyntax: Sendable, Hashable {
  /// The request line from the method to the version, without its line end.
  package var line: Range<Int>
  /// The method; `nil` means GET (PK-9). May be a single reference. A known method may be written
  /// in small letters: see `MethodCatalog.canonical`.
  package var method: Range<Int>?
  /// The pieces of the target in order, to be joined without anything between (PK-12).
  package var target: RangeList
  /// What follows `HTTP/`, such as `1.1` or `2 (Prior Knowledge)`.
  package var version: Range<Int>?
  package var headers: SyntaxList<HeaderSyntax>
  package var body: BodySyntax?
  /// The whole text of a curl command; then the other fields are empty.
  package var curl: Range<Int>?
}

/// A header line with its continuation lines.
package struct HeaderSyntax: Sendable, Hashable {
  /// The line without its line end; continuation lines included.
  @Compact package var line: Range<Int>
  /// The name; of a spread, what follows the dots.
  @Compact package var name: Range<Int>
  /// The trimmed pieces of the value, to be joined by one blank (PK-12, rule 6): one empty piece
  /// where nothing follows the colon, none where there is no colon. Without one the line is a
  /// spread, or a single reference whose value is a whole header; then it is the name (PK-45).
  package var value: RangeList
  /// Whether it is a spread, `...name`.
  package var isSpread: Bool
}

/// A body: its lines, verbatim, from the first to the last that isn't blank. The range ends before
/// the last line's line end.
package struct BodySyntax: Sendable, Hashable {
  package var range: Range<Int>
  package var lines: SyntaxList<BodyLineSyntax>
}

/// One line of a body.
package struct BodyLineSyntax: Sendable, Hashable {
  /// What a line is.
  package enum Kind: Sendable, Hashable {
    case text
    /// `< path`, `<@ path`, `<@latin1 path` (PK-16 to PK-18).
    case file(RedirectSyntax)
    /// A line that starts with `#` or `//`; whether it is sent is decided by type (PK-5). No line
    /// inside a part of a multipart body is one.
    case comment
  }
  /// The kind with the bytes that the line end has, both in the memory of one reference: no other
  /// record is as large for as little text.
  private enum Form: Sendable, Hashable {
    case text(UInt8)
    indirect case file(RedirectSyntax, UInt8)
    case comment(UInt8)
  }
  private let form: Form
  /// The bytes without the line end.
  @Compact package private(set) var content: Range<Int>

  /// Makes a line of a kind, whose line end ends at `end`.
  init(_ kind: Kind, _ content: Range<Int>, end: Int) {
    let count = UInt8(truncatingIfNeeded: end - content.upperBound)
    form = switch kind {
    case .text: .text(count)
    case .file(let file): .file(file, count)
    case .comment: .comment(count)
    }
    self.content = content
  }

  package var kind: Kind {
    switch form {
    case .text: .text
    case .file(let file, _): .file(file)
    case .comment: .comment
    }
  }

  /// The bytes of the line end; empty on the last line of a file.
  package var lineEnd: Range<Int> {
    let count = switch form {
    case .text(let count), .file(_, let count), .comment(let count): Int(count)
    }
    return content.upperBound..<content.upperBound + count
  }
}

/// A marker with a path: `<`, `<@`, `>>`, `>>!`, `<>`.
package struct RedirectSyntax: Sendable, Hashable {
  /// What stands before the path.
  package enum Marker: Sendable, Hashable {
    case includeRaw, includeSubstituted, save, saveOverwriting, responseReference
  }
  package var marker: Marker
  @Compact package var markerRange: Range<Int>
  /// The word after `<@`.
  package var encoding: Range<Int>?
  /// The path without quotes, escapes still in it.
  @Compact package var path: Range<Int>
}

/// A `??` line (PK-78).
package struct AssertionSyntax: Sendable, Hashable {
  package var line: Range<Int>
  /// The trimmed text after `??`.
  package var text: Range<Int>
}
