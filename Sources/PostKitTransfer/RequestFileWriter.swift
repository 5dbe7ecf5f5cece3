// Requests of the history as a file that runs again.

import PostKitEvaluate
package import PostKitHTTP
import PostKitSyntax

/// Writes the templates of exchanges as the blocks of one request file, with the definitions that
/// they need from the files they came from. The exchanges of a file must follow each other.
package struct RequestFileWriter: ExchangeWriter {
  /// The bytes of a request file as it is now; `nil` where it is gone.
  private let source: @Sendable (String) -> [UInt8]?
  private var file: String?
  private var definitions: FileDefinitions?
  /// The names that credentials of the file are made of.
  private var credentialNames: Set<String> = []
  /// The definitions in force, by name, as they were written.
  private var written: [String: String] = [:]
  /// What the reader of the file has to do.
  package private(set) var remarks: [String] = []

  /// Makes a writer.
  package init(source: @escaping @Sendable (String) -> [UInt8]?) { self.source = source }

  /// The beginning.
  package func head() -> [UInt8] { [] }

  /// One exchange.
  package mutating func exchange(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [UInt8] {
    var text = ""
    if exchange.file != file {
      if file == nil, exchange.dialect != "auto" { text += "# @dialect \(exchange.dialect)\n" }
      text += "### From \(exchange.file.split(separator: "/").last ?? "")\n"
      file = exchange.file
      definitions = source(exchange.file).map {
        FileDefinitions(document: ParsedDocument(bytes: $0))
      }
      credentialNames = definitions?.credentialNames() ?? []
      if definitions == nil {
        remarks.append("\(exchange.file) is gone, and with it what it defined.")
      }
    }
    var template = exchange.template
    // A byte order mark means that at the beginning of a file only.
    if template.unicodeScalars.first == "\u{FEFF}" { template.unicodeScalars.removeFirst() }
    let lines = self.definitions(for: template, line: exchange.line)
    if ([template] + lines).contains(where: { $0.contains(SecretMask.text) }) {
      let request = exchange.requestName ?? exchange.request.url
      remarks.append("A secret of `\(request)` is masked: put it in place of {{masked}}.")
    }
    if !lines.isEmpty {
      // In a block of its own; behind a request it would be read after the response.
      if !text.hasSuffix("\n") { text += "###\n" }
      text += lines.joined(separator: "\n") + "\n"
    }
    if !text.isEmpty { text += "\n" }
    let isSeparated = template.drop { $0 == " " || $0 == "\t" }.hasPrefix("###")
    text += (isSeparated ? "" : "###\n") + template
    while text.hasSuffix("\n") || text.hasSuffix("\r\n") { text.removeLast() }
    // A name that nothing defines is refused before it is sent, and a mask never is.
    text = text.replacing(SecretMask.text, with: "{{masked}}")
    return (text + "\n\n").keptBytes
  }

  /// The end.
  package func tail() -> [UInt8] { [] }

  /// The definitions of the file that a request at a line needs and that aren't in force yet, with
  /// masks for what credentials are made of: the file may say that, the history does not.
  private mutating func definitions(for template: String, line: Int) -> [String] {
    guard let definitions else { return [] }
    let used = RequestFileWriter.credentialNames(template)
    if !used.isSubset(of: credentialNames) {
      credentialNames = definitions.credentialNames(credentialNames.union(used))
    }
    return definitions.needed(by: template, line: line).compactMap { name, definition in
      let block = ParsedDocument(bytes: Array(definition.utf8)).blocks[0]
      let credentials = LiteralCredentials(definitions: block, for: credentialNames)
      let line = credentials.maskedText ?? definition
      return written.updateValue(line, forKey: name) == line ? nil : line
    }
  }

  private static func credentialNames(_ template: String) -> Set<String> {
    ParsedDocument(bytes: Array(template.utf8)).blocks.reduce(into: []) {
      $0.formUnion(LiteralCredentials($1).usedNames)
    }
  }
}
