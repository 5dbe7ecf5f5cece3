// Quick fixes that write into other files: definitions in environments, secrets moved out of the
// file, missing files.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension Analysis {
  /// The fixes of a diagnostic that change other files than this one, the likeliest first.
  package func fileFixes(for diagnostic: Diagnostic, in files: EnvironmentFiles) -> [CodeChange] {
    guard let fix = diagnostic.code.entry.file else { return [] }
    return FixPlace(self, diagnostic).map { fix($0, files) } ?? []
  }

  /// A secret that a definition of the file spells out, moved into the private file, where the same
  /// name has it.
  func privateMove(
    of range: Range<Int>, _ files: EnvironmentFiles, isKnownAsSecret: Bool = false
  ) -> CodeChange? {
    guard scope.dialect.environmentSearch != .dotEnvOnly,
      let block = document.block(at: range.lowerBound),
      let variable = block.variables.first(where: {
        let line = block.absolute($0.line)
        return line.lowerBound <= range.lowerBound && range.upperBound <= line.upperBound
      })
    else { return nil }
    let (name, value) = (block.name(of: variable), block.text(variable.value))
    let isSecret = isKnownAsSecret || VariableDefinition.nameIsSecret(name)
    // Another definition would take the place of the one that goes.
    guard isSecret, !value.isEmpty, !value.contains("{{"), !variable.isAfterResponse,
      document.names.definitions[name]?.count == 1,
      scope.environments.definitions[name] == nil
    else { return nil }
    let environment =
      EnvironmentSet.selected(scope.environments.active)
      .last(where: scope.environments.names.contains) ?? "$shared"
    let change = files.defining(name, as: value, in: [environment], isPrivate: true)
    let line = document.lines.range(
      ofLine: document.line(at: block.absolute(variable.line).lowerBound))
    return change.map {
      CodeChange(.extract, "Move `\(name)` to `\($0.name)`", [TextEdit(line, "")], files: [$0])
    }
  }

  /// A name that nothing has yet: the one that is wished for, or it with a number.
  func freeName(_ wish: String) -> String {
    let taken = Set(scope.definitions(at: .max).map(\.name))
    let isFree = { (name: String) in
      !taken.contains(name) && document.names.definitions[name] == nil
        && scope.request(referredToAs: name) == nil
    }
    if isFree(wish) { return wish }
    return (2...).lazy.map { "\(wish)\($0)" }.first(where: isFree) ?? wish
  }
}

extension FixPlace {
  /// Definitions of the name in environments.
  func definitions(in files: EnvironmentFiles) -> [CodeChange] {
    let scope = analysis.scope
    guard scope.dialect.environmentSearch != .dotEnvOnly,
      let reference = block.syntax.references.first(where: { block.absolute($0.range) == range }),
      case .path(let name, let rest) = reference.expression, rest.isEmpty
    else { return [] }
    let known = scope.environments.names
    let active = EnvironmentSet.selected(scope.environments.active).filter(known.contains)
    var result: [CodeChange] = []
    func offer(_ title: String, _ environments: [String], isPrivate: Bool) {
      let change = files.defining(name, as: "", in: environments, isPrivate: isPrivate)
      if let change { result.append(CodeChange(.quickFix, title, files: [change])) }
    }
    if let last = active.last {
      offer("Define `\(name)` in the environment `\(last)`", [last], isPrivate: false)
    }
    if known.count > 1, !active.isEmpty {
      offer("Define `\(name)` in all \(known.count) environments", known, isPrivate: false)
    }
    if let last = active.last {
      offer("Define `\(name)` in the private environment `\(last)`", [last], isPrivate: true)
    }
    return result
  }

  /// The secret in the private file, and a reference in its place.
  func secretMove(to files: EnvironmentFiles) -> [CodeChange] {
    if let move = analysis.privateMove(of: range, files, isKnownAsSecret: true) {
      return [CodeChange(.quickFix, move.title, move.edits, files: move.files)]
    }
    let scope = analysis.scope
    guard scope.dialect.environmentSearch != .dotEnvOnly,
      let header = block.syntax.request?.headers.first(where: {
        block.absolute($0.line).contains(range.lowerBound)
      }), let value = header.value.first
    else { return [] }
    let secret = text
    let scheme = block.text(value).prefix { $0 != " " }.lowercased()
    let isPair =
      document.bytes[range.lowerBound - 1] != UInt8(ascii: " ")
      || block.text(value).split(separator: " ").count > 2
    let base =
      switch scheme {
      case "bearer": "token"
      case "aws": "secretKey"
      default: isPair ? "password" : "credentials"
      }
    let name = analysis.freeName(base)
    let environment =
      EnvironmentSet.selected(scope.environments.active)
      .last(where: scope.environments.names.contains) ?? "$shared"
    guard let change = files.defining(name, as: secret, in: [environment], isPrivate: true)
    else { return [] }
    return [
      CodeChange(
        .quickFix, "Move it to `\(change.name)` as `\(name)`",
        [TextEdit(range, "{{\(name)}}")], files: [change])
    ]
  }

  /// The missing file of a `run` line, whose name of a request would be in another.
  var runFile: [CodeChange] {
    document.bytes[range.lowerBound - 1] == UInt8(ascii: "#") ? [] : missingFile
  }

  /// The file that is missing.
  var missingFile: [CodeChange] {
    let context = analysis.context
    let written = text.split(separator: "\\ ", omittingEmptySubsequences: false)
      .joined(separator: " ")
    let path = context.placePath(written)
    // Another file of the project at most: an editor's click is not asked for more.
    guard !written.isEmpty, !written.contains("{{"), context.resolvePath(written) == nil,
      context.projectRoot.isEmpty || path.hasPrefix(context.projectRoot + "/")
    else { return [] }
    return [
      CodeChange(
        .quickFix, "Create `\(written)`", files: [FileChange(path: path, content: .new(""))])
    ]
  }
}
