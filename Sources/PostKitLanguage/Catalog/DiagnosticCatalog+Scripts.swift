// The diagnostics of scripts (SC-77).

extension DiagnosticEntry {
  /// A script that is no JavaScript (SC-72).
  static var scriptSyntax: DiagnosticEntry {
    .init(.error, "A script can't be read.", "Correct it as the message says.")
  }

  /// A script that failed at the last run (SC-81).
  static var scriptFailed: DiagnosticEntry {
    .init(
      .error, "A script failed when you last sent its request.",
      "Correct the script, and send the request again.")
  }

  /// No library that runs scripts (SC-63).
  static var scriptEngineMissing: DiagnosticEntry {
    .init(
      .information, "The file has scripts, and JavaScriptCore is not installed.",
      "Install it as `postkit doctor` says.")
  }

  /// A script that the dialect leaves out (SC-1).
  static var scriptDialect: DiagnosticEntry {
    .init(
      .information, "The dialect of the file does not run scripts of this form.",
      "Choose another dialect with `# @dialect NAME`.", edit: { $0.scriptDialect })
  }

  /// What an object of scripts does not have.
  static var scriptUnknownMember: DiagnosticEntry {
    .init(
      .warning, "An object of scripts has no member of that name.", "Check its spelling.",
      edit: { $0.scriptMember })
  }

  /// What is not there when a script runs.
  static var scriptPhase: DiagnosticEntry {
    .init(
      .warning, "A script uses something that is not there when it runs.",
      "Move it to a script that runs at the right time.")
  }

  /// A module that is not there.
  static var scriptUnknownModule: DiagnosticEntry {
    .init(
      .warning, "A script needs a module or a file that is not there.",
      "Use what the message names, or correct the path.")
  }

  /// A reference in a text of a script.
  static var scriptReferenceInText: DiagnosticEntry {
    .init(
      .hint, "A text of a script is `{{name}}`, which is not replaced there.",
      "Read the variable as the message says.", edit: { $0.scriptReference })
  }

  /// An import block at another place than the first.
  static var scriptImportBlock: DiagnosticEntry {
    .init(
      .warning, "An import block `={% %}` stands where it has no effect.",
      "Write one import block, above the first request.")
  }

  /// A variable that a script changes for itself alone.
  static var scriptAssignmentLost: DiagnosticEntry {
    .init(
      .warning, "A script gives a variable a value that is lost when the script ends.",
      "Write `exports.name = …`.", edit: { $0.scriptExport })
  }

  /// A call that a script does not wait for.
  static var scriptPromiseDropped: DiagnosticEntry {
    .init(
      .warning, "A script does not wait for what it has begun.", "Write `await` before the call.",
      edit: { $0.scriptAwait })
  }

  /// A member of the request that a script sets.
  static var scriptRequestFrozen: DiagnosticEntry {
    .init(
      .error, "A script in `{% %}` sets a part of the request.",
      "Use `request.variables.set`, or a `{{@request` block.")
  }
}
