// Small descriptions for tests, and what an import makes of them as texts to compare.

import PostKitJSON
import Testing

@testable import PostKitTransfer

/// A description in pieces.
struct OpenAPISource {
  var text: String
  var files: [String: String] = [:]
  var options = OriginOptions()

  init(text: String) { self.text = text }

  /// A description of its members; with a server unless the version or the root says others.
  init(
    version: String = #""openapi":"3.1.0""#, root: String? = nil, paths: String = "",
    components: String = ""
  ) {
    let root = root ?? #""servers":[{"url":"http://h"}]"#
    text = """
      {\(version),"info":{"title":"T","version":"1"},\(root),"paths":{\(paths)},
      "components":{\(components)}}
      """
    if version.contains("swagger") {
      text = "{\(version),\"info\":{\"title\":\"T\"},\(root),\"paths\":{\(paths)}}"
    }
  }

  /// What an import makes of it.
  struct Result {
    let collection: OriginCollection
    let noted: [ImportNote]

    /// The requests by what names them.
    var requests: [String: OriginRequest] {
      let all = collection.root.requests + collection.root.folders.flatMap(\.requests)
      return Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The code and place of each note.
    var notes: [String] { noted.map { "\($0.code.rawValue) \($0.place)" } }

    /// What holds in every environment.
    var shared: [String] { collection.shared.map(Self.text) }

    /// The environments with their variables.
    var environments: [String] {
      collection.environments.map {
        "\($0.name): \($0.variables.map(Self.text).joined(separator: ", "))"
      }
    }

    private static func text(_ variable: OriginVariable) -> String {
      "\(variable.name)=\(variable.value?.text ?? (variable.isSecret ? "SECRET" : "nil"))"
    }
  }

  /// Imports it.
  func read() throws -> Result {
    let notes = ImportNotes()
    let files = files
    let context = OriginContext(
      notes: notes,
      file: { path in
        if path.hasPrefix("..") { return .outside }
        return files[path].map { .bytes(Array($0.utf8)) } ?? .missing
      }, options: options)
    let source = OriginSource(name: "api.json", bytes: Array(text.utf8))
    let collection = try OpenAPIImporter.read([source], context)
    return Result(collection: collection, noted: notes.notes)
  }
}

extension [OriginPair] {
  /// The pairs as `name=value`; those that are switched off behind `#`.
  var shown: [String] {
    map { pair in
      let value = pair.value.map { "=\($0.text)" } ?? ""
      return "\(pair.isOn ? "" : "# ")\(pair.name.text)\(value)"
    }
  }
}
