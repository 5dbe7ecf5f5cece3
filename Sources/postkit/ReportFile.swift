// The reports of a run, where the user wants them.

import PostKitHTTP
import PostKitRunner
import PostKitSupport
import PostKitSyntax

/// A report that was asked for, `KIND=PATH`.
struct ReportFile: Sendable {
  let kind: RunReport.Kind
  let path: String

  init(_ text: String) throws(Arguments.Problem) {
    let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard halves.count == 2, let kind = RunReport.Kind(rawValue: halves[0]) else {
      throw Arguments.Problem(
        message: "`--report \(text)`: write json=PATH, junit=PATH or tap=PATH")
    }
    self.kind = kind
    path = halves[1]
  }

  /// Writes the reports of a run and answers the exit code, which an unwritten report makes 5.
  static func writeAll(
    _ files: [ReportFile], _ report: RunReport, _ exitCode: Int32, _ console: Console
  ) -> Int32 {
    var code = exitCode
    for file in files {
      do throws(FileFailure) {
        try FileSystem.write(report.bytes(file.kind), to: FileSystem.absolute(file.path))
      } catch {
        console.complain("the report was not written: \(error)")
        if code != 130 { code = 5 }
      }
    }
    return code
  }

  /// Writes the reports of a command line that could not be understood: whoever waits for a report
  /// gets one (CONTRACTS.md, section 2). Reports that can't be understood either are left out.
  static func writeAll(_ words: [String], usage message: String, _ console: Console) {
    var files: [ReportFile] = []
    for (index, word) in words.enumerated() {
      var text: String?
      if word == "--report", index + 1 < words.count { text = words[index + 1] }
      if word.hasPrefix("--report=") { text = String(word.dropFirst("--report=".count)) }
      do throws(Arguments.Problem) {
        if let text { files.append(try ReportFile(text)) }
      } catch {
        continue
      }
    }
    let result = RunResult(outcomes: [], failure: Failure(.usage, message))
    // Of `collections send PATH` the second word is no path.
    let words = words.dropFirst(words.first == Command.Name.collections.rawValue ? 2 : 1)
    let path = words.first { !$0.hasPrefix("-") } ?? ""
    _ = writeAll(files, RunReport(result, path: path), 2, console)
  }
}
