// The knobs by which a project chooses single readings, in `postkit.json`.

package import PostKitJSON

/// A question on which tools differ, as settings write it.
package struct DialectKnob: Sendable {
  /// The key in `postkit.json`.
  package let name: String
  /// What can be answered, as JSON or as a word.
  package let answers: [String]
  private let set: @Sendable (inout Dialect, Int) -> Void
  private let get: @Sendable (Dialect) -> Int?

  private init<Answer: Sendable & Equatable>(
    _ name: String, _ place: any WritableKeyPath<Dialect, Answer> & Sendable,
    _ answers: KeyValuePairs<String, Answer>
  ) {
    self.name = name
    self.answers = answers.map(\.key)
    let values = answers.map(\.value)
    set = { dialect, index in dialect[keyPath: place] = values[index] }
    get = { dialect in values.firstIndex(of: dialect[keyPath: place]) }
  }

  /// The answer that a dialect gives.
  package func answer(in dialect: Dialect) -> String { get(dialect).map { answers[$0] } ?? "" }

  /// Whether a value is one of the answers.
  package func accepts(_ value: JSONValue) -> Bool { answers.contains(value.substitutionText) }

  /// All of them.
  package static let all: [DialectKnob] = [
    DialectKnob(
      "redefinition", \.redefinition,
      [
        "nearest": .nearestAbove, "last": .lastInFile, "top-down": .topDown,
        "top-down-fixed": .topDownFixed,
      ]),
    DialectKnob(
      "precedence", \.precedence, ["file-first": .fileFirst, "env-first": .environmentFirst]),
    DialectKnob(
      "envSearch", \.environmentSearch,
      ["merge": .merge, "nearest": .nearest, "dotenv": .dotEnvOnly]),
    DialectKnob("envPrivateWins", \.privateEnvironmentWins, ["true": true, "false": false]),
    DialectKnob("processEnvironment", \.readsProcessEnvironment, ["true": true, "false": false]),
    DialectKnob(
      "unresolved", \.unresolvedInBody,
      ["literal": .literal, "error": .error, "empty": .empty]),
    DialectKnob(
      "fileVarEscapes", \.escapes,
      ["minimal": .minimal, "restclient": .restClient, "none": .none]),
    DialectKnob(
      "fileBody", \.fileBody,
      [
        "raw-plain": .rawPlain, "substitute-plain": .substitutePlain,
        "substitute-structured": .substituteStructured,
      ]),
    DialectKnob("bodyComments", \.bodyComments, ["auto": .byType, "strip": .strip, "keep": .keep]),
    DialectKnob(
      "bodyLineEnding", \.bodyLineEnding,
      [
        "lf": .lineFeed, "crlf": .carriageReturnLineFeed, "file": .asWritten,
        "as-written": .asWritten,
      ]),
    DialectKnob(
      "formEncoding", \.formEncoding,
      ["automatic": .automatic, "always": .always, "never": .never]),
    DialectKnob(
      "bareTimeout", \.bareTimeout, ["auto": .bySize, "s": .seconds, "ms": .milliseconds]),
    DialectKnob(
      "dateFormat", \.dateStyle,
      ["heuristic": .heuristic, "dayjs": .dayJS, "dotnet": .dotNet]),
    DialectKnob("timestamp", \.timestampInMilliseconds, ["s": false, "ms": true]),
    DialectKnob("originFormScheme", \.originFormIsHTTPS, ["port": false, "https": true]),
    DialectKnob("followRedirects", \.followsRedirects, ["true": true, "false": false]),
    DialectKnob("redirectMethod", \.keepsMethod, ["browser": false, "keep": true]),
    DialectKnob("inferContentType", \.infersContentType, ["none": false, "json": true]),
    DialectKnob("pathBase", \.pathBase, ["file": .file, "root": .root, "file-only": .fileAlone]),
    DialectKnob("cookies", \.usesCookieJar, ["true": true, "false": false]),
    DialectKnob("cookieHeaderFeedsJar", \.cookieHeaderFeedsJar, ["true": true, "false": false]),
    DialectKnob("testsRun", \.runsTestsLast, ["now": false, "afterScript": true]),
    DialectKnob("persistGlobals", \.persistsGlobals, ["true": true, "false": false]),
    DialectKnob("autoRun", \.neededRequests, ["ask": .ask, "missing": .missing, "never": .never]),
  ]

  /// The knobs that an object of settings turns.
  package static func read(_ settings: JSONValue) -> [JSONMember] {
    all.compactMap { knob in
      settings[knob.name].flatMap { knob.accepts($0) ? JSONMember(knob.name, $0) : nil }
    }
  }

  /// Turns the knob, where the value is an answer.
  func turn(_ dialect: inout Dialect, to value: JSONValue) {
    if let index = answers.firstIndex(of: value.substitutionText) { set(&dialect, index) }
  }
}

extension Dialect {
  /// The reading of a preset, changed where a project's knobs say so.
  package init(_ preset: DialectPreset, knobs: [JSONMember]) {
    self.init(preset)
    // Most projects turn none, and a run of one request would notice the making of them all.
    if knobs.isEmpty { return }
    for knob in DialectKnob.all {
      guard let member = knobs.last(where: { $0.key == knob.name }) else { continue }
      knob.turn(&self, to: member.value)
    }
  }
}
