// Requests as a script for k6 (IO-30).

import PostKitHTTP
import PostKitSyntax

/// Writes k6 scripts.
struct K6Export {
  private let collection: ExportedCollection
  private let plan: LoadPlan
  private let notes: ExportNotes
  private var helpers = CodeHelpers(K6Helpers.table)

  private static let literal = JavaScriptCode.literal

  /// Makes the text of the file called `file`. What can't be said is told.
  static func text(
    of collection: ExportedCollection, file: String, _ notes: ExportNotes
  ) -> String {
    var export = K6Export(collection, notes)
    return export.text(file)
  }

  private init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    plan = LoadPlan(collection, taken: K6Helpers.taken)
  }

  private mutating func text(_ file: String) -> String {
    let settings = settingLines()
    let once = plan.once.flatMap { function($0) }
    let rounds = plan.rounds.flatMap { function($0) }
    let files = fileLines()
    var lines = head(file)
    lines += (["import http from \"k6/http\";"] + importLines()) + [""]
    lines += ["export const options = {"] + optionLines() + ["};", ""]
    for helper in helpers.texts { lines += [helper, ""] }
    for group in [settings, files] where !group.isEmpty { lines += group + [""] }
    lines += once + rounds
    lines += mainLines()
    return lines.joined(separator: "\n") + "\n"
  }

  /// The imports, all of one module in one line.
  private func importLines() -> [String] {
    var own: [String] = []
    var others: [String] = []
    for line in helpers.imports {
      if line.hasPrefix("import { ") {
        own.append(String(line.dropFirst(9).prefix { $0 != " " }))
      } else {
        others.append(line)
      }
    }
    return (own.isEmpty ? [] : ["import { \(own.joined(separator: ", ")) } from \"k6\";"]) + others
  }

  private func head(_ file: String) -> [String] {
    let secrets = plan.settings.filter { $0.variable.value == nil }
      .map { $0.isOfProcess ? $0.variable.name : CodeWords.setting($0.variable.name) }
    let given = secrets.map { " -e \($0)=..." }.joined()
    var lines = [
      plan.isWeighted
        ? "A user picks one of the requests at a time, by their weights:"
        : "A user sends the requests below in this order, once a round:",
      "  k6 run\(given) -u 100 -d 60s \(file)",
    ]
    lines += collection.omissionLines + collection.disabledLines + notes.lines
    return lines.map { "// " + ExportNotes.oneLine($0) }
  }

  private func optionLines() -> [String] {
    var lines = ["  thresholds: { checks: [\"rate>0.99\"] },"]
    if plan.steps.contains(where: { !$0.request.options.verifiesTLS }) {
      lines.append("  insecureSkipTLSVerify: true,")
    }
    return lines
  }

  private mutating func settingLines() -> [String] {
    plan.settings.map { setting in
      if setting.isOfProcess {
        helpers.use("environment")
        return
          "const \(setting.constant) = environment(\(Self.literal.short(setting.variable.name)));"
      }
      helpers.use("setting")
      var arguments = [Self.literal.short(setting.variable.name)]
      if let value = setting.variable.value {
        arguments.append(expression(value, .plain, in: nil))
      } else if setting.variable.isSecret {
        arguments += ["undefined", "\"its value is a secret and was not exported\""]
      }
      return "const \(setting.constant) = setting(\(arguments.joined(separator: ", ")));"
    }
  }

  // MARK: - The course of a user

  /// k6 gives what `setup` returns to all users; with weights each user begins by itself.
  private func mainLines() -> [String] {
    var lines: [String] = []
    let names = plan.once.map { "\($0.word)(kept);" }
    if !names.isEmpty, !plan.isWeighted {
      lines += ["// Later requests read these, so they are sent once for all users."]
      lines += ["export function setup() {", "  const kept = {};"]
      lines += names.map { "  " + $0 } + ["  return kept;", "}", ""]
    }
    let needsOwn = plan.isWeighted
    if needsOwn { lines += ["let kept;", ""] }
    lines.append("export default function (\(needsOwn ? "" : "data")) {")
    if needsOwn {
      lines += ["  if (kept === undefined) {", "    kept = {};"]
      lines += names.map { "    " + $0 } + ["  }"]
    } else {
      lines.append("  const kept = { ...data };")
    }
    if plan.isWeighted {
      let total = plan.rounds.reduce(0) { $0 + ($1.request.weight ?? 1) }
      lines.append("  let pick = Math.random() * \(total);")
      for step in plan.rounds {
        lines.append("  if ((pick -= \(step.request.weight ?? 1)) < 0) return \(step.word)(kept);")
      }
    } else {
      lines += plan.rounds.map { "  \($0.word)(kept);" }
    }
    return lines + ["}"]
  }

  // MARK: - Requests

  private mutating func function(_ step: LoadPlan.Step) -> [String] {
    let request = step.request
    notes.begin(request)
    notes.tellCommon(of: request, program: "k6")
    let body = statements(step)
    var lines = notes.remarks(of: request).map { "// \($0)" }
    lines.append("function \(step.word)(kept) {")
    var indent = "  "
    if request.loopCount != 1 {
      lines.append("  for (let turn = 0; turn < \(request.loopCount); turn++) {")
      indent += "  "
    }
    lines += body.map { indent + $0 }
    if request.loopCount != 1 { lines.append("  }") }
    return lines + ["}", ""]
  }

  private mutating func statements(_ step: LoadPlan.Step) -> [String] {
    let request = step.request
    var lines: [String] = []
    if request.delayMilliseconds > 0 {
      helpers.take("import { sleep } from \"k6\";")
      lines.append("sleep(\(request.delayMilliseconds.inSeconds));")
    }
    let words = [
      expression(request.method, .plain, in: request), expression(request.url, .url, in: request),
      body(request) ?? "null",
    ]
    lines.append("const response = http.request(\(words.joined(separator: ", ")), {")
    var pairs = request.sentHeaders { _, _ in nil }.map { header in
      let name =
        header.name.literal.map { Self.literal.short($0) }
        ?? "[\(expression(header.name, .plain, in: request))]"
      return "\(name): \(expression(header.value, .plain, in: request))"
    }
    if case .basic(let user, let password) = request.auth {
      helpers.use("basic")
      let words = [user, password].map { expression($0, .plain, in: request) }
      pairs.append("Authorization: basic(\(words.joined(separator: ", ")))")
    }
    if pairs.count == 1 { lines.append("  headers: { \(pairs[0]) },") }
    if pairs.count > 1 { lines += ["  headers: {"] + pairs.map { "    \($0)," } + ["  },"] }
    lines.append("  tags: { name: \(Self.literal.short(request.title)) },")
    if !request.options.followsRedirects { lines.append("  redirects: 0,") }
    if let most = request.options.timeoutMilliseconds { lines.append("  timeout: \(most),") }
    lines.append("});")
    return lines + responseLines(step)
  }

  private mutating func responseLines(_ step: LoadPlan.Step) -> [String] {
    var lines: [String] = []
    if step.keeps.members || step.keeps.body {
      lines.append("kept.\(step.word)_text = response.body;")
    }
    if step.keeps.headers { lines.append("kept.\(step.word)_headers = response.headers;") }
    if step.keeps.status { lines.append("kept.\(step.word)_status = response.status;") }
    if step.request.checks.contains(where: \.readsMember) {
      helpers.use("decoded")
      lines.append("const value = decoded(response.body);")
    }
    let checks = step.request.checks.compactMap { check in
      condition(check, step.request).map { (check, $0) }
    }
    if checks.isEmpty { return lines }
    helpers.take("import { check } from \"k6\";")
    lines.append("check(response, {")
    for (check, condition) in checks {
      let name = Self.literal.short("\(step.request.title): \(check.title)")
      lines.append("  \(name): () => \(condition),")
    }
    return lines + ["});"]
  }

  /// The files that requests send are opened when the script starts.
  private func fileLines() -> [String] {
    filePaths.enumerated().map { index, path in
      "const FILE_\(index + 1) = open(\(Self.literal.short(path)), \"b\");"
    }
  }

  private var filePaths: [String] {
    var paths: [String] = []
    for step in plan.steps {
      for case .file(let path) in step.request.body where !paths.contains(path) {
        paths.append(path)
      }
    }
    return paths
  }

  private mutating func body(_ request: ExportedRequest) -> String? {
    let place: Place = request.mediaType?.isForm == true ? .form : .plain
    var parts: [String] = []
    var hasFile = false
    for chunk in request.body {
      switch chunk {
      case .file(let path):
        hasFile = true
        parts.append("FILE_\((filePaths.firstIndex(of: path) ?? 0) + 1)")
      case .text(let text):
        for piece in text.pieces {
          switch piece {
          case .literal(let literal) where literal.keepsBytes:
            hasFile = true
            let numbers = literal.keptBytes.map(String.init).joined(separator: ",")
            parts.append("new Uint8Array([\(numbers)])")
          case .literal(let literal): parts.append(Self.literal.short(literal))
          case .reference(let reference, let isEncoded):
            parts.append(value(reference, place, isEncoded, in: request))
          }
        }
      }
    }
    if parts.isEmpty { return nil }
    if hasFile {
      helpers.use("bytes")
      return "bytes(\(parts.joined(separator: ", ")))"
    }
    return parts.count == 1 ? parts[0] : "[\(parts.joined(separator: ", "))].join(\"\")"
  }

  // MARK: - Texts

  /// Where a text stands, which decides how values are encoded.
  private enum Place { case plain, url, form }

  private mutating func expression(
    _ text: ExportedText, _ place: Place, in request: ExportedRequest?
  ) -> String {
    let parts = text.pieces.enumerated().map { index, piece in
      switch piece {
      case .literal(let literal): return Self.literal.short(literal.shown)
      case .reference(let reference, let isEncoded):
        // What begins a URL has its scheme and host.
        let place = index == 0 && place == .url ? Place.plain : place
        return value(reference, place, isEncoded, in: request)
      }
    }
    return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
  }

  private mutating func value(
    _ reference: ExportedReference, _ place: Place, _ isEncoded: Bool, in request: ExportedRequest?
  ) -> String {
    let value = value(reference, in: request)
    if isEncoded { return "encodeURIComponent(\(value))" }
    guard place != .plain else { return value }
    helpers.use("legal")
    return "legal(\(value))"
  }

  private mutating func value(
    _ reference: ExportedReference, in request: ExportedRequest?
  ) -> String {
    switch reference {
    case .variable(let name): return plan.constant(of: name) ?? Self.literal.short("{{\(name)}}")
    case .process(let name):
      return plan.constant(ofProcess: name) ?? Self.literal.short("{{$processEnv \(name)}}")
    case .dynamic(let name, let arguments):
      let made = ExportedDynamic(name: name, arguments: arguments)
      if let code = made.k6(&helpers) { return code }
      notes.tellTemplate("{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}", of: request)
      return Self.literal.short("{{$\(name)}}")
    case .unknown(let written):
      notes.tellTemplate(written, of: request)
      return Self.literal.short(written)
    case .response(let index, let part):
      guard let step = plan.step(index), let code = value(part, of: step) else {
        notes.tellTemplate("{{\(collection.requests[index].title).response…}}", of: request)
        return "\"\""
      }
      return code
    }
  }

  private mutating func value(_ part: ExportedPart, of step: LoadPlan.Step) -> String? {
    switch part {
    case .body: return "kept.\(step.word)_text"
    case .status: return "String(kept.\(step.word)_status)"
    case .header(let name):
      helpers.use("header", "needed")
      return "needed(header(kept.\(step.word)_headers, \(Self.literal.short(name))), "
        + "\(Self.literal.short("header " + name)))"
    case .member(let path):
      helpers.use("decoded", "needed")
      guard let selected = select(path, from: "decoded(kept.\(step.word)_text)") else { return nil }
      return "needed(\(selected), \(Self.literal.short(path.text)))"
    case .other: return nil
    }
  }

  private mutating func select(_ path: ExportedPath, from value: String) -> String? {
    guard let steps = path.steps else { return nil }
    if steps.isEmpty { return value }
    helpers.use("member")
    let words = steps.map { step in
      switch step {
      case .name(let name): Self.literal.short(name)
      case .index(let index): String(index)
      }
    }
    return "member(\(value), \(words.joined(separator: ", ")))"
  }

  // MARK: - Checks

  private mutating func condition(
    _ check: ExportedCheck, _ request: ExportedRequest
  ) -> String? {
    guard let subject = subject(of: check) else {
      notes.tell(
        .testUnsupported, "The check `\(check.title)` is left out: k6 can't be asked that.",
        of: request)
      return nil
    }
    return condition(
      subject, check.predicate, expression(check.expected, .plain, in: request))
  }

  private mutating func subject(of check: ExportedCheck) -> String? {
    switch check.subject {
    case .part(.status): return "response.status"
    case .part(.body): return "response.body"
    case .part(.header(let name)):
      helpers.use("header")
      return "header(response.headers, \(Self.literal.short(name)))"
    case .part(.member(let path)): return select(path, from: "value")
    case .duration: return "response.timings.duration"
    case .part(.other), .other: return nil
    }
  }

  private mutating func condition(
    _ subject: String, _ predicate: AssertionForm.Predicate, _ expected: String
  ) -> String {
    switch predicate {
    case .equal, .notEqual: helpers.use("same")
    case .greater, .greaterOrEqual, .less, .lessOrEqual: helpers.use("numbers")
    case .isTrue, .isFalse: helpers.use("truthy")
    case .isNumber: helpers.use("decoded")
    case .startsWith, .endsWith, .matches: helpers.use("text")
    case .contains: helpers.use("contains")
    case .sha256, .sha512, .md5: helpers.use("digest")
    case .isString, .isBoolean, .isArray: break
    }
    return switch predicate {
    case .equal: "same(\(subject), \(expected))"
    case .notEqual: "!same(\(subject), \(expected))"
    case .greater: "number(\(subject)) > number(\(expected))"
    case .greaterOrEqual: "number(\(subject)) >= number(\(expected))"
    case .less: "number(\(subject)) < number(\(expected))"
    case .lessOrEqual: "number(\(subject)) <= number(\(expected))"
    case .startsWith: "text(\(subject)).startsWith(\(expected))"
    case .endsWith: "text(\(subject)).endsWith(\(expected))"
    case .contains: "contains(\(subject), \(expected))"
    case .matches: "new RegExp(\(expected)).test(text(\(subject)))"
    case .isTrue: "truthy(\(subject))"
    case .isFalse: "!truthy(\(subject))"
    case .isNumber: "\(subject) instanceof Digits"
    case .isString: "typeof \(subject) === \"string\""
    case .isBoolean: "typeof \(subject) === \"boolean\""
    case .isArray: "Array.isArray(\(subject))"
    case .sha256: "digest(\"sha256\", \(subject)) === \(expected)"
    case .sha512: "digest(\"sha512\", \(subject)) === \(expected)"
    case .md5: "digest(\"md5\", \(subject)) === \(expected)"
    }
  }
}
