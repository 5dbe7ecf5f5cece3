// The texts that are scripts of a document, by what tells them apart, so that only new ones are
// looked at again (SC-72).

import PostKitEvaluate
package import PostKitSyntax

/// What tells a script's text apart from others; the text itself may be long.
package struct ScriptSourceKey: Sendable, Hashable {
  private let count: Int
  private let kind: ScriptSource.Kind
  private let first: Int
  private let second: Int

  fileprivate init(_ bytes: ArraySlice<UInt8>, _ kind: ScriptSource.Kind) {
    (count, self.kind) = (bytes.count, kind)
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

/// A script of a document or in a file of its own, or an expression.
package struct ScriptSource: Sendable {
  /// How a text is read.
  package enum Kind: Sendable, Hashable { case script, expression, module }

  package let key: ScriptSourceKey
  /// Its bytes in the document, or in its file.
  package let range: Range<Int>
  package let kind: Kind
  /// Its text.
  package let bytes: ArraySlice<UInt8>
  /// The path of its file; `nil` for what stands in the document.
  package let file: String?

  fileprivate init(_ key: ScriptSourceKey, _ range: Range<Int>, _ kind: Kind, of block: ParsedBlock)
  {
    (self.key, self.range, self.kind) = (key, range, kind)
    bytes = block.bytes[range]
    file = nil
  }

  /// Makes the source of a script in a file of its own.
  package init(file: String, _ bytes: [UInt8], isModule: Bool) {
    self.file = file
    self.bytes = bytes[...]
    range = 0..<bytes.count
    kind = isModule ? .module : .script
    key = ScriptSourceKey(self.bytes, kind)
  }
}

/// The scripts of the last look at a document.
package struct ScriptSources: Sendable {
  private struct Item {
    let key: ScriptSourceKey
    /// Counted from the start of the block.
    let range: Range<Int>
    let kind: ScriptSource.Kind
  }

  /// What was found in a block.
  private struct Found {
    var items: [Item] = []
    var files: [ScriptFileName] = []
  }

  private var trees: BlockTrees?
  /// By the number of the block.
  private var found: [Int: Found] = [:]
  /// The scripts in files of their own that the document names, as of the last look.
  package private(set) var files: [ScriptFileName] = []

  /// Nothing was looked at yet.
  package init() {}

  /// The scripts and expressions of a document in order, those in Lua left out.
  package mutating func sources(of document: ParsedDocument) -> [ScriptSource] {
    let now = document.blocks.trees
    var kept: [Int: Found] = [:]
    let old = trees ?? now
    let ends = trees?.equalEnds(with: now) ?? (front: 0, back: 0)
    var result: [ScriptSource] = []
    files = []
    for block in document.blocks.having([.scripts, .expressions]) {
      var known: Found?
      if block.index < ends.front {
        known = found[block.index]
      } else if block.index >= now.count - ends.back {
        known = found[block.index - now.count + old.count]
      }
      let own = known ?? ScriptSources.look(block)
      kept[block.index] = own
      files += own.files
      let start = block.range.lowerBound
      for item in own.items {
        let range = item.range.lowerBound + start..<item.range.upperBound + start
        result.append(ScriptSource(item.key, range, item.kind, of: block))
      }
    }
    (trees, found) = (now, kept)
    return result
  }

  private static func look(_ block: ParsedBlock) -> Found {
    let start = block.range.lowerBound
    var result = Found(files: block.scriptFiles)
    func add(_ range: Range<Int>, _ kind: ScriptSource.Kind) {
      result.items.append(
        Item(
          key: ScriptSourceKey(block.bytes[range], kind),
          range: range.lowerBound - start..<range.upperBound - start, kind: kind))
    }
    for script in block.scripts {
      guard let text = script.text, !block.isLua(script) else { continue }
      add(block.absolute(text), .script)
      result.files += ScriptTokens(block.bytes[block.absolute(text)]).moduleFiles
    }
    for reference in block.references {
      guard case .script = reference.expression else { continue }
      let inner = block.absolute(reference.inner)
      if ScriptPlace.isExpression(block.bytes[inner]) { add(inner, .expression) }
    }
    for range in block.lineExpressions { add(range, .expression) }
    result.items.sort { $0.range.lowerBound < $1.range.lowerBound }
    return result
  }
}

extension Analysis {
  /// The diagnostic of a mistake in a script; `nil` where the braces name a variable after all.
  package func syntaxDiagnostic(
    _ mistake: ScriptSyntaxMistake, in text: ScriptSource
  ) -> Diagnostic? {
    if text.kind == .expression {
      let name = String(decoding: text.bytes, as: UTF8.self)
      if scope.lookup(name, at: text.range.lowerBound) != nil { return nil }
    }
    return Diagnostic(mistake, in: text)
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

extension Diagnostic {
  /// The mistake of syntax of a script.
  package init(_ mistake: ScriptSyntaxMistake, in text: ScriptSource) {
    let start = text.range.lowerBound
    var range = start + mistake.range.lowerBound..<start + mistake.range.upperBound
    // What stands nowhere is shown where the script begins.
    if range.isEmpty { range = start..<min(start + 1, text.range.upperBound) }
    self.init(.scriptSyntax, range, mistake.message)
  }
}
