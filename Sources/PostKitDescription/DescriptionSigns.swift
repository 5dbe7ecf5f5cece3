// By what a file is taken for a description of an API before it is read (IO-34).

/// The signs of a description.
package enum DescriptionSigns {
  /// The folders beside request files that descriptions are looked for in.
  package static let folders = ["docs", "api", "spec", "specs"]
  /// How many bytes of a file are looked at.
  package static let headBytes = 4 << 10

  /// Whether a file is called as descriptions are: `openapi*.yaml`, `swagger*.json`,
  /// `*.openapi.yml`, `api-docs.json`.
  package static func isName(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let dot = name.lastIndex(of: "."),
      ["json", "yaml", "yml"].contains(name[name.index(after: dot)...])
    else { return false }
    let stem = name[..<dot]
    return stem.hasPrefix("openapi") || stem.hasPrefix("swagger") || stem.hasSuffix(".openapi")
      || name == "api-docs.json"
  }

  /// Whether the beginning of a file shows one of the words that each description has at its top.
  package static func isHead(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes.prefix(headBytes))
    for word in ["openapi", "swagger"] {
      let word = Array(word.utf8)
      var at = 0
      while at + word.count < bytes.count {
        let end = at + word.count
        guard bytes[at] == word[0], bytes[at..<end].elementsEqual(word) else {
          at += 1
          continue
        }
        let before = at == 0 ? UInt8(ascii: "\n") : bytes[at - 1]
        let isQuoted = (before == UInt8(ascii: "\"") || before == UInt8(ascii: "'"))
          && bytes[end] == before
        // Behind a byte order mark a line begins, too.
        let isLine = [0x0A, 0x0D, 0xBF].contains(before) && bytes[end] == UInt8(ascii: ":")
        if isQuoted || isLine { return true }
        at = end
      }
    }
    return false
  }
}
