// What modules give to scripts that import them (SC-76): found in their words, as nothing is run.

import PostKitEvaluate
import PostKitSyntax

/// A name that a module gives to others.
struct ScriptExport: Sendable, Hashable {
  let name: String
  /// Its bytes in the module.
  let range: Range<Int>
  let isFunction: Bool
}

extension ScriptReading {
  /// The names that the script gives to others as a module, each once, in order.
  var exports: [ScriptExport] {
    var found: [ScriptExport] = []
    let chains = chains
    for number in chains.indices {
      let first = chains.first(at: number)
      if tokens.isWord(first, "export") {
        found += written(behind: first + 1)
      } else if tokens.isWord(first, "exports") || tokens.isWord(first, "module") {
        found += assigned(to: chains[number])
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.name).inserted }
  }

  private func export(_ token: Int, isFunction: Bool = false) -> [ScriptExport] {
    guard let name = tokens.word(token) else { return [] }
    return [ScriptExport(name: name, range: tokens[token].range, isFunction: isFunction)]
  }

  /// What stands behind the word `export`.
  private func written(behind next: Int) -> [ScriptExport] {
    switch tokens.word(next) {
    case "default": return export(next, isFunction: isFunction(next + 1))
    case "class": return export(next + 1)
    case "function", "async":
      let name = (next + 1..<next + 4).first {
        tokens.word($0) != nil && !tokens.isWord($0, "function")
      }
      return name.map { export($0, isFunction: true) } ?? []
    case "const", "let", "var":
      guard tokens.opens(next + 1), let close = closer(next + 1) else {
        return export(next + 1, isFunction: isFunction(next + 3))
      }
      return declarations.filter { next < $0.token && $0.token < close }.flatMap {
        export($0.token)
      }
    default: break
    }
    guard tokens.isMark(next, "{"), let close = closer(next) else { return [] }
    // Of `a as b` others see the second name.
    return (next + 1..<close).filter {
      tokens.isMark($0 + 1, ",") || $0 + 1 == close
    }.flatMap { export($0) }
  }

  /// `exports.a = …`, `module.exports.a = …`, `module.exports = {a, b: …}`.
  private func assigned(to chain: ScriptChain) -> [ScriptExport] {
    guard tokens.isMark(chain.last + 1, "=") else { return [] }
    let names = path(of: chain).split(separator: ".")
    let isWhole = names == ["module", "exports"]
    if isWhole, tokens.isMark(chain.last + 2, "{") {
      return tokens.keys(ofObjectAt: chain.last + 2).flatMap { key -> [ScriptExport] in
        switch key {
        case .named(let range), .shorthand(let range):
          let token = firstToken(from: range.lowerBound)
          let isMethod = tokens.isMark(token + 1, "(")
          return [
            ScriptExport(
              name: tokens.text(range), range: range,
              isFunction: isMethod || isFunction(token + 2))
          ]
        case .open: return []
        }
      }
    }
    let count = names.first == "module" ? 3 : 2
    guard names.count == count, names[count - 2] == "exports" else { return [] }
    return export(chain.last, isFunction: isFunction(chain.last + 2))
  }

  /// Whether a function is written from a token on.
  private func isFunction(_ start: Int) -> Bool {
    let next = tokens.isWord(start, "async") ? start + 1 : start
    if tokens.isWord(next, "function") { return true }
    if tokens.isMark(next, "("), let close = closer(next) { return tokens.isMark(close + 1, "=>") }
    return tokens.word(next) != nil && tokens.isMark(next + 1, "=>")
  }
}

/// A name of a script that comes from a module.
struct ScriptImport: Sendable, Hashable {
  /// The module as it is written.
  let module: String
  /// The name that the module gives; `nil` for all of the module.
  let name: String?
}

extension ScriptReading {
  /// The module that names come from which stand in a brace: `import {…} from "./m.js"`,
  /// `const {…} = require("./m.js")`.
  func module(ofNamesIn brace: Int) -> String? {
    guard tokens.isMark(brace, "{"), let close = closer(brace) else { return nil }
    if tokens.isMark(close + 1, "=") { return required(at: close + 2) }
    guard tokens.isWord(close + 1, "from") else { return nil }
    return plainText(close + 2)
  }

  /// What a declared name takes from a module; `nil` where it is something else.
  func imported(_ declaration: ScriptDeclaration) -> ScriptImport? {
    let token = declaration.token
    let brace = opener(token).flatMap { tokens.isMark($0, "{") ? $0 : nil }
    switch declaration.kind {
    case .constant, .variable:
      if tokens.isMark(token + 1, "=") {
        return required(at: token + 2).map { ScriptImport(module: $0, name: nil) }
      }
      guard let module = brace.flatMap({ self.module(ofNamesIn: $0) }) else { return nil }
      let key = tokens.isMark(token - 1, ":") ? token - 2 : token
      return ScriptImport(module: module, name: tokens.text(key))
    case .imported:
      if let module = brace.flatMap({ self.module(ofNamesIn: $0) }) {
        let key = tokens.isWord(token - 1, "as") ? token - 2 : token
        return ScriptImport(module: module, name: tokens.text(key))
      }
      let from = (token..<min(token + 100, tokens.count)).first { tokens.isWord($0, "from") }
      guard let module = from.flatMap({ plainText($0 + 1) }) else { return nil }
      let isWhole = tokens.isWord(token - 1, "as") && tokens.isMark(token - 2, "*")
      return ScriptImport(module: module, name: isWhole ? nil : "default")
    case .function, .type, .parameter: return nil
    }
  }

  private func required(at token: Int) -> String? {
    guard tokens.isWord(token, "require"), tokens.isMark(token + 1, "(") else { return nil }
    return plainText(token + 2)
  }

  private func plainText(_ token: Int) -> String? {
    guard token < tokens.count, tokens[token].isPlain else { return nil }
    return tokens.text(tokens[token].inside)
  }
}

extension Analysis {
  /// The file of a module that a script names, and what it gives; `nil` where there is none.
  func scriptModule(_ written: String) -> (path: String, exports: [ScriptExport])? {
    guard ScriptModules.isPath(written) else { return nil }
    let path = ScriptModules.candidates(written).lazy.compactMap { context.resolvePath($0) }.first
    guard let path, !path.hasSuffix(".json") else { return nil }
    if let open = context.unsavedBytes(path) { return (path, ScriptReading.of(open[...]).exports) }
    guard case .bytes(let bytes) = context.readFile(path) else { return nil }
    return (path, ScriptReading.of(bytes[...]).exports)
  }

  /// The names that a module gives, as items.
  private func exportItems(
    _ module: String, _ replaced: Range<Int>, without known: Set<String> = []
  ) -> [CompletionItem] {
    let exports = scriptModule(module)?.exports ?? []
    return exports.filter { $0.name != "default" && !known.contains($0.name) }.enumerated().map {
      CompletionItem(
        $1.name, $1.isFunction ? .function : .variable, replaced: replaced, origin: module,
        rank: $0)
    }
  }

  /// The names that can stand in the braces of an import; `nil` where the place is none such.
  func importItems(
    _ place: ScriptPlace, _ replaced: Range<Int>, token: Int
  ) -> [CompletionItem]? {
    let reading = place.reading
    let brace = reading.tokens.opens(token - 1) ? token - 1 : reading.opener(token - 1)
    guard let brace, let module = reading.module(ofNamesIn: brace),
      !reading.tokens.isMark(token - 1, ":"), !reading.tokens.isWord(token - 1, "as")
    else { return nil }
    let end = reading.closer(brace) ?? brace
    let others = (brace + 1..<max(end, brace + 1)).filter {
      place.absolute(reading.tokens[$0].range) != replaced
    }
    return exportItems(
      module, replaced, without: Set(others.compactMap { reading.tokens.word($0) }))
  }

  /// The members of a name that stands for a module; `nil` where it stands for something else.
  func moduleItems(
    _ declaration: ScriptDeclaration, _ place: ScriptPlace, _ replaced: Range<Int>
  ) -> [CompletionItem]? {
    guard let found = place.reading.imported(declaration), found.name == nil else { return nil }
    return exportItems(found.module, replaced)
  }

  /// Where a name of a script is declared: in the module that it comes from, else in the script.
  func scriptDefinition(at offset: Int) -> DefinitionPlace? {
    guard let block = document.block(at: offset), !block.scripts.isEmpty,
      let place = block.scriptPlace(at: offset)
    else { return nil }
    let reading = place.reading
    guard let token = reading.token(at: place.place(offset)) else { return nil }
    let origin = place.absolute(reading.tokens[token].range)
    if reading.tokens[token].kind == .string {
      guard reading.paths.contains(reading.tokens[token].inside),
        let module = scriptModule(reading.tokens.text(reading.tokens[token].inside))
      else { return nil }
      return DefinitionPlace(origin: origin, path: module.path, range: 0..<0)
    }
    guard let word = reading.tokens.word(token) else { return nil }
    if let brace = reading.opener(token), let module = reading.module(ofNamesIn: brace),
      let found = export(word, of: module, origin)
    {
      return found
    }
    guard let chain = reading.chain(naming: token),
      let declaration = reading.declaration(of: chain.first)
    else { return nil }
    let source = reading.imported(declaration)
    if token == chain.first {
      if let source, let found = export(source.name, of: source.module, origin) { return found }
      let range = place.absolute(reading.tokens[declaration.token].range)
      return DefinitionPlace(origin: origin, path: nil, range: range)
    }
    guard let source, source.name == nil, chain.steps.count > 1,
      chain.steps[1] == .member(token)
    else { return nil }
    return export(word, of: source.module, origin)
  }

  /// Where a module gives a name, or where it begins.
  private func export(
    _ name: String?, of module: String, _ origin: Range<Int>
  ) -> DefinitionPlace? {
    guard let module = scriptModule(module) else { return nil }
    guard let name else { return DefinitionPlace(origin: origin, path: module.path, range: 0..<0) }
    return module.exports.first { $0.name == name }.map {
      DefinitionPlace(origin: origin, path: module.path, range: $0.range)
    }
  }
}
