// Completion of paths (C18): files and folders beside the request file, by what they are for.

import PostKitEvaluate
import PostKitHTTP
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
    case .body, .save:
      ![".http", ".rest"].contains(where: name.hasSuffix) && !name.hasPrefix("http-client.")
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
    // Right behind a marker the blank is missing.
    let isTight = folder.isEmpty && replaced.isEmpty && !isBlank(at: replaced.lowerBound - 1)
    let lead = isTight ? " " : ""
    // There `<` rather begins an element.
    if isTight, use == .body, isMarkup(at: replaced.lowerBound) { return [] }
    var items = sources.entries(folder).enumerated().compactMap { place, entry -> CompletionItem? in
      if entry.isFolder {
        return CompletionItem(
          entry.name + "/", .folder,
          text: lead + (next == UInt8(ascii: "/") ? entry.name : entry.name + "/"),
          replaced: replaced, rank: 1_000 + place, continues: true)
      }
      let suits = use.suits(entry.name)
      if !suits, use == .requests || use == .script { return nil }
      return CompletionItem(
        entry.name, .file, text: lead + entry.name, replaced: replaced,
        rank: suits ? place : 2_000 + place)
    }
    if folder.isEmpty {
      items += ["./", "../"].enumerated().map {
        CompletionItem(
          $1, .folder, text: lead + $1, replaced: replaced, rank: 3_000 + $0, continues: true)
      }
    } else if folder == "../" || folder.hasSuffix("/../") {
      items.append(CompletionItem("../", .folder, replaced: replaced, rank: 3_000, continues: true))
    }
    return items
  }

  /// Whether the body at an offset is XML or HTML, as its header says.
  private func isMarkup(at offset: Int) -> Bool {
    guard let block = document.block(at: offset) else { return false }
    let type = block.request?.headers.first {
      block.text($0.name).equalsIgnoringASCIICase("content-type")
    }
    let value = type?.value.map { block.text($0) }.joined() ?? ""
    return value.contains("xml") || value.contains("html")
  }

  /// The files that lines other than that of an offset import, as they name them.
  private func importedFiles(besides offset: Int) -> Set<String> {
    var paths: Set<String> = []
    for block in document.blocks where !block.directives.isEmpty {
      for directive in block.directives where directive.kind == .importFile {
        if block.absolute(directive.line).contains(offset) { continue }
        let path = block.text(directive.argument)
        paths.insert(path)
        paths.insert("./" + path)
      }
    }
    return paths
  }

  /// What `import` and `run` can name: request files below the file's folder as whole paths, what
  /// lies in another folder piece by piece, and behind `run` requests.
  func requestFileItems(
    _ prefix: String, _ replaced: Range<Int>, isRun: Bool, _ sources: CompletionSources
  ) -> [CompletionItem] {
    let names = isRun ? requestNameItems("", replaced, marker: "#") : []
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    if folder.isEmpty || folder == "./" || !folder.hasPrefix("../") && !folder.hasPrefix("/") {
      let imported = isRun ? [] : importedFiles(besides: replaced.lowerBound)
      return names
        + context.requestFiles().enumerated().compactMap { place, path in
          if imported.contains(path) { return nil }
          return CompletionItem(path, .file, replaced: replaced, rank: 1_000 + place)
        }
    }
    let start = min(replaced.lowerBound + folder.utf8.count, replaced.upperBound)
    return names + pathItems(.requests, folder, start..<replaced.upperBound, sources)
  }
}
