// Completion of paths (C18): files and folders beside the request file, by what they are for.

import PostKitEvaluate
import PostKitSyntax

/// What a path is for.
package enum PathUse: Sendable, Hashable {
  /// The text of a body, behind `<` or `<@`.
  case body
  /// A script, behind `>`, or behind `<` before a request.
  case script
  /// Where a response goes, behind `>>`.
  case save
  /// Other request files, behind `import` and `run`.
  case requests

  /// Whether a file of that name is likely to be meant; others come later, and behind `import` not
  /// at all.
  fileprivate func suits(_ name: String) -> Bool {
    switch self {
    case .body, .save: true
    case .script: [".js", ".mjs", ".cjs", ".ts", ".lua"].contains(where: name.hasSuffix)
    case .requests: [".http", ".rest"].contains(where: name.hasSuffix)
    }
  }
}

extension Analysis {
  /// What lies in a folder that is named as a path in the file, such as `./data/`.
  func pathItems(
    _ use: PathUse, _ folder: String, _ replaced: Range<Int>, _ sources: CompletionSources
  ) -> [CompletionItem] {
    let next = document.bytes.dropFirst(replaced.upperBound).first
    var items = sources.entries(folder).enumerated().compactMap { place, entry -> CompletionItem? in
      if entry.isFolder {
        return CompletionItem(
          entry.name + "/", .folder,
          text: next == UInt8(ascii: "/") ? entry.name : entry.name + "/", replaced: replaced,
          rank: 1_000 + place, continues: true)
      }
      let suits = use.suits(entry.name)
      if !suits, use == .requests { return nil }
      return CompletionItem(
        entry.name, .file, replaced: replaced, rank: suits ? place : 2_000 + place)
    }
    if folder.isEmpty {
      items += ["./", "../"].enumerated().map {
        CompletionItem($1, .folder, replaced: replaced, rank: 3_000 + $0, continues: true)
      }
    } else if folder == "../" || folder.hasSuffix("/../") {
      items.append(
        CompletionItem("../", .folder, replaced: replaced, rank: 3_000, continues: true))
    }
    return items
  }

  /// What `import` and `run` can name: request files below the file's folder as whole paths, what
  /// lies in another folder piece by piece, and behind `run` requests.
  func requestFileItems(
    _ prefix: String, _ replaced: Range<Int>, isRun: Bool, _ sources: CompletionSources
  ) -> [CompletionItem] {
    let names = isRun ? requestNameItems("", replaced, marker: "#") : []
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    if folder.isEmpty || folder == "./" || !folder.hasPrefix("../") && !folder.hasPrefix("/") {
      return names + context.requestFiles().enumerated().map {
        CompletionItem($1, .file, replaced: replaced, rank: 1_000 + $0)
      }
    }
    let start = min(replaced.lowerBound + folder.utf8.count, replaced.upperBound)
    return names + pathItems(.requests, folder, start..<replaced.upperBound, sources)
  }
}
