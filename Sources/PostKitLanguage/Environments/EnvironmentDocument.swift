// A file of environments that is open itself: what is said about it at its own places, and what its
// names are elsewhere.

package import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

/// An environment file with those that hold together with it.
package struct EnvironmentDocument: Sendable {
  let kind: EnvironmentSource.Kind
  let file: SourceFile
  /// The other `http-client` files that hold for the same requests.
  let others: [EnvironmentSource]
  /// Its objects of environments; empty where it can't be read.
  let roots: [JSONView]

  /// Reads a file; `sources` are all that hold together, whether this one is among them or not.
  package init(
    _ kind: EnvironmentSource.Kind, _ file: SourceFile, among sources: [EnvironmentSource]
  ) {
    self.kind = kind
    self.file = file
    others = sources.filter { $0.kind.isClientFile && $0.file.path != file.path }
    roots = kind.isDotEnv ? [] : EnvironmentDocument.roots(file, kind)
  }

  private static func roots(_ file: SourceFile, _ kind: EnvironmentSource.Kind) -> [JSONView] {
    let options = JSONParsingOptions(allowsComments: true)
    // What can't be read has a diagnostic of its own.
    guard let tree = try? JSONTree(parsing: file.bytes, options: options) else { return [] }
    return EnvironmentSource.roots(of: tree.root, kind)
  }

  /// The environments of the file, and what stands for all of them.
  var environments: [(key: JSONView, value: JSONView)] {
    roots.flatMap(\.members).filter { member in
      member.value.kind == .object
        && member.key.string.map { EnvironmentSet.holdsVariables($0) } ?? false
    }.map { ($0.key, $0.value) }
  }

  /// The names that an environment gives values, in order.
  static func names(of environment: JSONView) -> [String] {
    environment.members.compactMap(\.key.string).filter { !EnvironmentSet.isReserved($0) }
  }

  // MARK: - Diagnostics

  /// What is wrong in the file, in its order.
  package var diagnostics: [Diagnostic] {
    var found = problems
    if kind.isDotEnv {
      found += repeatedLines
    } else {
      for root in roots { found += repeatedKeys(root) }
      for environment in environments { found += repeatedKeys(environment.value) }
      if kind.isClientFile { found += missingKeys }
      if kind == .publicFile { found += readableSecrets }
      found += clientRemarks
    }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// What keeps the file or a part of it from being used.
  private var problems: [Diagnostic] {
    let source = EnvironmentSource(kind: kind, file: file)
    return EnvironmentSet(sources: [source], active: nil).problems.map { problem in
      let start = min(problem.range.lowerBound, file.bytes.count)
      var sentence = problem.remark?.sentence ?? problem.message
      if case .environmentFileBroken(_, _, let explanation) = problem.kind {
        sentence = "Invalid JSON, so PostKit ignores the whole file: \(explanation)."
      }
      return Diagnostic(.environmentFile, start..<min(start + 1, file.bytes.count), sentence)
    }
  }

  private func repeatedKeys(_ object: JSONView) -> [Diagnostic] {
    var last: [String: Int] = [:]
    let members = object.members
    for (index, member) in members.enumerated() {
      if let name = member.key.string { last[name] = index }
    }
    return members.enumerated().compactMap { index, member in
      guard let name = member.key.string, last[name] != index else { return nil }
      return Diagnostic(.duplicateKey, member.key.range, EnvironmentDocument.sentence(name))
    }
  }

  private static func sentence(_ name: String) -> String {
    "`\(name)` is defined again below, and the last one counts. Remove this one."
  }

  private var repeatedLines: [Diagnostic] {
    let places = DotEnv.places(file.bytes)
    var last: [String: Int] = [:]
    for (index, place) in places.enumerated() { last[text(place.key)] = index }
    return places.enumerated().compactMap { index, place in
      let name = text(place.key)
      return last[name] == index
        ? nil : Diagnostic(.duplicateKey, place.key, EnvironmentDocument.sentence(name))
    }
  }

  /// The names that other environments define, and an environment of this file nowhere.
  private var missingKeys: [Diagnostic] {
    let elsewhere = others.flatMap { EnvironmentDocument($0.kind, $0.file, among: []).environments }
    let all = environments + elsewhere
    var defined: [String: Set<String>] = [:]
    var order: [String] = []
    for environment in all {
      for name in EnvironmentDocument.names(of: environment.value) {
        if defined[name] == nil { order.append(name) }
        defined[name, default: []].insert(environment.key.string ?? "")
      }
    }
    let known = Set(elsewhere.compactMap(\.key.string))
    return environments.compactMap { environment in
      let name = environment.key.string ?? ""
      guard !name.hasPrefix("$"), kind == .publicFile || !known.contains(name) else { return nil }
      let missing = order.filter { key in
        let places = defined[key] ?? []
        return !places.contains(name) && !places.contains { $0.hasPrefix("$") }
      }
      guard let first = missing.first else { return nil }
      let others = (defined[first] ?? []).sorted()
      let list = missing.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
      let rest = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      return Diagnostic(
        .missingKey, environment.key.range,
        "`\(name)` lacks \(list)\(rest), which "
          + (missing.count == 1 ? others.map { "`\($0)`" }.joined(separator: ", ") : "others")
          + (missing.count == 1 && others.count == 1 ? " has. " : " have. ")
          + "Requests that use it fail there. Give it a value.")
    }
  }

  /// Values that look like secrets, in the file that everybody gets.
  private var readableSecrets: [Diagnostic] {
    environments.flatMap { environment in
      environment.value.members.compactMap { member -> Diagnostic? in
        guard let name = member.key.string, VariableDefinition.nameIsSecret(name),
          let value = member.value.string, !value.isEmpty, !value.contains("{{")
        else { return nil }
        var diagnostic = Diagnostic(
          .secretInFile, member.value.range,
          "The name suggests a secret, but everybody with the project can read this file. Move "
            + "it to `http-client.private.env.json`.")
        diagnostic.severity = .information
        return diagnostic
      }
    }
  }

  /// The text of some bytes.
  func text(_ range: Range<Int>) -> String { String(decoding: file.bytes[range], as: UTF8.self) }

  // MARK: - Hover

  /// What the name at an offset is in each of the environments, secrets masked.
  package func hover(at offset: Int, in environments: [EnvironmentSet]) -> Hover? {
    if kind.isDotEnv {
      let place = DotEnv.places(file.bytes).first { $0.key.touches(offset) }
      return place.map { values(of: text($0.key), $0.key, environments) }
    }
    for environment in self.environments {
      if let key = name(environment.key, at: offset) {
        let count = EnvironmentDocument.names(of: environment.value).count
        let names = count == 1 ? "1 name" : "\(count) names"
        return Hover(
          range: environment.key.range,
          markdown: "The environment \(Analysis.code(key)) defines \(names) in this file.")
      }
      for member in environment.value.members {
        if let key = name(member.key, at: offset), !EnvironmentSet.isReserved(key) {
          return values(of: key, member.key.range, environments)
        }
      }
    }
    return nil
  }

  private func name(_ key: JSONView, at offset: Int) -> String? {
    key.range.touches(offset) ? key.string : nil
  }

  private func values(
    of name: String, _ range: Range<Int>, _ environments: [EnvironmentSet]
  ) -> Hover {
    let lines = environments.map { set -> String in
      let label = set.active.map(Analysis.code) ?? "without an environment"
      guard let definition = set.definitions[name] else { return "- \(label): not defined" }
      let value =
        definition.isSecret ? Markdown.code(SecretMask.text) : Analysis.code(definition.shownText)
      let source = definition.origin.path == file.path ? "" : Analysis.place(definition.origin)
      let from = source.map { $0.isEmpty ? "" : ", from " + Markdown.text($0) } ?? ""
      return "- \(label): \(value)" + from
    }
    let all = [Analysis.code(name), ""] + lines
    return Hover(range: range, markdown: all.joined(separator: "\n"))
  }
}
