// Where requests use secrets, so that the values which people have put under their names stay with
// the requests.

extension FolderMerge {
  /// The secrets that a request uses in its headers and its query, by what they are used for there.
  func uses(in parts: PartTexts) -> [String: String] {
    if secretNames.isEmpty { return [:] }
    var result: [String: String] = [:]
    let items = PartItems.headers(parts.headers) + (RequestLineItems.items(parts.line) ?? [])
    for item in items where item.text.hasTemplate {
      // A header of cookies has several.
      for piece in item.text.split(separator: ";") {
        var use = item.name
        if let open = piece.firstRange(of: "{{") { use += " " + piece[..<open.lowerBound] }
        _ = TemplateText.rewriting(String(piece)) { name in
          if secretNames.contains(String(name)) { result[use] = String(name) }
          return nil
        }
      }
    }
    return result
  }

  /// The names that requests use where they have not used them before: only these can have become
  /// the names of something else.
  var newlyUsed: Set<String> {
    guard let base else { return [] }
    var (used, kept) = (Set<String>(), Set<String>())
    for (id, block) in origin {
      let (known, now) = (base.requests[id], manifest.requests[id])
      for part in BlockPart.allCases {
        let isKept = known != nil && known?.parts[part] == now?.parts[part]
        let hashes = part == .headers ? known?.headers : part == .line ? known?.query : nil
        // Of a part that is merged by names, what stays the same in it is kept, too.
        let items = hashes.flatMap { _ in
          part == .headers ? PartItems.headers(block.parts[part])
            : RequestLineItems.items(block.parts[part])
        } ?? [PartItem(name: "", text: block.parts[part])]
        for item in items {
          let isSame = isKept || hashes?[item.name] == PartHash.short(item.text)
          _ = TemplateText.rewriting(item.text) { name in
            if isSame { kept.insert(String(name)) } else { used.insert(String(name)) }
            return nil
          }
        }
      }
      for (use, name) in now?.secrets ?? [:] where known?.secrets[use] == name { kept.insert(name) }
      for (use, name) in now?.uses ?? [:] where known?.uses[use] == name { kept.insert(name) }
    }
    return used.subtracting(kept)
  }
}
