// What included files refer to where their references are resolved (PK-16): the requests that they
// read have to be sent before, and their responses kept.

package import PostKitSyntax

/// The references in the files that one request includes.
package struct IncludedReferences: Sendable {
  /// Each with the path that names its file, in the block.
  package var references: [(expression: ReferenceExpression, path: Range<Int>)] = []
  /// Whether a file can't be known before the request is evaluated, so that it may read anything.
  package var isOpen = false
}

extension Scope {
  /// The references in included files by the request that includes them. `read` gives the bytes of
  /// the file that a path means to a request.
  package func includedReferences(
    read: (_ path: String, _ place: RequestPlace) -> [UInt8]?
  ) -> [RequestPlace: IncludedReferences] {
    var result: [RequestPlace: IncludedReferences] = [:]
    for (file, document) in files.files.map(\.document).enumerated() {
      let dialect = dialect(of: file)
      for block in document.blocks {
        let place = RequestPlace(file: file, block: block.index)
        for include in block.includes {
          let path = block.text(include.path).withoutPathEscapes
          let isKnown = !path.contains("{{")
          // What a path ends in that is not known yet, nobody knows either.
          guard
            include.isResolved(path, in: dialect, isAsked: block.asksToResolve)
              || !isKnown && dialect.fileBody == .substituteStructured
          else { continue }
          var found = result[place] ?? IncludedReferences()
          if !isKnown || include.encoding != nil {
            found.isOpen = true
          } else if let bytes = read(path, place) {
            let pieces = TemplateParser.pieces(bytes, in: 0..<bytes.count)
            for case .reference(let reference) in pieces {
              found.references.append((reference.expression, include.path))
            }
          }
          result[place] = found
        }
      }
    }
    return result
  }
}

extension RedirectSyntax {
  /// Whether references are resolved in the file of a body. `isAsked` is whether its block says so.
  func isResolved(_ path: String, in dialect: Dialect, isAsked: Bool) -> Bool {
    // In rest.nvim `<@` is the raw form.
    if marker != .includeRaw { return dialect.preset != .restnvim }
    if isAsked { return true }
    switch dialect.fileBody {
    case .rawPlain: return false
    case .substitutePlain: return true
    case .substituteStructured:
      return [".json", ".graphql", ".gql"].contains { path.lowercased().hasSuffix($0) }
    }
  }
}

extension ParsedBlock {
  /// The files of the body.
  fileprivate var includes: [RedirectSyntax] {
    (request?.body?.lines ?? SyntaxList()).compactMap { line in
      if case .file(let include) = line.kind { include } else { nil }
    }
  }

  /// Whether references are to be resolved in all of them.
  fileprivate var asksToResolve: Bool {
    metadata.contains { $0.kind == .injectVariables }
  }
}
