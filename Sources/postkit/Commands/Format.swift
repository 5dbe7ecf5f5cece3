// `postkit format`: the canonical layout of request files.

import PostKitHTTP
import PostKitLanguage
import PostKitSupport
import PostKitSyntax
import PostKitText

extension Command {
  /// Lays out request files.
  static let format = Command(
    name: .format, operands: "FILE... [--check | --stdout]",
    summary: "Formats request files without changing what they send. `-` is standard input.",
    options: [
      Option(names: ["--check"], value: nil, help: "change nothing; list the files, exit with 1"),
      Option(names: ["--stdout"], value: nil, help: "print the file instead of writing it"),
    ]
  ) { invocation throws(Arguments.Problem) in
    let arguments = invocation.arguments
    let paths = arguments.positional
    guard !paths.isEmpty else {
      throw Arguments.Problem(message: "name at least one request file, or `-`")
    }
    let prints = arguments.has("--stdout")
    if prints, arguments.has("--check") {
      throw Arguments.Problem(message: "`--check` and `--stdout` can't be combined")
    }
    if prints || paths.contains("-"), paths.count > 1 {
      throw Arguments.Problem(message: "only one file can go to standard output")
    }
    let command = FormatCommand(
      invocation: invocation, prints: prints, checks: arguments.has("--check"))
    return paths.map(command.format).max() ?? 0
  }
}

/// One call of `postkit format`.
struct FormatCommand: Sendable {
  let invocation: Invocation
  let prints: Bool
  let checks: Bool

  private var console: Console { invocation.console }

  /// Lays out one file: 0 well, 1 it would change (`--check`), 2 it can't be read, 5 it can't be
  /// written.
  func format(_ path: String) -> Int32 {
    switch RequestFile.read(path, invocation, allowsInput: true) {
    case .success(let file): return format(file.document, path)
    case .failure(let failure):
      console.complain(failure.message)
      return 2
    }
  }

  private func format(_ document: ParsedDocument, _ path: String) -> Int32 {
    let isInput = path == "-"
    let name = isInput ? "standard input" : path
    let formatting = Formatting(document)
    for index in formatting.keptBlocks { tellKept(document.blocks[index], document, name) }
    let result = TextEdit.apply(formatting.edits, to: document.bytes) ?? document.bytes
    if checks {
      if result != document.bytes { console.writeShown(Array((name + "\n").utf8)) }
      return result == document.bytes ? 0 : 1
    }
    if prints || isInput {
      console.writeShown(result)
      return 0
    }
    return result == document.bytes ? 0 : write(result, to: path)
  }

  private func write(_ bytes: [UInt8], to path: String) -> Int32 {
    do throws(FileFailure) {
      try FileSystem.writeAtomically(bytes, to: path, mode: FileSystem.mode(path) ?? 0o644)
      console.writeShown(Array((path + "\n").utf8))
      return 0
    } catch {
      console.complain("\(error)")
      return 5
    }
  }

  private func tellKept(_ block: ParsedBlock, _ document: ParsedDocument, _ name: String) {
    let line = document.line(at: block.range.lowerBound) + 1
    console.note(
      "\(name):\(line): this block is unchanged: its lines can't be told apart safely; "
        + "`postkit check` says why")
  }
}
