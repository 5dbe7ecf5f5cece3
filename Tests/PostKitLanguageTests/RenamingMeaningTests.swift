// A renaming must never change what a request means: over generated projects, every request is
// built before and after it, in every environment.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

private let names = ["a", "b", "c", "login", "url"]
private let folders = ["", "x/", "x/y/", "z/"]

/// Files with few names, so that most of them meet.
private struct GeneratedProject {
  var random: RepeatableGenerator
  var files: [String: String] = [:]

  init(seed: Int) {
    random = RepeatableGenerator(seed: UInt64(seed))
    for folder in folders where !random.oneIn(3) {
      for name in ["one.http", "two.http"] where random.oneIn(2) {
        files["/p/\(folder)\(name)"] = requestFile(folder)
      }
      if random.oneIn(2) {
        files["/p/\(folder)http-client.env.json"] =
          "{\"$shared\": \(object()), \"dev\": \(object()), \"prod\": \(object())}"
      }
      if random.oneIn(4) {
        files["/p/\(folder)http-client.private.env.json"] = "{\"dev\": \(object())}"
      }
      if random.oneIn(3) { files["/p/\(folder).env"] = "\(name())=\(value())\n" }
    }
    files["/p/body.json"] = "{\"n\": \"{{\(name())}}\"}"
  }

  private mutating func name() -> String { random.pick(names) }

  private mutating func value() -> String {
    switch random.int(in: 0..<4) {
    case 0: "{{\(name())}}"
    case 1: "v{{\(name())}}-{{\(name())}}"
    default: "v\(random.int(in: 0..<1_000))"
    }
  }

  private mutating func object() -> String {
    var members: [String: String] = [:]
    for _ in 0..<random.int(in: 0..<4) {
      members[name()] = random.oneIn(6) ? "{\"a\": \"\(value())\"}" : "\"\(value())\""
    }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
      .joined(separator: ", ") + "}"
  }

  private mutating func requestFile(_ folder: String) -> String {
    var text = ""
    if random.oneIn(3) {
      let up = String(repeating: "../", count: folder.split(separator: "/").count)
      text += "import ./\(up)\(random.pick(folders))\(random.pick(["one", "two"])).http\n"
    }
    for _ in 0..<random.int(in: 0..<3) { text += "@\(name()) = \(value())\n" }
    for _ in 0..<random.int(in: 1..<4) {
      text += random.oneIn(2) ? "\n### \(name())\n" : "\n###\n"
      if random.oneIn(4) { text += "# @name \(name())\n" }
      if random.oneIn(5) { text += "# @ref \(name())\n" }
      if random.oneIn(3) { text += "@\(name()) = \(value())\n" }
      if random.oneIn(9) { text += "@global.\(name()) = \(value())\n" }
      text += "POST http://h.test/{{\(name())}}/{{\(name()).a}}?q={{%\(name())}}\n"
      if random.oneIn(3) { text += "X-A: {{\(name()).response.body.$.t}}\n" }
      if random.oneIn(3) { text += "\n{{\(name())}}\n" }
      if random.oneIn(9) { text += "\n<@ /p/body.json\n" }
      if random.oneIn(9) {
        text += "\n> {% client.global.set(\"\(name())\", \"s\(random.int(in: 0..<99))\") %}\n"
      }
      if random.oneIn(9) { text += "\n> {% client.log(client.global.get('\(name())')) %}\n" }
    }
    return text
  }
}

/// What every request of a project is in every environment, as text.
private func meanings(_ files: [String: [UInt8]]) -> [String] {
  var result: [String] = []
  let globals = globals(setIn: files)
  for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
    for name in texts(behind: "client.global.get('", upTo: "'", in: bytes) {
      result.append("\(path) reads \(globals[name].map { "\($0.value)" } ?? "nothing")")
    }
  }
  for (path, bytes) in files.sorted(by: { $0.key < $1.key })
  where ParsedDocument.isRequestFile(path) {
    let document = ParsedDocument(bytes: bytes)
    for environment in [nil, "dev", "prod"] {
      let set = EnvironmentSet(sources: sources(around: path, files), active: environment)
      let loader = RequestFileLoader(
        resolve: { written, file in
          let found = Project.resolve(written, file)
          return files[found] == nil ? nil : found
        },
        read: { .parsed(ParsedDocument(bytes: files[$0] ?? []), Dialect()) })
      var scope = Scope(
        files: RequestFiles(document, path: path, loader: loader), environments: set,
        dialect: Dialect())
      scope.globals = globals
      for block in document.requests {
        let evaluator = Evaluator(context: context(files), scope: scope)
        let lowered = Lowering.lower(
          block, evaluator: evaluator, defaults: RequestDefaults(userAgent: "t"))
        var search = ReadingSearch(scope)
        let needs = block.references.flatMap {
          search.requests(readBy: $0.expression, at: block.range.lowerBound)
        }.map { "\(scope.files.files[$0.file].path)#\($0.block)" }
        // What nothing resolves stands there as it is written, under another name afterwards.
        let sent = lowered.problems.isEmpty ? lowered.spec.map { "\($0)" } ?? "" : ""
        let problems = lowered.problems.map { "\($0.code)" }
        result.append("\(path) \(environment ?? "") \(block.index): \(sent) \(problems) \(needs)")
      }
    }
  }
  return result
}

/// What is left behind where every script of the files has run, one after the other.
private func globals(setIn files: [String: [UInt8]]) -> [String: GlobalValue] {
  var result: [String: GlobalValue] = [:]
  for (_, bytes) in files.sorted(by: { $0.key < $1.key }) {
    let names = texts(behind: "client.global.set(\"", upTo: "\"", in: bytes)
    for (name, value) in zip(names, texts(behind: "\", \"", upTo: "\") %}", in: bytes)) {
      result[name] = GlobalValue(.string(value))
    }
  }
  return result
}

private func texts(behind mark: String, upTo end: String, in bytes: [UInt8]) -> [String] {
  String(decoding: bytes, as: UTF8.self).split(
    separator: mark, omittingEmptySubsequences: false
  ).dropFirst().map { part in String(part.split(separator: end, maxSplits: 1)[0]) }
}

private func sources(around path: String, _ files: [String: [UInt8]]) -> [EnvironmentSource] {
  var folder = "/"
  var result: [EnvironmentSource] = []
  for part in path.split(separator: "/").dropLast() {
    folder += part + "/"
    for name in [".env", "http-client.env.json", "http-client.private.env.json"] {
      guard let bytes = files[folder + name], let kind = EnvironmentSource.Kind(path: folder + name)
      else { continue }
      result.append(
        EnvironmentSource(kind: kind, file: SourceFile(path: folder + name, bytes: bytes)))
    }
  }
  return result
}

private func context(_ files: [String: [UInt8]]) -> EvaluationContext {
  EvaluationContext(
    now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 4 }, processEnvironment: { _ in nil },
    readFile: { files[$0].map { .bytes($0) } ?? .missing },
    resolvePath: { files[$0] == nil ? nil : $0 }, exampleServer: { "" }, exchange: { _ in nil })
}

struct RenamingMeaningTests {
  @Test(arguments: 0..<12)
  func `No renaming changes what any request means`(batch: Int) {
    var renamed = 0
    for seed in batch * 40..<batch * 40 + 40 {
      var generated = GeneratedProject(seed: seed)
      var project = Project("")
      project.texts = generated.files.mapValues { MarkedText($0) }
      let index = project.index()
      let before = meanings(project.texts.mapValues(\.bytes))
      for _ in 0..<6 {
        guard let path = index.files.keys.sorted().randomElement(using: &generated.random),
          let file = index.files[path], !file.occurrences.isEmpty
        else { continue }
        let occurrence = generated.random.pick(file.occurrences)
        let newName = generated.random.pick(["fresh", "b", "sign in", "other_name"])
        var texts = project.texts.mapValues(\.bytes)
        guard
          // Refusing is right; to change a meaning is not.
          let edits = try? index.rename(
            in: file.path, at: occurrence.range.lowerBound, to: newName, kept: [])
        else { continue }
        renamed += edits.isEmpty ? 0 : 1
        for edit in edits {
          texts[edit.file.path] = TextEdit.apply(edit.edits, to: texts[edit.file.path] ?? [])
        }
        let after = meanings(texts)
        let words = "\(seed): \(occurrence.name) at \(file.path) to \(newName)"
        let differences = zip(before, after).filter { $0 != $1 }.map { "- \($0)\n+ \($1)" }
        guard differences.isEmpty, before.count == after.count else {
          let source = generated.files.keys.sorted().map { path in
            "-- \(path.dropFirst(3)) --\n\(generated.files[path] ?? "")"
          }
          Issue.record("\(words)\n\(differences.joined(separator: "\n"))\n\(source.joined())")
          return
        }
      }
    }
    #expect(renamed > 5)
  }
}
