// What a file may hold that not every tool reads alike, each with what becomes of it elsewhere.
// This table is the only home of that knowledge: the hints of the
// editor and `postkit check --target` are made from it.

import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax

/// One construct and its readings.
struct Construct: Sendable {
  /// What becomes of it in some tools.
  struct Reading: Sendable {
    let tools: TargetTools
    /// Whether it means something else there; else it does nothing or is refused.
    let differs: Bool
    /// A clause behind the tool's name, such as "sends it as text".
    let clause: String

    /// The clause behind several names: "send it as text".
    var pluralClause: String {
      let verb = clause.prefix { $0 != " " }
      if verb == "does" { return "do" + clause.dropFirst(verb.count) }
      return String(verb.hasSuffix("s") ? verb.dropLast() : verb) + clause.dropFirst(verb.count)
    }
  }

  /// The construct in the singular, with a capital: "A method in small letters".
  let name: String
  let readings: [Reading]
  /// Whether an editor gives a hint of it. Those that have a diagnostic of their own, and those
  /// that nobody takes for something else, need none.
  let isHinted: Bool
  /// Whether it matters only where the file that a range names has references in it.
  let concernsReferences: Bool
  /// Where a block has it.
  let find: @Sendable (ParsedBlock) -> [Range<Int>]

  init(
    _ name: String, _ readings: Reading..., isHinted: Bool = false,
    concernsReferences: Bool = false, find: @escaping @Sendable (ParsedBlock) -> [Range<Int>]
  ) {
    self.name = name
    self.readings = readings
    self.isHinted = isHinted
    self.concernsReferences = concernsReferences
    self.find = find
  }

  /// The sentence for one tool; `nil` where it reads the construct as PostKit does.
  func sentence(for tool: TargetTool) -> (sentence: String, differs: Bool)? {
    guard let reading = readings.first(where: { $0.tools.holds(tool) }) else { return nil }
    return ("\(name): \(tool.name) \(reading.clause).", reading.differs)
  }

  /// The sentence for a hint.
  var hint: String {
    let clauses = readings.filter(\.differs).map { reading in
      let isPlural = TargetTool.allCases.filter(reading.tools.holds).count > 1
      return "\(reading.tools.names) \(isPlural ? reading.pluralClause : reading.clause)"
    }
    return "\(name): \(clauses.joined(separator: "; ")). Write it differently if they read "
      + "the file, too."
  }

  /// Every construct of the table.
  static let all: [Construct] = structure + values + behaviour

  private static let hintedOnes = all.filter(\.isHinted)

  /// The constructs of a block that deserve a hint.
  static func hinted(in block: ParsedBlock) -> [(Construct, Range<Int>)] {
    hintedOnes.flatMap { construct in construct.find(block).map { (construct, $0) } }
  }
}

extension Construct.Reading {
  /// Some tools give it another meaning.
  static func differs(_ tools: TargetTools, _ clause: String) -> Construct.Reading {
    Construct.Reading(tools: tools, differs: true, clause: clause)
  }

  /// Some tools don't know it.
  static func unknown(
    _ tools: TargetTools, _ clause: String = "does not know it"
  ) -> Construct.Reading {
    Construct.Reading(tools: tools, differs: false, clause: clause)
  }
}

extension Analysis {
  /// What would not work in another tool, or mean something else, in the order of the file.
  package func portability(to tool: TargetTool) -> [Diagnostic] {
    var result: [Diagnostic] = []
    if document.format == .markdown, tool == .jetbrains {
      result.append(
        Diagnostic(
          .targetUnsupported, 0..<0,
          "Requests in Markdown: JetBrains does not know them. Put them into a `.http` file."))
    }
    for block in document.blocks {
      for construct in Construct.all {
        guard let (sentence, differs) = construct.sentence(for: tool) else { continue }
        for range in construct.find(block)
        where !construct.concernsReferences || mayHaveReferences(block, range) {
          result.append(
            Diagnostic(
              differs ? .targetDiffers : .targetUnsupported, block.absolute(range), sentence))
        }
      }
    }
    if tool == .restclient || tool == .visualstudio { result += titlesAsNames(tool) }
    return result.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether the file that a path names may have references in it: one that can be read and has
  /// none is the same to everybody, whether it is text or not.
  private func mayHaveReferences(_ block: ParsedBlock, _ path: Range<Int>) -> Bool {
    let written = block.text(path)
    guard !written.contains("{{"), let found = context.resolvePath(written),
      case .bytes(let bytes) = context.readFile(found)
    else { return true }
    return zip(bytes, bytes.dropFirst()).contains { $0 == 123 && $1 == 123 }
  }

  /// References to requests that have no name but the title of their separator.
  private func titlesAsNames(_ tool: TargetTool) -> [Diagnostic] {
    document.blocks.having(.readsExchanges).flatMap { block in
      block.syntax.references.compactMap { reference in
        guard case .path(let name, let rest) = reference.expression,
          rest.hasPrefix(".response.") || rest.hasPrefix(".request."),
          let request = scope.request(referredToAs: name),
          !request.metadata.contains(where: { $0.kind == .name && !$0.value.isEmpty })
        else { return nil }
        return Diagnostic(
          .targetUnsupported, block.absolute(reference.range),
          "The title `\(name)` as a name: \(tool.name) does not know it. Add `# @name \(name)`.")
      }
    }
  }
}

extension TargetTools {
  /// Their names in a sentence.
  var names: String { TargetTool.allCases.filter(holds).map(\.name).listed("and") }
}
