// Requests as a script for k6 (IO-30).

import PostKitHTTP

/// Writes k6 scripts.
struct K6Export {
  private var code: LoadCode

  /// Makes the text of the file called `file`. What can't be said is told.
  static func text(
    of collection: ExportedCollection, file: String, _ notes: ExportNotes
  ) -> String {
    var export = K6Export(code: LoadCode(collection, notes, K6Language()))
    return export.text(file)
  }

  private mutating func text(_ file: String) -> String {
    let settings = code.settingLines()
    let once = code.plan.once.flatMap { function($0) }
    let rounds = code.plan.rounds.flatMap { function($0) }
    let files = fileLines()
    var lines = head(file)
    lines += (["import http from \"k6/http\";"] + importLines()) + [""]
    lines += ["export const options = {"] + optionLines() + ["};", ""]
    for helper in code.helpers.texts { lines += [helper, ""] }
    for group in [settings, files] where !group.isEmpty { lines += group + [""] }
    lines += once + rounds
    lines += mainLines()
    return lines.joined(separator: "\n") + "\n"
  }

  /// The imports, all of one module in one line.
  private func importLines() -> [String] {
    var own: [String] = []
    var others: [String] = []
    for line in code.helpers.imports {
      if line.hasPrefix("import { ") {
        own.append(String(line.dropFirst(9).prefix { $0 != " " }))
      } else {
        others.append(line)
      }
    }
    return (own.isEmpty ? [] : ["import { \(own.joined(separator: ", ")) } from \"k6\";"]) + others
  }

  private func head(_ file: String) -> [String] {
    let secrets = code.plan.settings.filter { $0.variable.value == nil }
      .map { $0.isOfProcess ? $0.variable.name : CodeWords.setting($0.variable.name) }
    let given = secrets.map { " -e \($0)=..." }.joined()
    var lines = [
      code.plan.isWeighted
        ? "A user picks one of the requests at a time, by their weights:"
        : "A user sends the requests below in this order, once a round:",
      "  k6 run\(given) -u 100 -d 60s \(file)",
    ]
    lines += code.collection.omissionLines + code.collection.disabledLines + code.notes.lines
    return lines.map { "// " + ExportNotes.oneLine($0) }
  }

  private func optionLines() -> [String] {
    var lines = ["  thresholds: { checks: [\"rate>0.99\"] },"]
    if code.plan.steps.contains(where: { !$0.request.options.verifiesTLS }) {
      lines.append("  insecureSkipTLSVerify: true,")
    }
    return lines
  }

  // MARK: - The course of a user

  /// k6 gives what `setup` returns to all users; with weights each user begins by itself.
  private func mainLines() -> [String] {
    var lines: [String] = []
    let names = code.plan.once.map { "\($0.word)(kept);" }
    if !names.isEmpty, !code.plan.isWeighted {
      lines += ["// Later requests read these, so they are sent once for all users."]
      lines += ["export function setup() {", "  const kept = {};"]
      lines += names.map { "  " + $0 } + ["  return kept;", "}", ""]
    }
    let needsOwn = code.plan.isWeighted
    if needsOwn { lines += ["let kept;", ""] }
    lines.append("export default function (\(needsOwn ? "" : "data")) {")
    if needsOwn {
      lines += ["  if (kept === undefined) {", "    kept = {};"]
      lines += names.map { "    " + $0 } + ["  }"]
    } else {
      lines.append("  const kept = { ...data };")
    }
    if code.plan.isWeighted {
      let total = code.plan.rounds.reduce(0) { $0 + ($1.request.weight ?? 1) }
      lines.append("  let pick = Math.random() * \(total);")
      for step in code.plan.rounds {
        lines.append("  if ((pick -= \(step.request.weight ?? 1)) < 0) return \(step.word)(kept);")
      }
    } else {
      lines += code.plan.rounds.map { "  \($0.word)(kept);" }
    }
    return lines + ["}"]
  }

  // MARK: - Requests

  private mutating func function(_ step: LoadPlan.Step) -> [String] {
    let request = step.request
    code.notes.begin(request)
    code.notes.tellCommon(of: request, program: code.language.program)
    let body = statements(step)
    var lines = code.notes.remarks(of: request).map { "// \($0)" }
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
      code.helpers.take("import { sleep } from \"k6\";")
      lines.append("sleep(\(request.delayMilliseconds.inSeconds));")
    }
    let words = [
      code.expression(request.method, .plain, in: request),
      code.expression(request.url, .url, in: request), body(request) ?? "null",
    ]
    lines.append("const response = http.request(\(words.joined(separator: ", ")), {")
    let pairs = code.headers(of: request).map { name, value, isLiteral in
      "\(isLiteral ? name : "[\(name)]"): \(value)"
    }
    if pairs.count == 1 { lines.append("  headers: { \(pairs[0]) },") }
    if pairs.count > 1 { lines += ["  headers: {"] + pairs.map { "    \($0)," } + ["  },"] }
    lines.append("  tags: { name: \(code.short(request.title)) },")
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
      code.helpers.use("decoded")
      lines.append("const value = decoded(response.body);")
    }
    let checks = code.conditions(of: step.request)
    if checks.isEmpty { return lines }
    code.helpers.take("import { check } from \"k6\";")
    lines.append("check(response, {")
    for (check, condition) in checks {
      let name = code.short("\(step.request.title): \(check.title)")
      lines.append("  \(name): () => \(condition),")
    }
    return lines + ["});"]
  }

  /// The files that requests send are opened when the script starts.
  private func fileLines() -> [String] {
    code.plan.files.map { "const \($0.constant) = open(\(code.short($0.path)), \"b\");" }
  }

  private mutating func body(_ request: ExportedRequest) -> String? {
    var hasBytes = false
    let parts = code.pieces(ofBodyOf: request).map { piece in
      switch piece {
      case .file(let path):
        hasBytes = true
        return code.plan.constant(ofFile: path) ?? "null"
      case .literal(let literal) where literal.keepsBytes:
        hasBytes = true
        return "new Uint8Array([\(literal.keptBytes.map(String.init).joined(separator: ","))])"
      case .literal(let literal): return code.short(literal)
      case .value(let value): return value
      }
    }
    if parts.isEmpty { return nil }
    if hasBytes {
      code.helpers.use("bytes")
      return "bytes(\(parts.joined(separator: ", ")))"
    }
    return parts.count == 1 ? parts[0] : "[\(parts.joined(separator: ", "))].join(\"\")"
  }
}
