// One block of a file, with its text at hand.

/// One block at its place in the file.
package struct ParsedBlock: Sendable {
  /// The bytes of the whole file.
  package let bytes: [UInt8]
  /// The place among the blocks of the file, from 0.
  package let index: Int
  /// The block's bytes in the file, its separator line included.
  package let range: Range<Int>
  /// The block's tree, shared with other parses of the file; its ranges count from the block's
  /// start.
  package let syntax: BlockSyntax

  /// Whether it can be sent.
  package var isRequest: Bool { syntax.hasRequest }

  /// The request; `nil` where there is none.
  package var request: RequestSyntax? { syntax.request }
  /// The metadata lines in order.
  package var metadata: SyntaxList<MetadataSyntax> { syntax.metadata }
  /// The definitions in order.
  package var variables: SyntaxList<VariableSyntax> { syntax.variables }
  /// The `import` and `run` lines in order.
  package var directives: [DirectiveSyntax] { syntax.directives }
  /// The scripts in order.
  package var scripts: [ScriptSyntax] { syntax.scripts }
  /// The lines that save the response.
  package var saves: [RedirectSyntax] { syntax.saves }
  /// The `??` lines in order.
  package var assertions: [AssertionSyntax] { syntax.assertions }
  /// The references in order.
  package var references: SyntaxList<ReferenceSyntax> { syntax.references }
  /// The mistakes of form.
  package var problems: SyntaxList<SyntaxProblem> { syntax.problems }

  /// The text of a range of the block.
  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[absolute(range)], as: UTF8.self)
  }

  /// The bytes of a range of the block.
  package func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[absolute(range)] }

  /// A range of the block as a range of the file.
  package func absolute(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + self.range.lowerBound..<range.upperBound + self.range.lowerBound
  }

  /// The request line in the file; the start of the block where there is none.
  package var requestLine: Range<Int> { absolute(request?.line ?? 0..<0) }

  /// The name: `@name`, else the separator's title unless it is only punctuation (PK-7, PK-8).
  package var name: String? { nameRange.map(text) }

  /// The separator's title unless it is only punctuation (PK-8).
  package var title: String? { titleRange.map(text) }

  /// The name that a definition gives a value.
  package func name(of variable: VariableSyntax) -> String { text(variable.nameRange) }

  /// Where the name stands.
  var nameRange: Range<Int>? { syntax.storage.tables.blocks[syntax.slot].name }

  /// Where the title stands, if it is a name.
  var titleRange: Range<Int>? { syntax.storage.tables.blocks[syntax.slot].title }

  /// `METHOD target` without the version, as written; `nil` where there is no request line.
  package var methodAndTarget: String? {
    isRequest ? "\(writtenMethod.uppercased()) \(writtenTarget)" : nil
  }
}

extension ParsedBlock {
  /// The tags that name requests which must run before (`@ref`, `@forceRef`).
  package var dependencyTags: [MetadataSyntax] {
    metadata.filter { $0.region != .body && ($0.kind == .ref || $0.kind == .forceRef) }
  }

  /// Whether both blocks share one tree: nothing that depends on the block alone has changed.
  package func hasSameTree(as other: ParsedBlock) -> Bool {
    syntax.isSame(as: other.syntax)
  }

  /// The words of `# @tag` lines; commas and blanks part them.
  package var tags: Set<String> { Set(listedTags) }

  /// The same in the order in which they are written.
  package var listedTags: [String] {
    metadata.filter { $0.kind == .label }.flatMap { tag in
      text(tag.value).split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
  }

  /// The parts of an assertion as ranges of the file; `nil` where it can't be read.
  package func form(of assertion: AssertionSyntax) -> AssertionForm? {
    AssertionForm(bytes, absolute(assertion.text))
  }
}

extension ParsedBlock {
  /// The paths of files that the block names, as ranges of the block, in no order.
  package var pathRanges: [Range<Int>] {
    var paths: [Range<Int>] = syntax.directives.filter { $0.kind != .runRequest }.map(\.argument)
    paths += syntax.scripts.compactMap(\.path)
    paths += syntax.fragments.compactMap(\.path)
    paths += (syntax.saves + syntax.responseReferences).map(\.path)
    paths += syntax.metadata.filter { $0.kind == .importFile && $0.region != .body }.map(\.value)
    paths += syntax.variables.filter { $0.form == .file }.map(\.value)
    for line in syntax.request?.body?.lines ?? [] {
      if case .file(let include) = line.kind { paths.append(include.path) }
    }
    return paths
  }
}
