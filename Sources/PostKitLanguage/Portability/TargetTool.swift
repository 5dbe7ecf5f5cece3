// The tools whose reading of a file `postkit check --target` foretells.

/// A tool that reads `.http` files.
package enum TargetTool: String, Sendable, Hashable, CaseIterable {
  case jetbrains, restclient, httpyac, kulala

  /// Its name for people.
  package var name: String {
    switch self {
    case .jetbrains: "JetBrains"
    case .restclient: "REST Client"
    case .httpyac: "httpYac"
    case .kulala: "kulala"
    }
  }
}

/// A set of tools, as tables need it.
struct TargetTools: OptionSet, Sendable, Hashable {
  let rawValue: Int

  static let jetbrains = TargetTools(rawValue: 1)
  static let restclient = TargetTools(rawValue: 2)
  static let httpyac = TargetTools(rawValue: 4)
  static let kulala = TargetTools(rawValue: 8)
  static let all: TargetTools = [.jetbrains, .restclient, .httpyac, .kulala]

  /// Whether a tool is one of them.
  func holds(_ tool: TargetTool) -> Bool {
    switch tool {
    case .jetbrains: contains(.jetbrains)
    case .restclient: contains(.restclient)
    case .httpyac: contains(.httpyac)
    case .kulala: contains(.kulala)
    }
  }

  /// Their names in a sentence.
  var names: String {
    let names = TargetTool.allCases.filter(holds).map(\.name)
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
