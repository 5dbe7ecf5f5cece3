// The remark that a file was written for another tool, which reads it otherwise.
// Nobody is told of a tool whose reading comes to the same: the two readings are compared.

package import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

/// A preset that a file seems to be written for.
package struct DialectSuggestion: Sendable, Hashable {
  /// The preset.
  package var preset: DialectPreset
  /// The sentence for people.
  package var message: String
}

extension Analysis {
  /// Bytes of the longest file whose two readings are compared while somebody types.
  private static let longestCompared = 128 << 10

  /// The preset that the file seems to be written for, where nobody has chosen one and it would
  /// make a difference.
  package var dialectSuggestion: DialectSuggestion? {
    var known = KnownReadings()
    return dialectSuggestion(&known)
  }

  /// The same with what is known of the last look, and is noted for the next one.
  func dialectSuggestion(_ known: inout KnownReadings) -> DialectSuggestion? {
    guard scope.dialect == Dialect(), document.format == .http,
      document.bytes.count <= Analysis.longestCompared,
      let signature = DialectSignature(self), SyntaxRules.pragma(of: document.bytes) == nil
    else {
      known = KnownReadings()
      return nil
    }
    let comparison = ReadingComparison(self, signature.preset, known)
    let line = comparison.firstDifference(&known)
    guard let line else { return nil }
    let name = signature.preset.toolName
    return DialectSuggestion(
      preset: signature.preset,
      message: "This looks like a file for \(name) (\(signature.evidence)), which reads line "
        + "\(line + 1) differently. Add `# @dialect \(signature.preset.rawValue)` at the top, or "
        + "`# @dialect auto` to keep this reading.")
  }
}

extension DialectPreset {
  /// The tool's name for people.
  package var toolName: String {
    switch self {
    case .auto: "PostKit"
    case .restclient: "REST Client"
    case .jetbrains: "JetBrains"
    case .httpyac: "httpYac"
    case .kulala: "kulala"
    case .restnvim: "rest.nvim"
    case .visualstudio: "Visual Studio"
    }
  }
}

/// What only one tool writes.
private struct DialectSignature {
  var preset: DialectPreset
  /// What was found and where, in words.
  var evidence: String

  /// Looks for what belongs to one tool: in the file, else in the environments around it. Where
  /// several tools are spoken for, none is named.
  init?(_ analysis: Analysis) {
    var found: [DialectPreset: String] = [:]
    for block in analysis.document.blocks {
      DialectSignature.look(at: block) { preset, range, words in
        if found[preset] == nil {
          let line = analysis.document.line(at: block.absolute(range).lowerBound) + 1
          found[preset] = "\(words) on line \(line)"
        }
      }
    }
    if found.isEmpty { found = analysis.scope.environments.toolFiles.mapValues { "`\($0)`" } }
    // Others know the functions of JetBrains, too.
    if found.count > 1 { found[.jetbrains] = nil }
    guard found.count == 1, let (preset, evidence) = found.first else { return nil }
    self.preset = preset
    self.evidence = evidence
  }

  private static func look(
    at block: ParsedBlock, _ note: (DialectPreset, Range<Int>, String) -> Void
  ) {
    for tag in block.syntax.metadata {
      let key = MetadataTag.folded(block.text(tag.key))
      switch tag.kind {
      case .ref, .forceRef: note(.httpyac, tag.line, "`@\(block.text(tag.key))`")
      case .scriptLanguage where block.text(tag.value).lowercased() == "lua":
        note(.restnvim, tag.line, "`@lang=lua`")
      case _ where key.hasPrefix("kulala") || key.hasPrefix("curl") || tag.definedForm != nil:
        note(.kulala, tag.line, "`@\(block.text(tag.key))`")
      default: break
      }
    }
    if let assertion = block.syntax.assertions.first(where: { block.form(of: $0) != nil }) {
      note(.httpyac, assertion.line, "`??`")
    }
    for script in block.syntax.scripts {
      guard let text = script.text.map({ block.slice($0) }) else { continue }
      if text.holds("exports.") { note(.httpyac, script.range, "`exports.`") }
      if text.holds("client.") { note(.jetbrains, script.range, "`client.`") }
    }
  }
}

/// The blocks of a file that another reading takes for the same, so that a letter typed into one of
/// them makes nobody work all of them out twice.
struct KnownReadings: Sendable {
  /// The two readings of the last look; `nil` before one, and where they differ.
  fileprivate var readings: (mine: BlockTrees, other: ParsedDocument, preset: DialectPreset)?
  /// Whether each block comes to the same, whatever the rest of the file says.
  fileprivate var areAlike: [Bool] = []

  /// Nothing is known: at first, and where names or files mean something else than before.
  init() {}

  /// What is known of the blocks of two new readings.
  fileprivate func alike(_ mine: ParsedDocument, _ its: ParsedDocument) -> [Bool] {
    let count = mine.blocks.count
    let unknown = Array(repeating: false, count: count)
    guard let (trees, other, _) = readings, its.blocks.count == count,
      areAlike.count == other.blocks.count, other.names === its.names
    else { return unknown }
    let (front, back) = trees.equalEnds(with: mine.blocks.trees)
    let (otherFront, otherBack) = other.blocks.trees.equalEnds(with: its.blocks.trees)
    let first = min(front, otherFront)
    let last = min(back, otherBack, count - first, areAlike.count - first)
    return areAlike[..<first] + unknown[first..<count - last] + areAlike.suffix(last)
  }
}

/// Two readings of one file.
private struct ReadingComparison {
  let analysis: Analysis
  let preset: DialectPreset
  private let other: ParsedDocument

  init(_ analysis: Analysis, _ preset: DialectPreset, _ known: KnownReadings) {
    self.analysis = analysis
    self.preset = preset
    let last = known.readings.flatMap { $0.preset == preset ? $0.other : nil }
    other = ParsedDocument(
      bytes: analysis.document.bytes, rules: SyntaxRules(preset: preset.rawValue), reusing: last)
  }

  /// The line from which on the readings differ, counted from 0; `nil` where they don't.
  func firstDifference(_ known: inout KnownReadings) -> Int? {
    var areAlike = known.readings?.preset == preset ? known.alike(analysis.document, other) : []
    if areAlike.isEmpty {
      areAlike = Array(repeating: false, count: analysis.document.blocks.count)
    }
    known = KnownReadings()
    if let line = firstDifference(&areAlike) { return line }
    known.readings = (analysis.document.blocks.trees, other, preset)
    known.areAlike = areAlike
    return nil
  }

  private func firstDifference(_ areAlike: inout [Bool]) -> Int? {
    let document = analysis.document
    let pairs = zip(document.blocks, other.blocks)
    let unlike = pairs.first { mine, its in mine.range != its.range || !mine.isCut(like: its) }
    if let (mine, its) = unlike {
      return document.line(at: mine.range.lowerBound + mine.commonBytes(with: its))
    }
    let theirs = analysis.scope.read(as: other, Dialect(preset))
    let readsFiles = [analysis.scope, theirs].contains { scope in
      scope.files.files.contains { !$0.document.names.definedByFile.isEmpty }
    }
    for (mine, its) in pairs where mine.isRequest && !areAlike[mine.index] {
      // Who waits no longer gets no answer, and nothing is noted of the rest.
      if analysis.isAbandoned() { break }
      areAlike[mine.index] = !readsFiles && !mine.dependsOnFiles && !its.dependsOnFiles
      let left = lowered(mine, analysis.scope)
      let right = lowered(its, theirs)
      // What can't be sent at all, for want of an environment, tells nothing.
      guard let left, let right, left != right else { continue }
      let common = mine.commonBytes(with: its)
      let start = common < mine.range.count ? common : mine.leadingLine.lowerBound
      return document.line(at: mine.range.lowerBound + start)
    }
    return nil
  }

  /// What a block becomes in a world in which chance and clock stand still.
  private func lowered(_ block: ParsedBlock, _ scope: Scope) -> RequestSpec? {
    var context = analysis.context
    context.now = { 1_577_836_800_000 }
    context.random = { 0 }
    let evaluator = Evaluator(context: context, scope: scope)
    let lowered = Lowering.lower(block, evaluator: evaluator, defaults: analysis.defaults)
    guard var spec = lowered.spec else { return nil }
    spec.options = lowered.settings.options
    // Whether a POST is sent again shows only where a server redirects it.
    spec.options.keepsMethod = false
    return spec
  }
}

extension ParsedBlock {
  /// Whether the lines of two readings of a block are the same things.
  fileprivate func isCut(like other: ParsedBlock) -> Bool {
    syntax.kind == other.syntax.kind && syntax.variables == other.syntax.variables
      && syntax.assertions == other.syntax.assertions && syntax.scripts == other.syntax.scripts
      && syntax.request?.body?.range == other.syntax.request?.body?.range
  }

  /// How many bytes two readings of a block take for the same.
  fileprivate func commonBytes(with other: ParsedBlock) -> Int {
    zip(syntax.tokens, other.syntax.tokens).prefix { $0 == $1 }.reduce(0) { $0 + Int($1.0.length) }
  }
}
