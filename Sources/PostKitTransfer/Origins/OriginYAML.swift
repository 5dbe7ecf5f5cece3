// Sources in YAML, and in JSON, which is YAML as well.

import PostKitJSON
import PostKitYAML

/// Reads YAML of other tools as the JSON that it stands for.
enum OriginYAML {
  /// The tree of a text; what was read in another way than it is written is told. The failure says
  /// in which line the text is no YAML.
  static func tree(
    _ bytes: [UInt8], name: String, _ notes: ImportNotes
  ) throws(OriginFailure) -> JSONTree { try text(bytes, name: name, notes).tree }

  /// The text with the places of its values.
  static func text(
    _ bytes: [UInt8], name: String, _ notes: ImportNotes
  ) throws(OriginFailure) -> YAMLText {
    let text: YAMLText
    do throws(YAMLSyntaxError) { text = try YAMLText(parsing: bytes) } catch {
      throw OriginFailure(
        "\(name) can't be read at \(error.place): \(error.explanation). Correct it or export it "
          + "once more.")
    }
    notes.tellsDuplicates = false
    for note in text.notes {
      notes.tell(
        .yamlValue, note.message, at: OriginPlace(file: name, line: note.place.line + 1))
    }
    if text.uncountedNotes > 0 {
      notes.tell(
        .limit, "\(text.uncountedNotes) more values of \(name) were read in another way.",
        at: OriginPlace(file: name))
    }
    return text
  }

  /// A value as YAML text.
  static func bytes(_ value: JSONValue) -> [UInt8] { YAMLWriter.text(value) }
}

extension OriginSource {
  /// The JSON that its YAML or JSON stands for.
  func yaml(_ notes: ImportNotes) throws(OriginFailure) -> JSONTree {
    try OriginYAML.tree(bytes, name: lastName, notes)
  }
}
