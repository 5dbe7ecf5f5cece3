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
    /// Whether its name says that it is a secret, or a part of it is a credential: of a request of
    /// the file, or in a URL.
    package var isSecret: Bool
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
    let credentials = FileDefinitions(document: document).credentialNames()
    return ordered.compactMap { definition in
      let owner = document.blocks[definition.block]
      let variable = owner.variables[definition.index]
      guard variable.form == .text, !variable.isAfterResponse else { return nil }
      let (name, value) = (owner.name(of: variable), owner.text(variable.value))
      let isSecret = VariableDefinition.nameIsSecret(name)
        || hasCredential(owner.text(variable.line), credentials) || hasPassword(value)
      return Variable(name: name, value: value, isSecret: isSecret)
    }
  }

  /// Whether the line of a definition has something literal that becomes a credential.
  private static func hasCredential(_ line: String, _ names: Set<String>) -> Bool {
    let block = ParsedDocument(bytes: line.keptBytes).blocks[0]
    return LiteralCredentials(definitions: block, for: names).maskedText != nil
  }

  /// Whether a URL has a literal password.
  private static func hasPassword(_ url: String) -> Bool {
    guard url.utf8.contains(UInt8(ascii: "@")) else { return false }
    let block = ParsedDocument(bytes: "GET \(url)\n".keptBytes).blocks[0]
    return LiteralCredentials(block).maskedText != nil
  }
}
