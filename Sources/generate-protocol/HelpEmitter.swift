// Writes the parts of the helps of Vim and Neovim that the tables have: settings, plain commands.

import PostKitJSON

/// A help page, of which some lines are written anew.
struct HelpEmitter {
  private var lines: [String]

  init(_ page: String) {
    lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The page.
  var text: String { lines.joined(separator: "\n") }

  /// Writes the list of settings anew: from the first tag of one to the end of its section.
  mutating func set(_ settings: [SettingEntry]) throws(ModelFailure) {
    let shown = settings.filter { $0.holder != .project }.flatMap(HelpEmitter.setting)
    guard let start = lines.firstIndex(where: { $0.contains("*postkit-setting-") }),
      let end = lines[start...].firstIndex(where: { $0.hasPrefix("====") })
    else { throw ModelFailure("there is no list of settings in a help page") }
    lines.replaceSubrange(start..<end, with: shown + [""])
  }

  /// Writes the entry of a word of `:PostKit` anew; a new one comes last in its section.
  mutating func set(verb: String, _ sentence: String) throws(ModelFailure) {
    let tag = "*:PostKit-\(verb)*"
    var entry = HelpEmitter.paragraph(":PostKit \(verb)", sentence, column: 32)
    entry.insert(String(repeating: "\t", count: 6) + tag, at: 0)
    if let start = lines.firstIndex(where: { $0.contains(tag) }) {
      let rest = lines[(start + 1)...]
      let end = rest.firstIndex { $0.isEmpty || $0.contains("*:PostKit-") } ?? lines.endIndex
      lines.replaceSubrange(start..<end, with: entry)
      return
    }
    guard let section = lines.firstIndex(where: { $0.hasSuffix("\t*postkit-commands*") }),
      let end = lines[section...].firstIndex(where: { $0.hasPrefix("====") })
    else { throw ModelFailure("there is no section of commands in a help page") }
    lines.insert(contentsOf: entry, at: end - 1)
  }

  private static func setting(_ entry: SettingEntry) -> [String] {
    let tag = "*postkit-setting-\(entry.key)*"
    var sentence = entry.summary.split(separator: "**").joined()
    if entry.kind == .choice {
      let words = entry.values.map { "`\($0.value.text)`" }
      sentence += " One of \(words.joined(separator: ", "))."
    }
    if let usual = entry.usual { sentence += " Default \(usual.text)." }
    let tabs = min(6, (78 - tag.count) / 8)
    return [String(repeating: "\t", count: tabs) + tag]
      + paragraph("\t" + entry.key, sentence + entry.effect, column: 24)
  }

  /// A name, and a text in the columns from `column` to 78.
  private static func paragraph(_ name: String, _ text: String, column: Int) -> [String] {
    let indent = String(repeating: "\t", count: column / 8)
    // A tab of the name takes eight columns.
    let width = name.reduce(0) { $0 + ($1 == "\t" ? 8 : 1) }
    let lines = Emitter.filled(text.split(separator: " "), width: 78 - column)
    var result = lines.map { indent + $0 }
    if width + 1 < column {
      let tabs = (column - width + 7) / 8
      result[0] = name + String(repeating: "\t", count: tabs) + lines[0]
    } else {
      result.insert(name, at: 0)
    }
    return result
  }
}
