// What a request needs of its file when it is taken out of it.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// The definitions of a request file.
struct FileDefinitions {
  let document: ParsedDocument

  /// The lines of the definitions that a request at a line, counted from 1, needs and doesn't have
  /// itself, by their names; what others need comes first.
  func needed(by template: String, line: Int) -> [(name: String, line: String)] {
    let block = ParsedDocument(bytes: template.keptBytes)
    var known = Set(block.blocks.flatMap { $0.variables.map($0.name) })
    var wanted = FileDefinitions.names(block)
    var result: [(name: String, line: String)] = []
    while let name = wanted.popLast() {
      guard known.insert(name).inserted, let definition = definition(of: name, line: line) else {
        continue
      }
      wanted += FileDefinitions.names(ParsedDocument(bytes: definition.keptBytes))
      result.append((name, definition))
    }
    return result.reversed()
  }

  /// The names that references ask for.
  private static func names(_ document: ParsedDocument) -> [String] {
    document.blocks.flatMap { block in
      block.references.compactMap { reference in
        if case .path(let name, _) = reference.expression { name } else { nil }
      }
    }
  }

  /// The line that defines a name for a request: the nearest above it, else the last (PK-34).
  private func definition(of name: String, line: Int) -> String? {
    var result: String?
    for block in document.blocks {
      for variable in block.variables where variable.form == .text && !variable.isAfterResponse {
        guard block.name(of: variable) == name else { continue }
        let range = block.absolute(variable.line)
        if result != nil, document.line(at: range.lowerBound) + 1 > line { return result }
        result = String(keeping: document.bytes[range])
      }
    }
    return result
  }

  /// The names that credentials of the file's requests are made of, and those of which these names
  /// are made.
  func credentialNames(_ known: Set<String> = []) -> Set<String> {
    var names = document.blocks.reduce(into: known) {
      $0.formUnion(LiteralCredentials($1).usedNames)
    }
    var count = -1
    while count != names.count {
      count = names.count
      for block in document.blocks where !block.variables.isEmpty {
        names = LiteralCredentials(definitions: block, for: names).usedNames
      }
    }
    return names
  }
}
