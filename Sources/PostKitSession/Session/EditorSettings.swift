// The settings that an editor was asked for: what is sent meanwhile waits for them, as they may
// name its environment.

package import PostKitJSON
import PostKitSupport

/// What an editor was asked for, and who waits for it.
struct EditorSettings: Sendable {
  /// What an editor has said.
  struct Values: Sendable {
    /// Its settings under `postkit`.
    var editor: JSONValue
    /// Those that it has for a folder of several.
    var folders: [DocumentURI: JSONValue]
  }

  /// What comes of waiting.
  enum Arrival: Sendable {
    /// Nothing was asked for.
    case nothing
    case values(Values)
    /// The editor takes its time.
    case late
  }

  fileprivate var isAwaited = false
  private var values: Values?
  /// How many answers there were.
  private(set) var answers = 0
  fileprivate var waiting: [First<Void>] = []

  fileprivate mutating func answer(_ values: Values) -> [First<Void>] {
    defer { self = EditorSettings(values: values, answers: answers + 1) }
    return waiting
  }

  fileprivate var arrived: Arrival { values.map(Arrival.values) ?? .nothing }
}

extension SessionState {
  /// How many answers of the editor about its settings there were.
  package var settingsAnswers: Int { self.settings.answers }

  /// Notes that the settings were asked for.
  package func settingsAsked() { update { $0.settings.isAwaited = true } }

  /// Notes what came of that; nobody waits any longer.
  package func settingsAnswered(editor: JSONValue, folders: [DocumentURI: JSONValue]) {
    let values = EditorSettings.Values(editor: editor, folders: folders)
    for waiting in update({ $0.settings.answer(values) }) { waiting.give(()) }
  }

  /// The settings after so many answers; the next one is waited for where there is one to come, but
  /// not for long, and only once.
  func settingsArrival(after answers: Int) async -> EditorSettings.Arrival {
    let end = First<Void>()
    let now: EditorSettings.Arrival? = update { values in
      if values.settings.answers != answers { return values.settings.arrived }
      guard values.settings.isAwaited else { return .nothing }
      values.settings.waiting.append(end)
      return nil
    }
    if let now { return now }
    let timer = Alarm.shared.schedule(
      afterMicroseconds: Int64(Limits.settingsMilliseconds) * 1_000
    ) { end.give(()) }
    await end.value
    Alarm.shared.cancel(timer)
    return update { values in
      if !values.settings.isAwaited { return values.settings.arrived }
      values.settings.isAwaited = false
      return .late
    }
  }
}
