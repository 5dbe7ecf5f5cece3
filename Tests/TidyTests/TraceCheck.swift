// Traces of the machine that a change was made on, which mean nothing on any other.

import PostKitSupport

/// Finds the places of this machine and the words of the tools around the project.
struct TraceCheck {
  /// What no file may hold.
  let traces: [String]

  /// Asks for the paths of this machine; wherever the tests run, they look for that place.
  init(root: String, home: String) {
    let parent = FilePath.parent(root)
    let shared: Set<String> = ["/", "/tmp", "/var/tmp", "/home", "/root", "/opt", "/srv", "/usr"]
    let places = [root, shared.contains(parent) ? nil : parent, shared.contains(home) ? nil : home]
    traces = places.compactMap { $0 }.flatMap { ["\($0)/", "\"\($0)\"", "'\($0)'"] } + words
  }

  /// The lines of a file with a trace.
  func violations(path: String, _ text: String) -> [Violation] {
    guard traces.contains(where: text.contains) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { line, text in
      traces.filter { text.contains($0) }.map {
        Violation(path: path, line: line + 1, rule: "names \($0)")
      }
    }
  }
}

/// Registries are reached through their clients, never by name; the rest names who wrote a line.
private let words = [
  "files.pythonhosted.org", "registry.npmjs.org", "pypi.org/simple", "subagent", "sub-agent",
  "language model", "system prompt",
]
