// Requests as a load test for Locust, with workers on as many machines as one likes (IO-30).

import PostKitHTTP
import PostKitSyntax

/// Writes Locust files.
struct LocustExport {
  private let collection: ExportedCollection
  private let plan: LoadPlan
  private let notes: ExportNotes
  private var helpers = CodeHelpers(LocustHelpers.table)
  private var remarks: [String] = []

  /// The language's words, and those of the classes that the program builds on.
  private static let taken: Set<String> = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "self",
    "client", "user", "parent", "tasks", "on_start", "on_stop", "run", "wait", "wait_time",
    "interrupt", "schedule_task", "execute_task", "execute_next_task", "get_next_task", "weight",
    "MISSING",
  ]

  private static let literal = PythonCode.literal

  /// Makes the text of the file called `file`. What can't be said is told.
  static func text(
    of collection: ExportedCollection, file: String, _ notes: ExportNotes
  ) -> String {
    var export = LocustExport(collection, notes)
    return export.text(file)
  }

  private init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    plan = LoadPlan(collection, taken: Self.taken)
  }

  private mutating func text(_ file: String) -> String {
    var names = CodeWords(taken: ["fasthttpuser", "taskset", "sequentialtaskset"])
    let name = LocustExport.className(names.word(for: collection.name, fallback: "requests"))
    let settings = settingLines()
    let methods =
      plan.once.map { method($0, isTask: false) }
      + plan.rounds.map { method($0, isTask: true) }
    var lines = head(file)
    lines += helpers.imports + ["", "from locust import \(base), constant, task"]
    lines += ["from locust.contrib.fasthttp import FastHttpUser", ""]
    for helper in helpers.texts { lines += ["", helper, ""] }
    if !settings.isEmpty { lines += [""] + settings + [""] }
    lines += ["", "class \(name)(\(base)):"]
    if !plan.once.isEmpty {
      lines += [
        "    def on_start(self):",
        "        # Later requests need these, so each user sends them once.",
      ]
      lines += plan.once.map { "        self.\($0.word)()" } + [""]
    }
    lines.append(methods.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
    lines += ["", "", "class \(name)User(FastHttpUser):"] + userLines(name)
    return lines.joined(separator: "\n") + "\n"
  }

  private var base: String { plan.isWeighted ? "TaskSet" : "SequentialTaskSet" }

  /// `MyShop` of `my_shop`.
  private static func className(_ word: String) -> String {
    word.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private func head(_ file: String) -> [String] {
    let order =
      plan.isWeighted
      ? "A user picks one of the requests at a time, by their weights."
      : "A user sends the requests below in this order, once a round."
    var lines = [
      "\(order) Start one master and any number of workers:",
      "  locust -f \(file) --master --expect-workers 2 -u 100 -r 10 -t 60s --headless "
        + "--exit-code-on-error 1",
      "  locust -f \(file) --worker --master-host HOST",
    ]
    lines += collection.omissionLines + collection.disabledLines + notes.lines
    return lines.map { "# " + ExportNotes.oneLine($0) }
  }

  private mutating func userLines(_ name: String) -> [String] {
    let requests = plan.steps.map(\.request)
    var lines = ["    host = \"http://localhost\"  # every request has its whole URL"]
    lines += ["    wait_time = constant(0)", "    tasks = [\(name)]"]
    let insecure = requests.contains { !$0.options.verifiesTLS }
    lines.append("    insecure = \(insecure ? "True" : "False")")
    if let most = requests.compactMap(\.options.timeoutMilliseconds).max() {
      lines.append("    network_timeout = \(most.inSeconds)")
    }
    if let most = requests.compactMap(\.options.connectTimeoutMilliseconds).max() {
      lines.append("    connection_timeout = \(most.inSeconds)")
    }
    return lines
  }

  private mutating func settingLines() -> [String] {
    plan.settings.map { setting in
      if setting.isOfProcess {
        helpers.use("process")
        return "\(setting.constant) = process(\(Self.literal.short(setting.variable.name)))"
      }
      helpers.use("setting")
      var arguments = [Self.literal.short(setting.variable.name)]
      if let value = setting.variable.value {
        arguments.append(expression(value, .plain, in: nil))
      } else if setting.variable.isSecret {
        arguments.append("reason=\"its value is a secret and was not exported\"")
      }
      return "\(setting.constant) = setting(\(arguments.joined(separator: ", ")))"
    }
  }

  // MARK: - Requests

  private mutating func method(_ step: LoadPlan.Step, isTask: Bool) -> [String] {
    let request = step.request
    notes.begin(request)
    notes.tellCommon(of: request, program: "Locust")
    var lines: [String] = []
    if isTask { lines.append(request.weight.map { "    @task(\($0))" } ?? "    @task") }
    lines.append("    def \(step.word)(self):")
    let body = statements(step)
    lines += notes.remarks(of: request).map { "        # \($0)" }
    var indent = "        "
    if request.loopCount != 1 {
      lines.append("        for _ in range(\(request.loopCount)):")
      indent += "    "
    }
    return lines + body.map { $0.isEmpty ? $0 : indent + $0 }
  }

  private mutating func statements(_ step: LoadPlan.Step) -> [String] {
    let request = step.request
    var lines: [String] = []
    if request.delayMilliseconds > 0 {
      helpers.take("import time")
      lines.append("time.sleep(\(request.delayMilliseconds.inSeconds))")
    }
    let timed = request.checks.contains { $0.subject == .duration }
    if timed {
      helpers.take("import time")
      lines.append("started = time.perf_counter()")
    }
    lines += ["with self.client.request("]
    var arguments = [
      expression(request.method, .plain, in: request) + ", "
        + expression(request.url, .url, in: request),
      "name=\(Self.literal.short(request.title))",
    ]
    let headers = request.sentHeaders { _, _ in nil }
    var pairs = headers.map { header in
      (expression(header.name, .plain, in: request), expression(header.value, .plain, in: request))
    }
    if case .basic(let user, let password) = request.auth {
      helpers.use("basic")
      let words = [user, password].map { expression($0, .plain, in: request) }
      pairs.append(("\"Authorization\"", "basic(\(words.joined(separator: ", ")))"))
    }
    if !pairs.isEmpty {
      let words = pairs.map { "\($0.0): \($0.1)" }
      arguments.append(
        words.count == 1
          ? "headers={\(words[0])}"
          : "headers={\n" + words.map { "                    \($0),\n" }.joined()
            + "                }")
    }
    if let body = body(request) { arguments.append("data=\(body)") }
    if !request.options.followsRedirects { arguments.append("allow_redirects=False") }
    arguments.append("catch_response=True")
    lines += arguments.map { "    \($0)," } + [") as response:"]
    lines += responseLines(step, timed: timed).map { "    " + $0 }
    return lines
  }

  private mutating func responseLines(_ step: LoadPlan.Step, timed: Bool) -> [String] {
    var lines: [String] = []
    if timed { lines.append("milliseconds = (time.perf_counter() - started) * 1000") }
    let readsMembers = step.request.checks.contains { $0.readsMember }
    if step.keeps.members || readsMembers {
      helpers.use("decoded")
      lines.append("value = decoded(response.text)")
    }
    if step.keeps.members { lines.append("self.\(step.word)_value = value") }
    if step.keeps.body { lines.append("self.\(step.word)_text = response.text or \"\"") }
    if step.keeps.headers { lines.append("self.\(step.word)_headers = response.headers or {}") }
    if step.keeps.status { lines.append("self.\(step.word)_status = response.status_code") }
    let checks = step.request.checks.compactMap { check in
      condition(check, step.request).map { (check, $0) }
    }
    if checks.isEmpty { return lines.isEmpty ? ["pass"] : lines }
    helpers.use("judge")
    lines.append("judge(response, [")
    for (check, condition) in checks {
      lines.append("    (\(Self.literal.short(check.title)), \(condition)),")
    }
    let decides = checks.contains { $0.0.subject == .part(.status) }
    return lines + ["], decides=\(decides ? "True" : "False"))"]
  }

  private mutating func body(_ request: ExportedRequest) -> String? {
    let place: Place = request.mediaType?.isForm == true ? .form : .plain
    var parts: [String] = []
    for chunk in request.body {
      switch chunk {
      case .file(let path):
        helpers.use("content")
        parts.append("content(\(Self.literal.short(path)))")
      case .text(let text):
        for piece in text.pieces {
          switch piece {
          case .literal(let literal): parts.append(PythonCode.data(literal.keptBytes))
          case .reference(let reference, let isEncoded):
            parts.append(value(reference, place, isEncoded, in: request) + ".encode()")
          }
        }
      }
    }
    if parts.isEmpty { return nil }
    return parts.count == 1 ? parts[0] : "b\"\".join([\(parts.joined(separator: ", "))])"
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
    if isEncoded {
      helpers.use("component")
      return "component(\(value))"
    }
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
      if let code = made.python(&helpers) { return code }
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
    case .body: return "self.\(step.word)_text"
    case .status: return "str(self.\(step.word)_status)"
    case .header(let name):
      helpers.use("needed")
      return "needed(self.\(step.word)_headers.get(\(Self.literal.short(name)), MISSING), "
        + "\(Self.literal.short("header " + name)))"
    case .member(let path):
      guard let selected = select(path, from: "self.\(step.word)_value") else { return nil }
      helpers.use("needed")
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
        .testUnsupported, "The check `\(check.title)` is left out: Locust can't be asked that.",
        of: request)
      return nil
    }
    let expected = expression(check.expected, .plain, in: request)
    return condition(subject, check.predicate, expected)
  }

  private mutating func subject(of check: ExportedCheck) -> String? {
    switch check.subject {
    case .part(.status): return "response.status_code"
    case .part(.body): return "response.text or \"\""
    case .part(.header(let name)):
      helpers.use("MISSING")
      return "(response.headers or {}).get(\(Self.literal.short(name)), MISSING)"
    case .part(.member(let path)): return select(path, from: "value")
    case .duration: return check.predicate.comparesNumbers ? "round(milliseconds)" : nil
    case .part(.other), .other: return nil
    }
  }

  private mutating func condition(
    _ subject: String, _ predicate: AssertionForm.Predicate, _ expected: String
  ) -> String {
    func compared(_ name: String) -> String {
      "compared(\(subject), operator.\(name), \(expected))"
    }
    switch predicate {
    case .equal, .notEqual: helpers.use("same")
    case .greater, .greaterOrEqual, .less, .lessOrEqual: helpers.use("compared")
    case .isTrue, .isFalse: helpers.use("truthy")
    case .isNumber: helpers.use("is_number")
    case .startsWith, .endsWith: helpers.use("text")
    case .matches:
      helpers.use("text")
      helpers.take("import re")
    case .contains: helpers.use("contains")
    case .sha256, .sha512, .md5: helpers.use("digest")
    case .isString, .isBoolean, .isArray: break
    }
    return switch predicate {
    case .equal: "same(\(subject), \(expected))"
    case .notEqual: "not same(\(subject), \(expected))"
    case .greater: compared("gt")
    case .greaterOrEqual: compared("ge")
    case .less: compared("lt")
    case .lessOrEqual: compared("le")
    case .startsWith: "text(\(subject)).startswith(\(expected))"
    case .endsWith: "text(\(subject)).endswith(\(expected))"
    case .contains: "contains(\(subject), \(expected))"
    case .matches: "re.search(\(expected), text(\(subject))) is not None"
    case .isTrue: "truthy(\(subject))"
    case .isFalse: "not truthy(\(subject))"
    case .isNumber: "is_number(\(subject))"
    case .isString: "isinstance(\(subject), str)"
    case .isBoolean: "isinstance(\(subject), bool)"
    case .isArray: "isinstance(\(subject), list)"
    case .sha256: "digest(\"sha256\", \(subject)) == \(expected)"
    case .sha512: "digest(\"sha512\", \(subject)) == \(expected)"
    case .md5: "digest(\"md5\", \(subject)) == \(expected)"
    }
  }
}

extension ExportedCheck {
  /// Whether it is about a value in the body.
  var readsMember: Bool { if case .part(.member) = subject { true } else { false } }
}

extension AssertionForm.Predicate {
  /// Whether it compares numbers.
  var comparesNumbers: Bool {
    switch self {
    case .greater, .greaterOrEqual, .less, .lessOrEqual: true
    default: false
    }
  }
}
