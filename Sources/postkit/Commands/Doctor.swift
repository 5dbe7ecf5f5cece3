// `postkit doctor`: what is installed, where things are, and how to mend what is not well.

import Libc
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitScripting
import PostKitStore
import PostKitSupport
import PostKitTransport
import PostKitXPath

extension Command {
  /// Examines the installation.
  static let doctor = Command(
    name: .doctor, operands: "[--json] [--delete-unused-secrets]",
    summary: "Shows versions, the store and editors; each problem with its fix.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(
        names: ["--delete-unused-secrets"], value: nil,
        help: "delete the values of secrets that no variable uses"),
    ]
  ) { invocation throws(Arguments.Problem) in
    try invocation.arguments.refuseOperands()
    return await DoctorCommand(invocation: invocation).execute()
  }
}

/// One finding of the doctor.
struct Finding: Sendable {
  /// How serious a finding is.
  enum Severity: String, Sendable { case ok, note, problem }
  var severity: Severity
  var subject: String
  var text: String
  /// What to do; `nil` where there is nothing to do.
  var fix: String?
}

/// One call of `postkit doctor`.
struct DoctorCommand: Sendable {
  let invocation: Invocation

  /// Prints the findings; 5 where one of them is a problem.
  func execute() async -> Int32 {
    var findings = [
      Finding(severity: .ok, subject: "PostKit", text: Version.number),
      DoctorCommand.curl(),
    ]
    findings.append(DoctorCommand.xpath())
    findings.append(DoctorCommand.crypto())
    findings += await store()
    findings.append(await DoctorCommand.scripts())
    findings += DoctorCommand.editors()
    let hasProblem = findings.contains { $0.severity == .problem }
    if invocation.arguments.has("--json") {
      invocation.console.line(json(findings))
    } else {
      for finding in findings { show(finding) }
      invocation.console.line(
        hasProblem ? "\nProblems found; see the fixes above." : "\nNo problems found.")
    }
    return hasProblem ? 5 : 0
  }

  private static func curl() -> Finding {
    switch Transport.libraryVersion {
    case .success(let version):
      return Finding(
        severity: .ok, subject: "libcurl",
        text: "\(version.version) (\(version.libraryName), \(version.tlsLibrary))")
    case .failure(let failure):
      return Finding(
        severity: .problem, subject: "libcurl", text: failure.message,
        fix: "apt install libcurl4")
    }
  }

  private static func xpath() -> Finding {
    switch XPathLibrary.version {
    case .success(let version): Finding(severity: .ok, subject: "libxml2", text: version)
    case .failure(let missing):
      Finding(
        severity: .note, subject: "libxml2", text: missing.explanation, fix: "apt install libxml2")
    }
  }

  private static func crypto() -> Finding {
    switch CryptoLibrary.version {
    case .success(let version): Finding(severity: .ok, subject: "libcrypto", text: version)
    case .failure(let missing):
      Finding(
        severity: .note, subject: "libcrypto", text: missing.explanation,
        fix: "apt install libssl3")
    }
  }

  private func store() async -> [Finding] {
    let location = invocation.storeLocation
    do throws(StoreFailure) {
      let store = try await Store.open(location)
      let health = try await store.health()
      var secrets = [DoctorCommand.secrets(await store.secrets.place())]
      secrets += await unusedSecrets(store)
      let notices = await store.conclude().notices
      var findings = [
        Finding(severity: .ok, subject: "SQLite", text: health.sqliteVersion),
        Finding(severity: .ok, subject: "store", text: DoctorCommand.summary(health)),
      ]
      findings += health.files.map {
        Finding(
          severity: .ok, subject: FilePath.name($0.path),
          text: "format \($0.formatVersion), \(Display.size($0.size)), "
            + "log \(Display.size($0.logSize)), \($0.journalMode), mode \($0.mode)")
      }
      findings.append(DoctorCommand.words(health))
      findings += secrets
      findings += health.problems.map {
        Finding(severity: .problem, subject: "store", text: $0)
      }
      if health.abandonedBytes > 0 {
        findings.append(
          Finding(
            severity: .note, subject: "store",
            text: "\(Display.size(health.abandonedBytes)) in files that were being written when "
              + "PostKit was killed",
            fix: "PostKit removes them later; `postkit history forget --all` does so at once."))
      }
      findings += health.setAside.map {
        Finding(
          severity: .note, subject: "store", text: "\($0) was unusable and was set aside",
          fix: "Look into the copy with sqlite3, or delete it.")
      }
      // What was set aside just now is among those already.
      findings += notices.filter { if case .setAside = $0.kind { false } else { true } }.map {
        Finding(severity: .note, subject: "store", text: $0.message)
      }
      return findings
    } catch {
      return [
        Finding(
          severity: .problem, subject: "store", text: error.message(on: .commandLine),
          fix: "Choose another place with --store DIR or POSTKIT_HOME.")
      ]
    }
  }

  private static func words(_ health: StoreHealth) -> Finding {
    guard health.wordIndex.isSupported else {
      return Finding(
        severity: .note, subject: "search",
        text: "SQLite was built without FTS5; searches are slow and leave out large bodies",
        fix: "Install a SQLite with FTS5.")
    }
    let pending = health.wordIndex.pendingCount
    let done = health.exchangeCount - pending
    return Finding(
      severity: .ok, subject: "search",
      text: pending == 0
        ? "all \(done) exchanges are indexed"
        : "\(done) of \(health.exchangeCount) exchanges are indexed, the others will be")
  }

  /// Where the values of secret variables go.
  private static func secrets(_ place: SecretPlace) -> Finding {
    var finding = Finding(
      severity: .ok, subject: "secrets", text: "stored in the desktop's keyring")
    switch place {
    case .memory: finding.text = "stored in memory"
    case .keyring(isLocked: false): break
    case .keyring(isLocked: true):
      finding.severity = .note
      finding.text += ", which is locked"
      finding.fix = "Unlock it before you send a request that has a secret variable."
    case .silentKeyring(let seconds):
      finding.severity = .note
      finding.text += ", which did not answer within \(seconds) seconds"
      finding.fix = "Restart the keyring service, or log in again."
    case .file(let path, let reason):
      finding.text = "stored in \(path), mode 600, because \(reason)"
    }
    return finding
  }

  /// What is to be said of values that no variable uses; where asked to, they are deleted.
  private func unusedSecrets(_ store: Store) async -> [Finding] {
    let editor = CollectionEditor(store)
    var finding = Finding(severity: .note, subject: "secrets", text: "")
    func values(_ count: Int) -> String { "\(count) value\(count == 1 ? "" : "s")" }
    do throws(StoreFailure) {
      await editor.settle()
      await TokenKeeper(store).settle()
      if invocation.arguments.has("--delete-unused-secrets") {
        finding.text = "deleted \(values(try await editor.deleteUnnamedSecrets())) "
          + "that no variable uses"
        finding.severity = .ok
        return [finding]
      }
      let count = try await editor.unnamedSecrets().count
      guard count > 0 else { return [] }
      finding.text = "\(values(count)) that no variable uses"
      finding.fix = "Run: postkit doctor --delete-unused-secrets. Keep them if you restore the "
        + "collections from a copy."
    } catch {
      // Collections that can't be opened are told of as a problem.
      if case .noCollections = error { return [] }
      finding.text = error.message(on: .commandLine)
    }
    return [finding]
  }

  private static func summary(_ health: StoreHealth) -> String {
    "\(health.directory) on \(health.fileSystem), mode \(health.directoryMode), "
      + "\(health.exchangeCount) exchanges, \(Display.size(health.bodyBytes)) in body files"
  }

  /// A library that a later version opens where it is installed.
  /// Whether scripts can run, by what, and how far it is kept from the system.
  private static func scripts() async -> Finding {
    let engine = ScriptHost()
    defer { engine.end() }
    do throws(ScriptEngineFailure) {
      let facts = try await engine.facts()
      let text =
        "\(facts.engine) (\(facts.library)), ready in "
        + DurationText.text(microseconds: facts.startMicroseconds)
      switch facts.confinement {
      case .full:
        return Finding(severity: .ok, subject: "scripts", text: text + ", confined")
      case .partial:
        return Finding(
          severity: .note, subject: "scripts",
          text: text + ", confined; a script that runs too long takes the engine with it",
          fix: "Install a newer JavaScriptCore.")
      case .none:
        return Finding(
          severity: .note, subject: "scripts",
          text: text + ", not confined, as this system refuses the filter",
          fix: "Run only scripts that you trust, or allow seccomp filters in this container.")
      }
    } catch {
      guard case .missing = error else {
        return Finding(severity: .problem, subject: "scripts", text: error.message)
      }
      return Finding(
        severity: .note, subject: "scripts",
        text: "JavaScriptCore is not installed: scripts and expressions don't run",
        fix: "apt install libjavascriptcoregtk-4.1-0")
    }
  }

  private static func editors() -> [Finding] {
    let known = [
      ("Vim", "vim", "apt install vim-nox"), ("Neovim", "nvim", "0.11 or newer from neovim.io"),
      ("VS Code", "code", "code.visualstudio.com"),
    ]
    return known.map { name, program, source in
      if let path = executable(program) {
        return Finding(severity: .ok, subject: name, text: path)
      }
      return Finding(severity: .note, subject: name, text: "not found on PATH (\(source))")
    }
  }

  private static func executable(_ name: String) -> String? {
    let folders = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":")
    return folders.lazy.map { FilePath.join(String($0), name) }.first { path in
      access(path, X_OK) == 0 && FileSystem.isRegularFile(path)
    }
  }

  private func show(_ finding: Finding) {
    let console = invocation.console
    let mark =
      switch finding.severity {
      case .ok: console.styled("ok     ", "32", onError: false)
      case .note: "note   "
      case .problem: console.styled("problem", "31", onError: false)
      }
    console.line("\(mark)  \(Display.fitted(finding.subject, 18)) \(Display.safe(finding.text))")
    if let fix = finding.fix { console.line("         fix: \(Display.safe(fix))") }
  }

  private func json(_ findings: [Finding]) -> JSONValue {
    .array(
      findings.map { finding in
        [
          "severity": .string(finding.severity.rawValue), "subject": .string(finding.subject),
          "text": .string(finding.text), "fix": .optional(finding.fix),
        ]
      })
  }
}
