// `>> file` and `>>! file`: where a response is saved (PK-90).

import PostKitHTTP
import PostKitSyntax

extension BlockLowering {
  /// Adds a `>>` line.
  mutating func addSave(_ save: RedirectSyntax) {
    let written = String(
      decoding: evaluator.expand(save.path, of: block, place: .path), as: UTF8.self
    ).withoutPathEscapes
    addSave(to: written, overwrites: save.marker == .saveOverwriting, block.absolute(save.path))
  }

  /// Adds a file to save to, as it was written at a range.
  mutating func addSave(to written: String, overwrites: Bool, _ range: Range<Int>) {
    guard !written.trimmingBlanks.isEmpty, !written.hasSuffix("/"), !written.utf8.contains(0) else {
      report(.syntax("`\(written)` names no file. Write one, such as `>> ./response.json`."), range)
      return
    }
    let isAbsolute = written.hasPrefix("/") || written.hasPrefix("~")
    settings.saves.append(
      SaveTarget(
        path: evaluator.context.placePath(written), overwrites: overwrites,
        isAbsolute: isAbsolute))
  }
}
