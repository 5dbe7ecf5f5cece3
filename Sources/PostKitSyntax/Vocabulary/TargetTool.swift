// The tools whose reading of a file `postkit check --target` foretells.

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
package struct TargetTools: OptionSet, Sendable, Hashable {
  /// One bit for each tool.
  package let rawValue: Int

  /// Makes a set of tools of their bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  private init(_ tool: TargetTool) {
    rawValue = 1 << (TargetTool.allCases.firstIndex(of: tool) ?? 0)
  }

  package static let jetbrains = TargetTools(.jetbrains)
  package static let restclient = TargetTools(.restclient)
  package static let httpyac = TargetTools(.httpyac)
  package static let kulala = TargetTools(.kulala)
  package static let restnvim = TargetTools(.restnvim)
  package static let visualstudio = TargetTools(.visualstudio)
  /// Tools that read little beyond requests and their variables.
  package static let plain: TargetTools = [.restnvim, .visualstudio]
  /// Those that read more.
  package static let notPlain: TargetTools = [.jetbrains, .restclient, .httpyac, .kulala]
  package static let all: TargetTools = [.notPlain, .plain]

  /// Whether a tool is one of them.
  package func holds(_ tool: TargetTool) -> Bool { contains(TargetTools(tool)) }
}
