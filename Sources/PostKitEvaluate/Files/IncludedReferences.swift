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
        for include in block.resolvedIncludes(dialect) {
          var found = result[place] ?? IncludedReferences()
          let path = block.text(include.path).withoutPathEscapes
          if path.contains("{{") || include.encoding != nil {
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

extension ParsedBlock {
  /// The files of the body in which references may be resolved.
  fileprivate func resolvedIncludes(_ dialect: Dialect) -> [RedirectSyntax] {
    guard let lines = request?.body?.lines else { return [] }
    let includes = lines.compactMap { line -> RedirectSyntax? in
      if case .file(let include) = line.kind { include } else { nil }
    }
    guard !includes.isEmpty else { return [] }
    let resolvesAll =
      dialect.fileBody != .rawPlain || metadata.contains { $0.foldedKey == "injectvariables" }
    return includes.filter { include in
      include.marker == .includeRaw ? resolvesAll : dialect.preset != .restnvim
    }
  }
}
