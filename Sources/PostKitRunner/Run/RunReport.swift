// The report of a run for other programs: JSON, JUnit and TAP (CONTRACTS.md, section 2).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitText

/// A finished run in the forms that CI systems read. Secrets are masked.
package struct RunReport: Sendable {
  /// The forms of a report.
  package enum Kind: String, Sendable { case json, junit, tap }

  /// One request.
  private struct Entry: Sendable {
    var id: String
    var name: String?
    var title: String
    var line: Int
    var method: String
    var url: String
    var state: ExchangeState
    var status: Int?
    var milliseconds: Int
    var size: Int
    var failure: Failure?
    /// Where a script has failed; `nil` for any other failure.
    var scriptPlace: String?
    var isRecorded: Bool
    var tests: [TestResult]
    /// The files that the response was saved to; secrets are masked.
    var savedTo: [String]
    /// What scripts have printed; secrets are masked.
    var output: [OutputLine]
    var contract: ContractFindings?

    /// The sentence of its failure, of a script with its place before it (SC-34).
    func message(of failure: Failure) -> String {
      failure.code == .scriptFailed
        ? scriptPlace.map { "\($0): \(failure.message)" } ?? failure.message : failure.message
    }
  }

  private let path: String
  private let paths: ShownPaths
  private let entries: [Entry]
  /// The requests that were not sent on purpose.
  private let skipped: [SkippedRequest]
  private let failure: Failure?
  /// When the first request was sent, in milliseconds since 1970.
  private let startedAt: Int64

  /// Makes the report of a run.
  package init(_ result: RunResult, path: String) {
    self.path = path
    let paths = ShownPaths(besides: path)
    self.paths = paths
    skipped = result.skipped
    failure = result.firstFailure
    startedAt =
      result.outcomes.lazy.compactMap { $0.exchange?.startedAt }.min() ?? Clock.wallMilliseconds
    entries = result.outcomes.map { outcome in
      Entry(
        id: outcome.id, name: outcome.name, title: outcome.title,
        line: outcome.line, method: outcome.method, url: outcome.url, state: outcome.state,
        status: outcome.masked?.response?.status,
        milliseconds: outcome.masked?.timings.totalMilliseconds ?? 0,
        size: outcome.masked?.response?.decodedSize ?? 0, failure: outcome.failure,
        scriptPlace: outcome.scriptProblem.flatMap { $0.place(in: path, paths) },
        isRecorded: outcome.isRecorded,
        tests: outcome.tests, savedTo: outcome.masked?.savedTo ?? [], output: outcome.output,
        contract: outcome.masked?.contract)
    }
  }

  /// The report in one of its forms.
  package func bytes(_ kind: Kind) -> [UInt8] {
    switch kind {
    case .json: json
    case .junit: Array(junit.utf8)
    case .tap: Array(tap.utf8)
    }
  }

  private var json: [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.key("tests")
    write(entries.flatMap(\.tests), to: &writer)
    writer.key("requests")
    writer.beginArray()
    for entry in entries { write(entry, to: &writer) }
    writer.endArray()
    writer.key("error")
    writer.write(.optional(failure?.code.rawValue))
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  private func write(_ tests: [TestResult], to writer: inout JSONWriter) {
    writer.beginArray()
    for test in tests {
      var members: [JSONMember] = [
        JSONMember("name", .string(test.name)), JSONMember("passed", .bool(test.passed)),
        JSONMember("message", .string(test.message)),
      ]
      if test.line > 0 { members.append(JSONMember("line", .int(test.line))) }
      if !test.path.isEmpty { members.append(JSONMember("file", .string(paths.shown(test.path)))) }
      if let time = test.milliseconds { members.append(JSONMember("ms", .int(time))) }
      writer.write(.object(members))
    }
    writer.endArray()
  }

  private func write(_ entry: Entry, to writer: inout JSONWriter) {
    writer.beginObject()
    let members: [(String, JSONValue)] = [
      ("id", .string(entry.id)), ("name", .optional(entry.name)), ("line", .int(entry.line)),
      ("method", .string(entry.method)), ("url", .string(entry.url)),
      ("state", .string(entry.state.rawValue)),
      ("status", entry.status.map { .int($0) } ?? .null), ("ms", .int(entry.milliseconds)),
      ("size", .int(entry.size)), ("error", .optional(entry.failure?.code.rawValue)),
      ("recorded", .bool(entry.isRecorded)),
    ]
    for (key, value) in members {
      writer.key(key)
      writer.write(value)
    }
    if !entry.savedTo.isEmpty {
      writer.key("saved")
      writer.write(.array(entry.savedTo.map(JSONValue.string)))
    }
    if !entry.output.isEmpty {
      writer.key("output")
      writer.write(.array(entry.output.map(value)))
    }
    if let contract = entry.contract {
      writer.key("openapi")
      writer.write(value(contract))
    }
    if let failure = entry.failure, failure.code == .scriptFailed {
      writer.key("message")
      writer.write(.string(entry.message(of: failure)))
    }
    writer.key("tests")
    write(entry.tests, to: &writer)
    writer.endObject()
  }

  private func value(_ contract: ContractFindings) -> JSONValue {
    // What could not be checked is no response as described.
    let obstacle = contract.obstacle.map { [ContractDeviation(message: $0)] } ?? []
    let deviations = (contract.deviations + obstacle).map { deviation in
      JSONValue.object([
        JSONMember("pointer", .string(deviation.pointer)),
        JSONMember("message", .string(deviation.message)),
      ])
    }
    return .object([
      JSONMember("operation", .optional(contract.operation)),
      JSONMember("deviations", .array(deviations)),
    ])
  }

  private func value(_ line: OutputLine) -> JSONValue {
    var members: [JSONMember] = [
      JSONMember("level", .string(line.level)), JSONMember("text", .string(line.text)),
      JSONMember("line", .int(line.line)),
    ]
    if !line.path.isEmpty { members.append(JSONMember("file", .string(paths.shown(line.path)))) }
    return .object(members)
  }

  /// A check of the run: that a request was answered, or one of its tests.
  private struct Check {
    /// How it ended: well, or for which reason not.
    enum Ending {
      case passed
      case failed(String)
      case error(FailureCode, String)
      case skipped(String)
    }

    var name: String
    var milliseconds = 0
    var ending: Ending
  }

  private var checks: [Check] {
    let asked = entries.flatMap { entry in
      let failure = entry.failure
      let answered = Check(
        name: entry.title, milliseconds: entry.milliseconds,
        ending: failure.map { .error($0.code, entry.message(of: $0).excerpt) } ?? .passed)
      return [answered]
        + entry.tests.map {
          Check(
            name: "\(entry.title): \($0.name)", milliseconds: $0.milliseconds ?? 0,
            ending: $0.passed ? .passed : .failed($0.message))
        }
    }
    return asked + skipped.map { Check(name: $0.request.title, ending: .skipped($0.reason)) }
  }

  /// The checks, or the reason why there is none.
  private var checksOrFailure: [Check] {
    guard entries.isEmpty, let failure else { return checks }
    return [Check(name: "run", ending: .error(failure.code, failure.message))]
  }

  /// JUnit's common form, as Ant's schema and that of Jenkins both have it: one suite, a case for
  /// each request and each test.
  private var junit: String {
    let checks = checksOrFailure
    // A command line that names no file has a report, too; the schema wants a name.
    let name = RunReport.xml(path.isEmpty ? "postkit" : path)
    // Both want the time of day without fraction and zone.
    let timestamp = DateFormat.iso8601(CivilDate(milliseconds: startedAt)).prefix(19)
    var (failures, errors, skipped) = (0, 0, 0)
    var cases: [String] = []
    for check in checks {
      let start =
        "    <testcase name=\"\(RunReport.xml(check.name))\" classname=\"\(name)\" "
        + "time=\"\(RunReport.seconds(check.milliseconds))\""
      let element: String
      switch check.ending {
      case .passed:
        cases.append(start + "/>")
        continue
      case .failed(let message):
        failures += 1
        element = "failure message=\"\(RunReport.xml(message))\" type=\"assertion\""
      case .error(let code, let message):
        errors += 1
        element = "error message=\"\(RunReport.xml("\(code): \(message)"))\" type=\"\(code)\""
      case .skipped(let reason):
        skipped += 1
        element = "skipped message=\"\(RunReport.xml(reason))\""
      }
      cases += [start + ">", "      <\(element)/>", "    </testcase>"]
    }
    let time = RunReport.seconds(checks.reduce(0) { $0 + $1.milliseconds })
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
    lines.append(
      "  <testsuite id=\"0\" package=\"\(name)\" name=\"\(name)\" timestamp=\"\(timestamp)\" "
        + "hostname=\"localhost\" tests=\"\(checks.count)\" failures=\"\(failures)\" "
        + "errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\">")
    lines.append("    <properties/>")
    lines += cases
    let printed = entries.flatMap(\.output).map { RunReport.xml($0.text + "\n") }.joined()
    lines += [
      printed.isEmpty ? "    <system-out/>" : "    <system-out>\(printed)</system-out>",
      "    <system-err/>", "  </testsuite>", "</testsuites>", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// Seconds as the schemas have them: three digits after the point, never an exponent.
  private static func seconds(_ milliseconds: Int) -> String {
    "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
  }

  /// The Test Anything Protocol, version 13, which readers of version 14 take as well.
  private var tap: String {
    let checks = checks
    if checks.isEmpty, let failure {
      return "TAP version 13\n1..0\nBail out! \(RunReport.line(failure.message))\n"
    }
    var lines = ["TAP version 13", "1..\(checks.count)"]
    for (index, check) in checks.enumerated() {
      let name = "\(index + 1) - \(RunReport.tapName(check.name))"
      switch check.ending {
      case .passed: lines.append("ok \(name)")
      case .skipped(let reason): lines.append("ok \(name) # SKIP \(RunReport.line(reason))")
      case .failed(let message):
        lines += ["not ok \(name)"] + RunReport.diagnostics(message)
      case .error(let code, let message):
        lines += ["not ok \(name)"] + RunReport.diagnostics("\(code): \(message)")
      }
    }
    for line in entries.flatMap(\.output) {
      lines += line.text.split(whereSeparator: \.isNewline).map { "# \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What went wrong, as YAML: a string of JSON is one of YAML but for some characters, which stand
  /// there as escapes alone or would be taken for line breaks.
  private static func diagnostics(_ message: String) -> [String] {
    var quoted = ""
    for scalar in JSONValue.string(message).text.unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return ["  ---", "  message: \(quoted)", "  ..."]
  }

  /// A description in which no `#` begins a directive such as `# SKIP`, which would turn a failure
  /// into a success. Version 13 has no escapes and some readers know none, so another character
  /// that looks like it stands in its place.
  private static func tapName(_ text: String) -> String {
    line(text).replacing("#", with: "\u{FF03}")
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func xml(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += "&#\(scalar.value);"
      // Other control characters can't stand in XML 1.0, not even as references.
      default:
        let isNone = scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        result.unicodeScalars.append(isNone ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }
}

extension RunOutcome {
  /// The script that failed, where that is why the request failed.
  fileprivate var scriptProblem: EvaluationProblem? {
    guard failure?.code == .scriptFailed else { return nil }
    return problems.first { problem in
      if case .scriptFailed = problem.kind { problem.severity == .error } else { false }
    }
  }
}

extension EvaluationProblem {
  /// Its place such as `check.js:4:3`, in a file that was asked for or another one; `nil` where
  /// only the file is known.
  fileprivate func place(in file: String, _ paths: ShownPaths) -> String? {
    position.map { "\(path.map(paths.shown) ?? file):\($0.line):\($0.column)" }
  }
}
