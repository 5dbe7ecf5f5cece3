// The environments of a collection of Bruno's.

/// Reads an environment file.
struct BrunoEnvironmentReader {
  let file: BrunoFile
  let shared: BrunoShared

  /// The folder of environments at the root of a collection.
  static let folder = "environments"

  /// Whether a file that was named by itself is an environment.
  static func isEnvironment(_ text: BruText) -> Bool {
    !text.blocks.isEmpty && text.blocks.allSatisfy { $0.name == "vars" || $0.name == "vars:secret" }
  }

  /// The environment, named as its file. Secrets have no value in the file.
  func read() throws(OriginFailure) -> OriginEnvironment {
    var environment = OriginEnvironment(name: file.stem, place: file.place())
    for pair in try file.pairs("vars") {
      environment.variables.append(
        BrunoFolderReader.variable(pair, of: file, shared, origin: nil))
    }
    for block in file.text.blocks where block.name == "vars:secret" {
      for (text, line) in block.items {
        let isOn = !text.hasPrefix("~")
        let name = isOn ? text : String(text.dropFirst())
        if let index = environment.variables.firstIndex(where: { $0.name == name }) {
          environment.variables[index].isSecret = true
          continue
        }
        environment.variables.append(
          OriginVariable(
            name: name, value: nil, isSecret: true, isOn: isOn, place: file.place(line)))
      }
    }
    for pair in file.text.pairs where pair.key != "color" {
      tellUnknown(pair.key, pair.line)
    }
    for block in file.text.blocks where block.name != "vars" && block.name != "vars:secret" {
      tellUnknown(block.name, block.line)
    }
    return environment
  }

  private func tellUnknown(_ name: String, _ line: Int) {
    shared.notes.tell(
      .memberUnknown, "PostKit does not know what `\(name)` means and leaves it out.",
      at: file.place(line))
  }
}
