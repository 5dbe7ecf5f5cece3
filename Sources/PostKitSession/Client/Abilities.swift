// What a client can do with tokens and folds.

import LanguageServerProtocol
import PostKitJSON
package import PostKitLanguage

/// What a client can do with semantic tokens.
package struct TokenAbility: Sendable, Hashable {
  package let legend: TokenLegend
  package let takesAll: Bool
  package let takesDeltas: Bool
  package let takesRanges: Bool

  init(_ capabilities: LSP.SemanticTokensClientCapabilities) {
    legend = TokenLegend(
      types: capabilities.tokenTypes, modifiers: capabilities.tokenModifiers)
    let (full, range) = (capabilities.requests.full, capabilities.requests.range)
    takesAll = full.map { $0 != .bool(false) && $0 != .null } ?? false
    takesDeltas = full?["delta"] == .bool(true)
    takesRanges = range.map { $0 != .bool(false) && $0 != .null } ?? false
  }
}

/// What a client can do with folds.
package struct FoldingAbility: Sendable, Hashable {
  /// How many it wants at most.
  package var limit: Int?
  /// Whether it folds whole lines only.
  package var takesOnlyLines = false
  /// Whether it shows a text in place of what is folded.
  package var showsText = false

  /// A client that says nothing of folds.
  package init() {}

  init(_ capabilities: LSP.FoldingRangeClientCapabilities) {
    limit = capabilities.rangeLimit
    takesOnlyLines = capabilities.lineFoldingOnly ?? false
    showsText = capabilities.foldingRange?.collapsedText ?? false
  }
}
