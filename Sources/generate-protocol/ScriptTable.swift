// The table of what scripts can name, protocol/script-api.json.

import PostKitJSON

/// A parameter of a function that scripts can call.
struct ScriptTableParameter {
  let name: String
  let type: String
  let isOptional: Bool
  let isRest: Bool

  /// The parameter as TypeScript writes it.
  var text: String { "\(isRest ? "..." : "")\(name)\(isOptional ? "?" : ""): \(type)" }
}

/// A way to call a function.
struct ScriptTableSignature {
  let parameters: [ScriptTableParameter]
  let returns: String
  let generic: String?

  /// The signature as TypeScript writes it.
  var text: String {
    let inner = parameters.map(\.text).joined(separator: ", ")
    return "\(generic.map { "<\($0)>" } ?? "")(\(inner)): \(returns)"
  }
}

/// A name that scripts can use.
struct ScriptTableEntry {
  let path: String
  let kind: String
  let type: String?
  let families: [String]
  let phases: String
  let signatures: [ScriptTableSignature]
  let doc: String
  let absent: String?
  let throwing: String?
  let snippet: String?

  /// Reads an entry; throws where something is missing or unknown.
  init(_ view: JSONView) throws(ModelFailure) {
    path = view["path"]?.string ?? ""
    kind = view["kind"]?.string ?? ""
    type = view["type"]?.string
    families = (view["families"]?.elements ?? []).compactMap(\.string)
    phases = view["phases"]?.string ?? ""
    signatures = (view["signatures"]?.elements ?? []).map { item in
      ScriptTableSignature(
        parameters: (item["parameters"]?.elements ?? []).map { parameter in
          ScriptTableParameter(
            name: parameter["name"]?.string ?? "", type: parameter["type"]?.string ?? "any",
            isOptional: parameter["optional"]?.bool ?? false,
            isRest: parameter["rest"]?.bool ?? false)
        }, returns: item["returns"]?.string ?? "void", generic: item["generic"]?.string)
    }
    doc = view["doc"]?.string ?? ""
    absent = view["absent"]?.string
    throwing = view["throws"]?.string
    snippet = view["snippet"]?.string
    guard !path.isEmpty, ["object", "function", "property"].contains(kind), !families.isEmpty,
      families.allSatisfy(ScriptTable.families.contains), doc.hasSuffix("."),
      !phases.isEmpty, phases.allSatisfy(ScriptTable.phases.contains)
    else {
      throw ModelFailure("the script entry \(path) needs a kind, families, phases and a sentence")
    }
    guard (kind == "function") == !signatures.isEmpty, kind != "property" || type != nil else {
      throw ModelFailure("the script entry \(path) needs signatures or a type by its kind")
    }
  }

  /// The names above the last one.
  var owner: Substring? { path.lastIndex(of: ".").map { path[..<$0] } }

  /// The last of its names.
  var name: Substring { path.split(separator: ".").last ?? "" }
}

/// Entries that belong together, as a chapter of the page.
struct ScriptTableGroup {
  let title: String
  /// The type whose members they are, unless they are globals and what is below them.
  let type: String?
  let entries: [ScriptTableEntry]
}

/// The table.
struct ScriptTable {
  static let families = [
    "jetbrains", "httpyac", "kulala", "web", "node", "postman", "bruno",
  ]
  static let phases = "IPQSHLAX"

  /// The phases' letters and what they are.
  let phaseNames: [(letter: String, name: String)]
  let groups: [ScriptTableGroup]

  /// All entries.
  var entries: [ScriptTableEntry] { groups.flatMap(\.entries) }

  /// The types whose members stand in the table.
  var types: [String] { groups.compactMap(\.type) }

  /// Reads the table; throws where something is wrong with it.
  init(_ view: JSONView) throws(ModelFailure) {
    phaseNames = (view["phases"]?.members ?? []).map {
      ($0.key.string ?? "", $0.value.string ?? "")
    }
    var groups: [ScriptTableGroup] = []
    var paths: Set<Substring> = []
    for group in view["groups"]?.elements ?? [] {
      let type = group["type"]?.string
      if let type { paths.insert(type[...]) }
      var entries: [ScriptTableEntry] = []
      for item in group["entries"]?.elements ?? [] {
        let entry = try ScriptTableEntry(item)
        guard paths.insert(entry.path[...]).inserted else {
          throw ModelFailure("the script entry \(entry.path) stands in the table twice")
        }
        if let owner = entry.owner, !paths.contains(owner) {
          throw ModelFailure("the script entry \(entry.path) has no entry above it")
        }
        if let type, entry.owner != nil, !entry.path.hasPrefix(type + ".") {
          throw ModelFailure("the script entry \(entry.path) is no member of \(type)")
        }
        entries.append(entry)
      }
      groups.append(
        ScriptTableGroup(title: group["title"]?.string ?? "", type: type, entries: entries))
    }
    self.groups = groups
    guard phaseNames.map(\.letter).joined() == ScriptTable.phases else {
      throw ModelFailure("the table of scripts names other phases than \(ScriptTable.phases)")
    }
  }
}
