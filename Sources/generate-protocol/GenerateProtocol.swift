// Turns protocol/*.json into what derives from it: sources, the reference, the schema of settings,
// and parts of the plugins and their helps; and the script engine's JavaScript into sources. With
// --check it only compares.

import Libc
import PostKitJSON

/// The tool: `generate-protocol [--check] [ROOT]`, where ROOT holds `protocol`, `Sources`
/// and `editors`.
@main struct GenerateProtocol {
  /// Reads the arguments and does what they say.
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isCheck = arguments.first == "--check"
    if isCheck { arguments.removeFirst() }
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
      say("usage: generate-protocol [--check] [ROOT]")
      exit(2)
    }
    do {
      let root = arguments.first ?? "."
      let files = try generate(root)
      let stale = try isCheck ? compare(files, root) : write(files, root)
      for name in stale {
        say(isCheck ? "\(name) is stale: run swift run generate-protocol" : "\(name) written")
      }
      exit(isCheck && !stale.isEmpty ? 1 : 0)
    } catch {
      say("generate-protocol: \(error)")
      exit(1)
    }
  }

  private static let models = ["lsp.subset.json", "postkit.metaModel.json"]

  private static func say(_ line: String) { Files.write(line + "\n", to: 2) }

  private static let folder = "Sources/LanguageServerProtocol/Generated"
  private static let settingsFolder = "Sources/PostKitEvaluate/Generated"
  private static let scriptsFolder = "Sources/PostKitLanguage/Generated"
  private static let luaFile = "editors/neovim/lua/postkit/meta/protocol.lua"
  private static let manifest = "editors/vscode/package.json"
  private static let helps = ["editors/vim/doc/postkit.txt", "editors/neovim/doc/postkit.txt"]

  private static func json(_ name: String, _ root: String) throws -> JSONView {
    try JSONTree(parsing: try Files.read("\(root)/protocol/\(name)")).root
  }

  /// The generated files by their paths below the root.
  private static func generate(_ root: String) throws -> [(name: String, text: String)] {
    var model = ProtocolModel()
    var own: Set<String> = []
    for name in models {
      let before = model.structures.count
      try model.add(try json(name, root))
      if name != models[0] { own = Set(model.structures[before...].map(\.name)) }
    }
    try model.validate()
    var emitter = Emitter(model: model)
    var messages = emitter.table()
    for message in model.messages { messages += "\n" + (try emitter.message(message)) }
    let standard = model.structures.filter { !own.contains($0.name) }
    let ours = model.structures.filter { own.contains($0.name) }
    let half = standard.count / 2
    var files: [(name: String, text: String)] = []
    func add(_ name: String, _ purpose: String, _ declarations: [String]) {
      files.append(
        ("\(folder)/\(name)", Emitter.head(purpose) + declarations.joined(separator: "\n") + "}\n"))
    }
    add("Messages.swift", "The requests and notifications that we speak.", [messages])
    add(
      "Structures.swift", "The structures of LSP, first half.",
      try standard[..<half].map { try emitter.structure($0) })
    add(
      "MoreStructures.swift", "The structures of LSP, second half.",
      try standard[half...].map { try emitter.structure($0) })
    add(
      "PostkitStructures.swift", "The structures of our own messages.",
      try ours.map { try emitter.structure($0) })
    add(
      "Enumerations.swift", "The enumerations.",
      model.enumerations.map { emitter.enumeration($0) })
    var unions: [String] = []
    for (name, type) in model.aliases {
      guard case .either(let items) = type else {
        throw ModelFailure("the alias \(name) is no union")
      }
      unions.append(try emitter.union(name, items))
    }
    var written: Set<String> = []
    while let next = emitter.types.unions.keys.filter({ !written.contains($0) }).min() {
      written.insert(next)
      unions.append(try emitter.union(next, emitter.types.unions[next] ?? []))
    }
    add("Unions.swift", "The types that are one of several.", unions)
    return try files + tables(root, model, own) + PreludeEmitter(root: root).files()
  }

  /// The files that the tables of commands and settings are in.
  private static func tables(
    _ root: String, _ model: ProtocolModel, _ own: Set<String>
  ) throws -> [(name: String, text: String)] {
    let list = try json("commands.json", root)
    let commands = try CommandsTable(list, structures: own)
    let settings = try SettingsTable(try json("settings.json", root))
    let reference = ReferenceEmitter(
      model: model, own: own, examples: try Files.names(in: "\(root)/protocol/examples"))
    let page = reference.page(
      commands: list, errors: try json("errors.json", root),
      settings: try JSONTree(parsing: Array(settings.schema.utf8)).root)
    var files: [(name: String, text: String)] = [
      ("\(folder)/Commands.swift", commands.swift),
      ("\(settingsFolder)/Settings.swift", SettingsEmitter(table: settings).file),
      ("protocol/REFERENCE.md", page),
      ("protocol/settings.schema.json", settings.schema),
      ("editors/vscode/schemas/settings.schema.json", settings.schema),
      (luaFile, LuaEmitter(model: model, own: own).file(commands: list)),
    ]
    files += try scripts(root)
    var package = try JSONFile(try Files.read("\(root)/\(manifest)"))
    try package.set(["contributes", "configuration"], to: settings.configuration)
    try package.set(
      ["capabilities", "untrustedWorkspaces", "restrictedConfigurations"], to: settings.restricted)
    try package.merge(["contributes", "commands"], commands.contributed)
    try package.merge(["contributes", "menus", "commandPalette"], commands.palette)
    files.append((manifest, package.text))
    for name in helps {
      var help = HelpEmitter(try text(name, root))
      try help.set(settings.settings)
      for (verb, sentence) in commands.verbs { try help.set(verb: verb, sentence) }
      files.append((name, help.text))
    }
    for editor in [CommandsTable.Editor.vim, .neovim, .vscode] {
      files.append((editor.source, try commands.call(in: try text(editor.source, root), editor)))
    }
    return files
  }

  /// The files that the table of what scripts can name is in.
  private static func scripts(_ root: String) throws -> [(name: String, text: String)] {
    let table = try ScriptTable(try json("script-api.json", root))
    let types = ScriptTypesEmitter(table: table)
    return [
      ("\(scriptsFolder)/ScriptTypes+Text.swift", types.source),
      ("\(scriptsFolder)/ScriptEntries.swift", ScriptEmitter(table: table).file),
      ("Sources/PostKitLanguage/SCRIPTS.md", ScriptPageEmitter(table: table).page),
      ("editors/types/postkit.d.ts", types.file),
    ]
  }

  private static func text(_ name: String, _ root: String) throws -> String {
    String(decoding: try Files.read("\(root)/\(name)"), as: UTF8.self)
  }

  private static func compare(
    _ files: [(name: String, text: String)], _ root: String
  ) throws -> [String] {
    let names = files.map(\.name)
    let folders = [folder, settingsFolder, scriptsFolder, PreludeEmitter.generated]
    let present = try folders.flatMap { folder in
      try Files.names(in: "\(root)/\(folder)").map { "\(folder)/\($0)" }
    }
    let stale = files.filter { file in
      // A file that isn't there yet is as stale as one that differs.
      let bytes = try? Files.read("\(root)/\(file.name)")  // nil is another text, too
      return bytes != Array(file.text.utf8)
    }
    return stale.map(\.name) + present.filter { !names.contains($0) }.sorted()
  }

  private static func write(
    _ files: [(name: String, text: String)], _ root: String
  ) throws -> [String] {
    let stale = try compare(files, root)
    for file in files where stale.contains(file.name) {
      try Files.write(file.text, toFile: "\(root)/\(file.name)")
    }
    let names = files.map(\.name)
    for name in stale where !names.contains(name) {
      try Files.remove("\(root)/\(name)")
    }
    return stale
  }
}
