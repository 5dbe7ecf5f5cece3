// The reading that a file seems to be written for (dialects.md, 5.3). It is never taken by itself.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The preset that the file seems to be written for: one tool alone has what stands in it. A file
  /// that names its reading is not asked about.
  var dialectSuggestion: Diagnostic? {
    guard scope.dialect.preset == .auto, document.format == .http,
      SyntaxRules.pragma(of: document.bytes) == nil
    else { return nil }
    var first: (preset: DialectPreset, sign: String)?
    for block in document.blocks {
      for (preset, sign) in block.signatures {
        guard first == nil || first?.preset == preset else { return nil }
        first = first ?? (preset, sign)
      }
    }
    guard let (preset, sign) = first else { return nil }
    let tool = TargetTool(rawValue: preset.rawValue)?.name ?? "rest.nvim"
    return Diagnostic(
      .dialectSuggestion, document.lineRange(at: 0),
      "`\(sign)` is \(tool)'s own. Where tools differ, this file is read as PostKit's "
        + "default has it; write `# @dialect \(preset.rawValue)` at the top to have it read as "
        + "there, or `# @dialect auto` to keep the default.")
  }
}

extension ParsedBlock {
  /// What only one tool has. `??` and `@ref` are httpYac's, but PostKit's as well.
  fileprivate var signatures: [(DialectPreset, String)] {
    if syntax.metadata.isEmpty && syntax.scripts.isEmpty { return [] }
    let tags = syntax.metadata.filter { $0.region != .body }.compactMap {
      tag -> (DialectPreset, String)? in
      let isLua = tag.foldedKey == "lang" && text(tag.value).lowercased() == "lua"
      if isLua { return (.restnvim, text(tag.line)) }
      let isKulala = tag.foldedKey.hasPrefix("kulala") || tag.foldedKey.hasPrefix("curl")
      return isKulala ? (.kulala, "@" + text(tag.key)) : nil
    }
    let scripts = syntax.scripts.compactMap { script -> (DialectPreset, String)? in
      guard let range = script.text else { return nil }
      let text = text(range)
      switch script.kind {
      case .block: return text.contains("exports.") ? (.httpyac, "exports.") : nil
      case .responseHandler: return text.contains("client.") ? (.jetbrains, "client.") : nil
      case .preRequest: return nil
      }
    }
    return tags + scripts
  }
}
