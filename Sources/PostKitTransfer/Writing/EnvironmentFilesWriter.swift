// The environment files of a written folder.

import PostKitJSON

/// Writes `http-client.env.json` and `http-client.private.env.json`.
enum EnvironmentFilesWriter {
  /// The name of the file that everybody may read.
  static let publicName = "http-client.env.json"
  /// The name of the file with the secrets, which belongs in no version control.
  static let privateName = "http-client.private.env.json"

  /// The bytes of the file that everybody may read; `nil` where there is nothing to say.
  static func publicFile(_ environments: [WrittenEnvironment]) -> [UInt8]? {
    file(environments.map { ($0.name, $0.values) }, keepsEmpty: true)
  }

  /// The bytes of the file with the secrets; `nil` where there are none.
  static func privateFile(_ environments: [WrittenEnvironment]) -> [UInt8]? {
    file(environments.map { ($0.name, $0.secrets) }, keepsEmpty: false)
  }

  /// An object with a member for each environment, a variable a line.
  private static func file(
    _ environments: [(name: String, variables: [WrittenVariable])], keepsEmpty: Bool
  ) -> [UInt8]? {
    let environments = environments.filter { keepsEmpty || !$0.variables.isEmpty }
    guard !environments.isEmpty else { return nil }
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    for environment in environments {
      writer.key(environment.name)
      writer.beginObject()
      for variable in environment.variables {
        writer.key(variable.name)
        writer.raw(variable.json.utf8)
      }
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
