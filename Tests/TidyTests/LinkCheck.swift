// Links and pictures of pages: each leads to a file or folder of the repository.

import PostKitSupport

/// Finds links that lead nowhere. Links to other places in the world are not followed.
struct LinkCheck {
  private let places: Set<String>

  /// Knows the paths of all files, from the root of the repository.
  init(paths: [String]) {
    places = Set(paths.flatMap { LinkCheck.folders(above: $0) + [$0] })
  }

  /// The links of a page that lead nowhere.
  func violations(path: String, _ page: String) -> [Violation] {
    let folder = LinkCheck.folders(above: path).last.map { "/" + $0 } ?? ""
    return page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .flatMap { number, line -> [Violation] in
        guard line.utf8.contains(UInt8(ascii: "]")), !line.hasPrefix("    ") else { return [] }
        return line.matches(of: #/\]\(([^)\s#]+)[^)]*\)/#).compactMap { match in
          let link = String(match.1)
          let place = FilePath.normalise("\(folder)/\(link)")
          guard !link.contains(":"), !places.contains(String(place.dropFirst())) else { return nil }
          return Violation(path: path, line: number + 1, rule: "links to nothing: \(link)")
        }
      }
  }

  /// The folders that a file lies in, the outermost first.
  private static func folders(above path: String) -> [String] {
    let parts = path.split(separator: "/").dropLast()
    return parts.indices.map { parts[...$0].joined(separator: "/") }
  }
}
