// The texts of a document that are scripts, by what tells them apart, so that only new ones are
// looked at again (SC-72).

import PostKitEvaluate
package import PostKitSyntax

/// What tells a script's text apart from others; the text itself may be long.
package struct ScriptSourceKey: Sendable, Hashable {
  private let count: Int
  private let isExpression: Bool
  private let first: Int
  private let second: Int

  fileprivate init(_ bytes: ArraySlice<UInt8>, isExpression: Bool) {
    (count, self.isExpression) = (bytes.count, isExpression)
    var (one, two) = (Hasher(), Hasher())
    // Two hashes of 64 bits: no two texts of a session share both.
    two.combine(1)
    bytes.withUnsafeBytes { raw in
      one.combine(bytes: raw)
      two.combine(bytes: raw)
    }
    (first, second) = (one.finalize(), two.finalize())
  }
}

/// A script of a document, or an expression between braces.
package struct ScriptSource: Sendable {
  package let key: ScriptSourceKey
  /// Its bytes in the document.
  package let range: Range<Int>
  package let isExpression: Bool
  /// Its text.
  package let bytes: ArraySlice<UInt8>
}

/// The scripts of the last look at a document.
package struct ScriptSources: Sendable {
  private struct Item {
    let key: ScriptSourceKey
    /// Counted from the start of the block.
    let range: Range<Int>
    let isExpression: Bool
  }

  private var trees: BlockTrees?
  /// By the number of the block.
  private var items: [Int: [Item]] = [:]

  /// Nothing was looked at yet.
  package init() {}

  /// The scripts and expressions of a document in order, those in Lua left out.
  package mutating func sources(of document: ParsedDocument) -> [ScriptSource] {
    let now = document.blocks.trees
    var kept: [Int: [Item]] = [:]
    let old = trees ?? now
    let ends = trees?.equalEnds(with: now) ?? (front: 0, back: 0)
    var result: [ScriptSource] = []
    for block in document.blocks.having([.scripts, .expressions]) {
      var known: [Item]?
      if block.index < ends.front {
        known = items[block.index]
      } else if block.index >= now.count - ends.back {
        known = items[block.index - now.count + old.count]
      }
      let found = known ?? ScriptSources.items(block)
      kept[block.index] = found
      let start = block.range.lowerBound
      for item in found {
        let range = item.range.lowerBound + start..<item.range.upperBound + start
        result.append(
          ScriptSource(
            key: item.key, range: range, isExpression: item.isExpression,
            bytes: block.bytes[range]))
      }
    }
    (trees, items) = (now, kept)
    return result
  }

  private static func items(_ block: ParsedBlock) -> [Item] {
    let start = block.range.lowerBound
    func item(_ range: Range<Int>, isExpression: Bool) -> Item {
      Item(
        key: ScriptSourceKey(block.bytes[range], isExpression: isExpression),
        range: range.lowerBound - start..<range.upperBound - start, isExpression: isExpression)
    }
    var result: [Item] = []
    for script in block.scripts {
      if let text = script.text, !block.isLua(script) {
        result.append(item(block.absolute(text), isExpression: false))
      }
    }
    for reference in block.references {
      guard case .script = reference.expression else { continue }
      let inner = block.absolute(reference.inner)
      if ScriptPlace.isExpression(block.bytes[inner]) {
        result.append(item(inner, isExpression: true))
      }
    }
    return result.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension Analysis {
  /// The diagnostic of a mistake in a script; `nil` where the braces name a variable after all.
  package func syntaxDiagnostic(
    _ mistake: ScriptSyntaxMistake, in text: ScriptSource
  ) -> Diagnostic? {
    if text.isExpression {
      let name = String(decoding: text.bytes, as: UTF8.self)
      if scope.lookup(name, at: text.range.lowerBound) != nil { return nil }
    }
    let start = text.range.lowerBound
    var range = start + mistake.range.lowerBound..<start + mistake.range.upperBound
    // What stands nowhere is shown where the script begins.
    if range.isEmpty { range = start..<min(start + 1, text.range.upperBound) }
    return Diagnostic(.scriptSyntax, range, mistake.message)
  }

  /// The remark that no script can run here, at the first of a document.
  package func missingEngine(at text: ScriptSource) -> Diagnostic {
    let line = document.line(at: text.range.lowerBound)
    let start = document.offset(ofLine: line) ?? text.range.lowerBound
    let end = start + document.bytes[start...].prefix { $0 != 10 && $0 != 13 }.count
    return Diagnostic(
      .scriptEngineMissing, start..<end,
      "Scripts need JavaScriptCore, which is not installed. `postkit doctor` says how to install "
        + "it. Requests without scripts are sent as always.")
  }
}
