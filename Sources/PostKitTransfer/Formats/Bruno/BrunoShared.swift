// What every reader of a collection of Bruno's or in OpenCollection's form knows.

import PostKitEvaluate

/// What the files of a collection have in common.
struct BrunoShared {
  /// What is told of the import.
  let notes: ImportNotes
  var templates: BrunoTemplates

  /// Starts with what is told; the names that `.env` defines are found later.
  init(notes: ImportNotes) {
    self.notes = notes
    templates = BrunoTemplates(notes: notes)
  }

  /// A typed value: what is no such value stays the text that it is, as Bruno has it.
  func value(
    _ text: String, type: String?, at place: OriginPlace, _ origin: String? = nil
  ) -> OriginValue {
    let text = templates.text(text, at: place, origin)
    return BrunoValue.json(text, type: type).map { .json($0) } ?? .text(text)
  }

  /// A text for people as lines of a comment, under a heading.
  static func comments(_ heading: String, _ text: String) -> [String] {
    [heading] + BruLine.lines(of: text).map(\.text)
  }

  /// The script that sets variables from a response.
  func setting(
    _ variables: [(name: String, expression: String)], at place: OriginPlace
  ) -> OriginScript? {
    guard !variables.isEmpty else { return nil }
    var lines: [String] = []
    var handlers: [OriginStatement]? = []
    for (name, expression) in variables {
      let subject = BrunoSubject(expression)
      lines.append("bru.setVar(\(ScriptLiteral.quoted(name)), \(subject.expression));")
      if let handler = subject.handler {
        handlers?.append(.handler("client.global.set(\(ScriptLiteral.quoted(name)), \(handler));"))
      } else {
        handlers = nil
      }
    }
    return OriginScript(
      phase: .afterResponse, text: lines.joined(separator: "\n"), place: place,
      translation: handlers)
  }

  /// Puts assertions into a request: lines where the language has them, else a script.
  func add(
    _ assertions: [(assertion: BrunoAssertion, isOn: Bool, place: OriginPlace)],
    to request: inout OriginRequest, origin: String
  ) {
    for (assertion, isOn, place) in assertions {
      guard assertion.isKnown else {
        notes.tell(
          .testUnsupported,
          "PostKit has no operator `\(assertion.comparison)`. The assertion becomes a comment.",
          at: place, origin: origin)
        request.comments.append("assert \(assertion.written)")
        continue
      }
      guard isOn else {
        notes.tell(
          .disabledItem, "The assertion is switched off and becomes a comment.", at: place,
          origin: origin)
        request.comments.append("assert ~\(assertion.written)")
        continue
      }
      var assertion = assertion
      assertion.value = templates.text(assertion.value, at: place, origin)
      switch assertion.form {
      case .checks(let checks): request.checks += checks
      case .script(let text):
        request.scripts.append(
          OriginScript(
            phase: .afterResponse, text: text, place: place, translation: [.handler(text)]))
      }
    }
  }

  /// A script of the origin, with what the closed table makes of it; `nil` for one without a
  /// statement.
  func script(
    _ phase: OriginScriptPhase, _ text: String, at place: OriginPlace, origin: String
  ) -> OriginScript? {
    if text.utf8.allSatisfy({ $0 <= 0x20 }) { return nil }
    let text = TemplateText.rewriting(text) { inner in
      inner.hasPrefix("process.env.") ? "{{$processEnv \(inner.dropFirst(12))}}" : nil
    }
    let script = OriginScript(
      phase: phase, text: text, place: place,
      translation: ScriptTranslation.statements(of: text, phase, .bruno))
    if script.translation == nil {
      UnknownScriptAPI.tell(of: script, .bruno, notes: notes, origin: origin)
    }
    return script
  }
}

/// The `.env` of a collection.
enum BrunoDotEnv {
  /// The file, at the root of the folder.
  static let fileName = ".env"

  /// Takes the file along and tells the templates of its names; hidden files may have to be asked
  /// for.
  static func attach(
    _ files: [TransferFile], _ context: OriginContext, to shared: inout BrunoShared
  ) -> [TransferFile] {
    var bytes = files.first { $0.path == fileName }?.bytes
    if bytes == nil, case .bytes(let found) = context.file(fileName) { bytes = found }
    guard let bytes else { return [] }
    shared.templates.dotEnv = Set(
      DotEnv.places(bytes).map { String(decoding: bytes[$0.key], as: UTF8.self) })
    return [TransferFile(path: fileName, bytes: bytes)]
  }
}

/// Where a folder or request stands among the folders.
struct BrunoPosition {
  /// The names of the folders around it.
  var folders: [String] = []
  /// The headers that those folders give, by their names in small letters.
  var headers: Set<String> = []
  /// How the folders say that requests are sent, by their kind (`http`, `graphql`).
  var settings: [String: BrunoSettings] = [:]

  /// What people call something here, such as `Users / Get user`.
  func origin(_ name: String) -> String { (folders + [name]).joined(separator: " / ") }

  /// The position inside of a folder.
  func inside(_ folder: OriginFolder) -> BrunoPosition {
    BrunoPosition(
      folders: folders + [folder.name], headers: headers.union(BrunoHeaders.names(folder.headers)),
      settings: settings)
  }
}
