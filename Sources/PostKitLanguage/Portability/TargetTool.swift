// The tools whose reading of a file `postkit check --target` foretells.

import PostKitHTTP

/// A tool that reads `.http` files.
package enum TargetTool: String, Sendable, Hashable, CaseIterable {
  case jetbrains, restclient, httpyac, kulala, restnvim, visualstudio

  /// Its name for people.
  package var name: String {
    switch self {
    case .jetbrains: "JetBrains"
    case .restclient: "REST Client"
    case .httpyac: "httpYac"
    case .kulala: "kulala"
    case .restnvim: "rest.nvim"
    case .visualstudio: "Visual Studio"
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
  static let restnvim = TargetTools(rawValue: 16)
  static let visualstudio = TargetTools(rawValue: 32)
  /// Tools that read little beyond requests and their variables.
  static let plain: TargetTools = [.restnvim, .visualstudio]
  static let all: TargetTools = [.jetbrains, .restclient, .httpyac, .kulala, .plain]

  /// Whether a tool is one of them.
  func holds(_ tool: TargetTool) -> Bool {
    switch tool {
    case .jetbrains: contains(.jetbrains)
    case .restclient: contains(.restclient)
    case .httpyac: contains(.httpyac)
    case .kulala: contains(.kulala)
    case .restnvim: contains(.restnvim)
    case .visualstudio: contains(.visualstudio)
    }
  }

  /// Their names in a sentence.
  var names: String { TargetTool.allCases.filter(holds).map(\.name).listed("and") }
}
