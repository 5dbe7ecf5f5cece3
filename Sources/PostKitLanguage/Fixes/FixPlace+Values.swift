// Fixes of values: URLs, durations, definitions, references and assertions.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension FixPlace {
  /// The scheme, the assumed one first.
  var scheme: [QuickFix] {
    let isSecure = text.hasSuffix(":443") || text.hasSuffix(":8443")
    let schemes = isSecure ? ["https://", "http://"] : ["http://", "https://"]
    return schemes.map { QuickFix("Write `\($0)\(text)`", inserting($0, at: range.lowerBound)) }
  }

  /// The duration with the unit that it is read in.
  var duration: [QuickFix] { writing(Advice.written(duration: text, analysis.scope.dialect)) }

  /// The name that has taken the place of an obsolete one.
  var successor: [QuickFix] {
    guard block.syntax.metadata.contains(where: { block.absolute($0.key) == range }) else {
      return cacheControl
    }
    let name = "kulala-file-contents-to-variable"
    return [QuickFix("Write `@\(name)`", replacing(name))]
  }

  /// The value without its quotes.
  var unquoted: [QuickFix] {
    [QuickFix("Remove the quotes", replacing(String(text.dropFirst().dropLast())))]
  }

  /// A slash for the backslash.
  var slash: [QuickFix] {
    [QuickFix("Write `/`", TextEdit(range.lowerBound..<range.lowerBound + 1, "/"))]
  }

  /// `<@` before a file whose references are to be resolved.
  var resolvingInclude: [QuickFix] {
    let include = block.syntax.request?.body?.lines.compactMap { line in
      if case .file(let include) = line.kind { include } else { nil }
    }.first { block.absolute($0.path) == range }
    return include.map {
      [QuickFix("Write `<@`", inserting("@", at: block.absolute($0.markerRange).upperBound))]
    } ?? []
  }

  /// The check that was meant.
  var check: [QuickFix] {
    let form = block.syntax.assertions.compactMap { block.form(of: $0) }
      .first { $0.predicateRange == range }
    if let spelling = form?.spelling { return writing(spelling) }
    let mistake = block.syntax.assertions.lazy.compactMap { block.form(of: $0) }
      .compactMap { $0.misspelling(block, analysis.scope) }.first { $0.range == range }
    return writing(mistake?.suggestion)
  }

  /// `Cache-Control: no-cache` in the place of `Pragma: no-cache`.
  private var cacheControl: [QuickFix] {
    let headers = block.syntax.request?.headers ?? []
    guard text.lowercased() == "pragma",
      !headers.contains(where: { block.text($0.name).lowercased() == "cache-control" }),
      let header = headers.first(where: { block.absolute($0.name) == range }),
      let value = header.value.first, block.text(value).lowercased() == "no-cache"
    else { return [] }
    return writing("Cache-Control")
  }

  /// `=` behind the name.
  var definition: [QuickFix] {
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
  var closing: [QuickFix] {
    let inner = text.dropFirst(2)
    let name = inner.prefix { $0.isLetter || $0.isNumber || "_-.$ ".contains($0) }
    let trimmed = name.reversed().drop { $0 == " " }.count
    guard text.hasPrefix("{{"), trimmed > 0 else { return [] }
    let end = range.lowerBound + 2 + name.prefix(trimmed).utf8.count
    return [QuickFix("Add `}}`", inserting("}}", at: end))]
  }
}
