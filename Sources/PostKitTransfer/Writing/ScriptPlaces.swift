// Where scripts of other tools stand, and what becomes of those that a table translates (IO-19).

/// A script at its place.
struct PlacedScript {
  /// What stands for it.
  enum Content {
    /// The text itself, in the block.
    case text(String)
    /// A file, by its path below the target.
    case file(String)
    /// `??` lines.
    case check(OriginCheck)
    /// A statement of a JetBrains handler.
    case handler(String)
  }

  var phase: OriginScriptPhase
  var content: Content
}

/// Decides which scripts are kept.
struct ScriptPlaces {
  /// Whether a script of the collection is kept, so that statements which set something are, too:
  /// what they set lies elsewhere (design, 5.8).
  let keepsSome: Bool
  /// Whether scripts are the origin's own; Hurl has none, and its lines are put into words of ours.
  private let areScripts: Bool

  /// Looks at all scripts of a collection.
  init(_ collection: OriginCollection) {
    keepsSome = Self.keepsSome(collection.root)
    areScripts = collection.format != .hurl
  }

  private static func keepsSome(_ folder: OriginFolder) -> Bool {
    folder.scripts.contains(where: isKeptAlways)
      || folder.requests.indices.contains {
        folder.requests[$0].scripts.contains(where: isKeptAlways)
      }
      || folder.folders.contains(where: keepsSome)
  }

  private static func isKeptAlways(_ script: OriginScript) -> Bool {
    !isEmpty(script) && statements(of: script) == nil
  }

  /// Whether a script says nothing.
  static func isEmpty(_ script: OriginScript) -> Bool {
    !script.text.utf8.contains { $0 > 32 }
  }

  /// The translation, unless it has a check of a response that is not there yet.
  private static func statements(of script: OriginScript) -> [OriginStatement]? {
    guard let statements = script.translation else { return nil }
    let isLate = script.phase == .beforeRequest && statements.contains {
      if case .check = $0 { true } else { false }
    }
    return isLate ? nil : statements
  }

  /// The statements that stand for a script; `nil` where it is kept.
  func translation(of script: OriginScript) -> [OriginStatement]? {
    guard let statements = Self.statements(of: script) else { return nil }
    let sets = statements.contains { if case .handler = $0 { true } else { false } }
    return sets && keepsSome ? nil : statements
  }

  /// What stands for a translated script; tells it.
  func placed(
    _ statements: [OriginStatement], of script: OriginScript, origin: String,
    _ notes: ImportNotes
  ) -> [PlacedScript] {
    var placed: [PlacedScript] = []
    for statement in statements {
      switch statement {
      case .check(let check):
        placed.append(PlacedScript(phase: script.phase, content: .check(check)))
      case .handler(let text):
        placed.append(
          PlacedScript(phase: script.phase, content: .handler(LineText.oneLine(text))))
      case .dropped(let text):
        notes.tell(
          .scriptTranslated, "`\(LineText.cut(LineText.oneLine(text), to: 80))` is left out: it "
            + "changes nothing that is sent or checked.", at: script.place, origin: origin)
      }
    }
    if areScripts {
      notes.tell(
        .scriptTranslated, "The script is written as lines that other tools run, too.",
        at: script.place, origin: origin)
    }
    return placed
  }

  /// Tells that a script is kept as it is.
  static func tellKept(_ script: OriginScript, origin: String, _ notes: ImportNotes) {
    notes.tell(
      .scriptKept, "The script is kept as it is.", at: script.place, origin: origin)
  }

  /// Whether a script can stand between `{%` and `%}`: no line ends it early or begins a block.
  static func canStandInBlock(_ text: String) -> Bool {
    if text.utf8.contains(13) || text.utf8.contains(0) { return false }
    // There it would name another language.
    if LineText.trimmed(text).hasPrefix("lang=") { return false }
    return text.split(separator: "\n").allSatisfy { line in
      let line = LineText.trimmed(String(line))
      return !line.hasSuffix("%}") && !line.hasPrefix("###")
    }
  }
}
