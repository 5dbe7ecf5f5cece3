// The language of typed queries has no word that the product doesn't speak.

/// Finds words of typed queries and functions that take them, which only tests use.
///
/// A word is what a column or a relationship has, a function what the store or a connection has. As
/// nothing here knows types, they are told from those of Swift's own by what stands before them.
struct QueryCallers {
  private let product: [String]

  /// Looks for callers in the shipped files.
  init(_ files: [SourceText]) {
    product = files.flatMap(\.code)
  }

  /// The declarations of a file of `PostKitStore/Query` that nobody uses.
  func violations(_ file: SourceText) throws -> [Violation] {
    guard let kind = try Self.kind(of: file.path) else { return [] }
    let declaration = try Regex(
      #"^\s*(?:package )?(?:mutating )?(?:func|var) (\w+)"#, as: (Substring, Substring).self)
    var found: [Violation] = []
    var seen: Set<String> = []
    for (index, line) in file.code.enumerated() {
      guard let name = line.firstMatch(of: declaration).map({ String($0.output.1) }),
        // What stands deeper is inside of a function.
        line.prefix(while: { $0 == " " }).count == 2, seen.insert(name).inserted
      else { continue }
      let use = try Regex(kind.replacing("WORD", with: name))
      if !product.contains(where: { $0.contains(use) }) {
        found.append(
          Violation(path: file.path, line: index + 1, rule: "the product never uses `\(name)`"))
      }
    }
    return found
  }

  /// What the use of something looks like that a file declares; `nil` where it declares nothing
  /// that others write.
  private static func kind(of path: String) throws -> String? {
    switch path.split(separator: "/").last {
    case "Column.swift", "Relationship.swift":
      #"(\$0|columns|entry)\.\w+\.WORD\b"#
    case "Prefetch.swift": #"(\$0\.\w+\.(prefetch\(\)\.)?|connection\.)WORD\("#
    case "Store+Query.swift", "Connection+Query.swift":
      #"\b(store\??|connection|self)\.WORD\(|try (await )?WORD\((Model|FetchDescriptor|\w+\.self)"#
    default: nil
    }
  }
}
