// Requests as a load test for Locust, with workers on as many machines as one likes (IO-30).

import PostKitHTTP

/// Writes Locust files.
struct LocustExport {
  private var code: LoadCode

  /// Makes the text of the file called `file`. What can't be said is told.
  static func text(
    of collection: ExportedCollection, file: String, _ notes: ExportNotes
  ) -> String {
    var export = LocustExport(code: LoadCode(collection, notes, LocustLanguage()))
    return export.text(file)
  }

  private mutating func text(_ file: String) -> String {
    var names = CodeWords(taken: ["fasthttpuser", "taskset", "sequentialtaskset"])
    let name = LocustExport.className(names.word(for: code.collection.name, fallback: "requests"))
    let settings = code.settingLines()
    let methods =
      code.plan.once.map { method($0, isTask: false) }
      + code.plan.rounds.map { method($0, isTask: true) }
    var lines = head(file)
    lines += code.helpers.imports + ["", "from locust import \(base), constant, task"]
    lines += ["from locust.contrib.fasthttp import FastHttpUser", ""]
    for helper in code.helpers.texts { lines += ["", helper, ""] }
    if !settings.isEmpty { lines += [""] + settings + [""] }
    lines += ["", "class \(name)(\(base)):"]
    if !code.plan.once.isEmpty {
      lines += [
        "    def on_start(self):",
        "        # Later requests need these, so each user sends them once.",
      ]
      lines += code.plan.once.map { "        self.\($0.word)()" } + [""]
    }
    lines.append(methods.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
    lines += ["", "", "class \(name)User(FastHttpUser):"] + userLines(name)
    return lines.joined(separator: "\n") + "\n"
  }

  private var base: String { code.plan.isWeighted ? "TaskSet" : "SequentialTaskSet" }

  /// `MyShop` of `my_shop`.
  private static func className(_ word: String) -> String {
    word.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private func head(_ file: String) -> [String] {
    let order =
      code.plan.isWeighted
      ? "A user picks one of the requests at a time, by their weights."
      : "A user sends the requests below in this order, once a round."
    var lines = [
      "\(order) Start one master and any number of workers:",
      "  locust -f \(file) --master --expect-workers 2 -u 100 -r 10 -t 60s --headless "
        + "--exit-code-on-error 1",
      "  locust -f \(file) --worker --master-host HOST",
    ]
    lines += code.collection.omissionLines + code.collection.disabledLines + code.notes.lines
    return lines.map { "# " + ExportNotes.oneLine($0) }
  }

  private mutating func userLines(_ name: String) -> [String] {
    let requests = code.plan.steps.map(\.request)
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

  // MARK: - Requests

  private mutating func method(_ step: LoadPlan.Step, isTask: Bool) -> [String] {
    let request = step.request
    code.notes.begin(request)
    code.notes.tellCommon(of: request, program: code.language.program)
    var lines: [String] = []
    if isTask { lines.append(request.weight.map { "    @task(\($0))" } ?? "    @task") }
    lines.append("    def \(step.word)(self):")
    let body = statements(step)
    lines += code.notes.remarks(of: request).map { "        # \($0)" }
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
      code.helpers.take("import time")
      lines.append("time.sleep(\(request.delayMilliseconds.inSeconds))")
    }
    let timed = request.checks.contains { $0.subject == .duration }
    if timed {
      code.helpers.take("import time")
      lines.append("started = time.perf_counter()")
    }
    lines += ["with self.client.request("]
    var arguments = [
      code.expression(request.method, .plain, in: request) + ", "
        + code.expression(request.url, .url, in: request),
      "name=\(code.short(request.title))",
    ]
    let pairs = code.headers(of: request)
    if !pairs.isEmpty {
      let words = pairs.map { "\($0.name): \($0.value)" }
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
      code.helpers.use("decoded")
      lines.append("value = decoded(response.text)")
    }
    if step.keeps.members { lines.append("self.\(step.word)_value = value") }
    if step.keeps.body { lines.append("self.\(step.word)_text = response.text or \"\"") }
    if step.keeps.headers { lines.append("self.\(step.word)_headers = response.headers or {}") }
    if step.keeps.status { lines.append("self.\(step.word)_status = response.status_code") }
    let checks = code.conditions(of: step.request)
    if checks.isEmpty { return lines.isEmpty ? ["pass"] : lines }
    code.helpers.use("judge")
    lines.append("judge(response, [")
    for (check, condition) in checks {
      lines.append("    (\(code.short(check.title)), \(condition)),")
    }
    let decides = checks.contains { $0.check.subject == .part(.status) }
    return lines + ["], decides=\(decides ? "True" : "False"))"]
  }

  private mutating func body(_ request: ExportedRequest) -> String? {
    let parts = code.pieces(ofBodyOf: request).map { piece in
      switch piece {
      case .file(let path):
        code.helpers.use("content")
        return "content(\(code.short(path)))"
      case .literal(let literal): return PythonCode.data(literal.keptBytes)
      case .value(let value): return value + ".encode()"
      }
    }
    if parts.isEmpty { return nil }
    return parts.count == 1 ? parts[0] : "b\"\".join([\(parts.joined(separator: ", "))])"
  }
}
