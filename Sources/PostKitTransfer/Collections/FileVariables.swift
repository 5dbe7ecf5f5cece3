// The variables that a file defines and one of its requests reads.

package import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax

/// Variables of a request file, asked for one of its requests.
package enum FileVariables {
  /// A variable as the file defines it.
  package struct Variable: Sendable, Hashable {
    package var name: String
    /// The value as written: references in it stay references.
    package var value: String
  }

  /// What a block reads that other blocks of the file define, in the order of the file. A variable
  /// that has its value from a response or a file of its own is not among them.
  package static func needed(
    by block: ParsedBlock, in document: ParsedDocument, _ dialect: Dialect
  ) -> [Variable] {
    let needs = RequestNeeds(document, dialect)
    let found = needs.definitions(for: block).filter { $0.block != block.index }
    let ordered = found.sorted {
      needs.line(of: $0).lowerBound < needs.line(of: $1).lowerBound
    }
    return ordered.compactMap { definition in
      let owner = document.blocks[definition.block]
      let variable = owner.variables[definition.index]
      guard variable.form == .text, !variable.isAfterResponse else { return nil }
      return Variable(name: owner.name(of: variable), value: owner.text(variable.value))
    }
  }
}
