// Fixes of values: URLs, durations, definitions, references and assertions.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension FixPlace {
  /// The fixes of values; `nil` for other codes.
  func values(
    _ code: DiagnosticCode, _ block: ParsedBlock, _ severity: DiagnosticSeverity
  ) -> [QuickFix]? {
    switch code {
    case .schemeAssumed:
      let isSecure = text.hasSuffix(":443") || text.hasSuffix(":8443")
      let schemes = isSecure ? ["https://", "http://"] : ["http://", "https://"]
      return schemes.map { QuickFix("Write `\($0)\(text)`", inserting($0, at: range.lowerBound)) }
    case .durationUnit:
      return Advice.written(duration: text, analysis.scope.dialect).map {
        [QuickFix("Write `\($0)`", replacing($0))]
      }
    case .deprecated:
      if block.syntax.metadata.contains(where: { block.absolute($0.key) == range }) {
        let name = "kulala-file-contents-to-variable"
        return [QuickFix("Write `@\(name)`", replacing(name))]
      }
      return cacheControl(block)
    case .variableSyntax: return definition
    case .unclosedVariable: return closing
    case .quotedValue:
      return [QuickFix("Remove the quotes", replacing(String(text.dropFirst().dropLast())))]
    case .backslashValue:
      return [
        QuickFix("Write `/`", TextEdit(range.lowerBound..<range.lowerBound + 1, "/"))
      ]
    case .fileHasVariables:
      let include = block.syntax.request?.body?.lines.compactMap { line in
        if case .file(let include) = line.kind { include } else { nil }
      }.first { block.absolute($0.path) == range }
      return include.map {
        [QuickFix("Write `<@`", inserting("@", at: block.absolute($0.markerRange).upperBound))]
      }
    case .assertionSyntax:
      let form = block.syntax.assertions.compactMap { block.form(of: $0) }
        .first { $0.predicateRange == range }
      if let spelling = form?.spelling {
        return [QuickFix("Write `\(spelling)`", replacing(spelling))]
      }
      let mistake = block.syntax.assertions.lazy.compactMap { block.form(of: $0) }
        .compactMap { $0.misspelling(block, analysis.scope) }.first { $0.range == range }
      return mistake.map { [QuickFix("Write `\($0.suggestion)`", replacing($0.suggestion))] }
    default: return nil
    }
  }

  /// `Cache-Control: no-cache` in the place of `Pragma: no-cache`.
  private func cacheControl(_ block: ParsedBlock) -> [QuickFix] {
    let headers = block.syntax.request?.headers ?? []
    guard text.lowercased() == "pragma",
      !headers.contains(where: { block.text($0.name).lowercased() == "cache-control" }),
      let header = headers.first(where: { block.absolute($0.name) == range }),
      let value = header.value.first, block.text(value).lowercased() == "no-cache"
    else { return [] }
    return [QuickFix("Write `Cache-Control`", replacing("Cache-Control"))]
  }

  /// `=` behind the name.
  private var definition: [QuickFix] {
    let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    let rest = text.dropFirst(name.count + 1)
    let value = rest.drop { $0 == " " || $0 == "\t" }
    guard text.hasPrefix("@"), !name.isEmpty, rest.isEmpty || rest.count > value.count else {
      return []
    }
    let start = range.lowerBound + 1 + name.utf8.count
    return [
      QuickFix(
        "Write `@\(name) = \(value)`",
        TextEdit(start..<range.upperBound - value.utf8.count, " = "))
    ]
  }

  /// `}}` behind the name.
  private var closing: [QuickFix] {
    let inner = text.dropFirst(2)
    let name = inner.prefix { $0.isLetter || $0.isNumber || "_-.$ ".contains($0) }
    let trimmed = name.reversed().drop { $0 == " " }.count
    guard text.hasPrefix("{{"), trimmed > 0 else { return [] }
    let end = range.lowerBound + 2 + name.prefix(trimmed).utf8.count
    return [QuickFix("Add `}}`", inserting("}}", at: end))]
  }
}
