// What `postkit.json` and `config.json` may say, and what is wrong with one that says something
// else (CONTRACTS.md, section 3).

package import PostKitJSON
import PostKitText

/// Something in a file of settings that has no effect.
package struct SettingsMistake: Sendable, Hashable {
  /// The bytes of the file that it is about.
  package var range: Range<Int>
  /// Where it begins: line and column counted from 1, the column in bytes.
  package var position: SourcePosition
  /// What is wrong and what to do.
  package var sentence: String
}

/// The files of settings.
package enum SettingsForm: Sendable, Hashable {
  /// `postkit.json`, which turns the knobs of the dialect, too.
  case project
  /// `config.json`, what a user wants everywhere.
  case user

  /// The file's name.
  package var fileName: String { self == .project ? "postkit.json" : "config.json" }

  /// Reads a file: its value where it can be used, and what in it has no effect.
  package func read(_ bytes: [UInt8]) -> (value: JSONValue?, mistakes: [SettingsMistake]) {
    let lines = LineIndex(bytes)
    func mistake(_ range: Range<Int>, _ sentence: String) -> SettingsMistake {
      let line = lines.line(at: range.lowerBound)
      let column = range.lowerBound - lines.range(ofLine: line).lowerBound + 1
      return SettingsMistake(
        range: range, position: SourcePosition(line: line + 1, column: column),
        sentence: sentence)
    }
    let root: JSONView
    do throws(JSONSyntaxError) {
      root = try JSONTree(parsing: bytes, options: JSONParsingOptions(allowsComments: true)).root
    } catch {
      let sentence = "\(fileName) is ignored: \(error.explanation). Correct the JSON here."
      return (nil, [mistake(error.offset..<error.offset, sentence)])
    }
    guard root.kind == .object else {
      let sentence =
        "\(fileName) is ignored: it is not a JSON object. Write the settings between `{`"
      return (nil, [mistake(root.range, sentence + " and `}`.")])
    }
    var mistakes: [SettingsMistake] = []
    for (key, view) in root.members {
      let name = key.string ?? ""
      guard SettingsForm.groups.contains(name), view.kind == .object else {
        if let sentence = sentence(name, view) {
          mistakes.append(mistake(key.range.lowerBound..<view.range.upperBound, sentence))
        }
        continue
      }
      for (inner, view) in view.members {
        if let sentence = sentence("\(name).\(inner.string ?? "")", view) {
          mistakes.append(mistake(inner.range.lowerBound..<view.range.upperBound, sentence))
        }
      }
    }
    return (root.value, mistakes)
  }

  /// What is wrong with a setting; `nil` where nothing is.
  private func sentence(_ name: String, _ view: JSONView) -> String? {
    if let knob = DialectKnob.all.first(where: { $0.name == name }) {
      if self == .user {
        return "`\(name)` has no effect here: a project sets it, so its files mean the same to "
          + "everybody. "
          + "Move it to `postkit.json`."
      }
      if knob.accepts(view.value) { return nil }
      return "`\(name)` can't be \(SettingsForm.shown(view)) and has no effect. "
        + "Write one of \(SettingsForm.list(knob.answers))."
    }
    guard let setting = Setting.all.first(where: { $0.name == name }) else { return unknown(name) }
    if self == .project, setting.isOfUser {
      let reason =
        name.hasPrefix("scripts.") ? "no project loosens what guards you"
        : "all projects share one history"
      return "`\(name)` has no effect here: \(reason), so the user sets it. "
        + "Move it to `config.json`."
    }
    if setting.accepts(view.value) { return nil }
    return "`\(name)` can't be \(SettingsForm.shown(view)) and has no effect. "
      + SettingsForm.remedy(setting)
  }

  private func unknown(_ name: String) -> String? {
    if name == "$schema" { return nil }
    let knobs = self == .project ? DialectKnob.all.map(\.name) : []
    let known = Setting.all.map(\.name).sorted() + knobs
    let hint = Suggestion.nearest(to: name, among: known).map { "Did you mean `\($0)`?" }
    return "Unknown setting `\(name)` has no effect. "
      + (hint ?? "Remove it, or comment it out with `//`.")
  }

  /// What to write in place of a value that a setting can't have.
  private static func remedy(_ setting: Setting) -> String {
    switch setting.kind {
    case .text, .file: "Write a text in quotes."
    case .files: #"Write a list of texts, such as `["openapi.yaml"]`."#
    case .flag: "Write `true` or `false`."
    case .milliseconds: "Write a number of milliseconds, such as `30000`."
    case .count: "Write a whole number from 0 to \(Setting.counts.upperBound)."
    case .certificates: #"Write an object, such as `{"api.test": {"cert": "client.pem"}}`."#
    case .choice(let words): "Write one of \(SettingsForm.list(words))."
    }
  }

  /// The settings that can be written as members of one object.
  static let groups: Set<String> = {
    let names = Setting.all.map(\.name)
    let dotted = names.filter { $0.contains(".") }
    return Set(dotted.map { String($0.prefix { $0 != "." }) }).subtracting(names)
  }()

  private static func list(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// A value in a sentence; only short ones are quoted.
  private static func shown(_ view: JSONView) -> String {
    switch view.kind {
    case .object: return "an object"
    case .array: return "a list"
    case .null, .true, .false, .number, .string:
      let text = view.value.text
      return text.utf8.count > 40 ? "a long text" : "`\(text)`"
    }
  }
}
