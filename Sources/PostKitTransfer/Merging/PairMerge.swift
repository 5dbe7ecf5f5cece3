// Merging the lines of a part by their names: headers, the pairs of a query, definitions.

/// A line of a part, or several that belong together, under the name by which they are merged.
struct PartItem: Sendable, Hashable {
  /// The name, unique in its part; that of a comment is the comment itself.
  var name: String
  var text: String
}

/// The parts of files that are merged by names, and how they are taken apart and put together.
enum PartItems {
  /// The lines of headers; those that are switched off stand under the header's name, too.
  static func headers(_ text: String) -> [PartItem] {
    var result: [PartItem] = []
    for line in lines(text) {
      if line.utf8.first == 32 || line.utf8.first == 9, let last = result.indices.last {
        result[last].text += "\n\(line)"
      } else {
        result.append(PartItem(name: headerName(line), text: String(line)))
      }
    }
    return numbered(result)
  }

  /// The lines of a file's head: definitions under their names, others as they are.
  static func definitions(_ text: String) -> [PartItem] {
    numbered(
      lines(text).map { line in
        guard line.utf8.first == UInt8(ascii: "@"),
          let end = line.utf8.firstIndex(of: UInt8(ascii: "="))
        else { return PartItem(name: "#\(line)", text: String(line)) }
        var name = line[..<end]
        while name.utf8.last == 32 || name.utf8.last == 9 { name.removeLast() }
        let isPlain = !name.utf8.contains { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ":") }
        if !isPlain { name = Substring(name.filter { $0 != " " && $0 != "\t" && $0 != ":" }) }
        return PartItem(name: String(name), text: String(line))
      })
  }

  /// The lines of items below each other.
  static func text(_ items: [PartItem]) -> String { items.map(\.text).joined(separator: "\n") }

  /// The items with names that differ: a second `x` becomes `x 2`.
  static func numbered(_ items: [PartItem]) -> [PartItem] {
    // Nearly always they differ, and are so few that no table is needed to see it.
    let isShort = items.count <= 16
    if isShort, items.indices.allSatisfy({ place in
      !items[..<place].contains { $0.name == items[place].name }
    }) {
      return items
    }
    var counts: [String: Int] = [:]
    return items.map { item in
      let count = counts[item.name, default: 0] + 1
      counts[item.name] = count
      return count == 1 ? item : PartItem(name: "\(item.name) \(count)", text: item.text)
    }
  }

  private static func lines(_ text: String) -> [Substring] { text.isEmpty ? [] : text.partedLines }

  /// The name of a header line, switched off or not; a comment is its own name.
  private static func headerName(_ line: Substring) -> String {
    var rest = line.utf8
    let (hash, slash) = (UInt8(ascii: "#"), UInt8(ascii: "/"))
    let isOff = rest.first == hash || rest.starts(with: [slash, slash])
    if isOff { rest = rest.drop { $0 == hash || $0 == slash || $0 == 32 || $0 == 9 } }
    let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
    let name = rest[..<end]
    let isName = !name.isEmpty && end < rest.endIndex && !name.contains { $0 == 32 || $0 == 9 }
    return isName ? Substring(name).lowercased() : "#\(line)"
  }
}

extension String {
  /// The lines of a text whose lines end with LF.
  fileprivate var partedLines: [Substring] {
    if !has("\n") { return [self[...]] }
    return utf8.split(separator: 10, omittingEmptySubsequences: false).map(Substring.init)
  }
}

/// A request line with its query as items: the method and the target, each pair, the version.
enum RequestLineItems {
  /// The columns that a request line may have with its query on it (IO-10).
  private static let columns = 100

  /// The method and the target of a first line, without query and version.
  static func target(of line: Substring) -> Substring {
    let line = withoutVersion(line).line
    return line[..<(queryStart(line) ?? line.endIndex)]
  }

  /// Whether a line is a comment that would be a line of a query.
  static func isSwitchedOffQuery(_ line: String) -> Bool {
    var rest = line.drop { $0 == " " || $0 == "\t" }
    guard rest.hasPrefix("#") || rest.hasPrefix("//") else { return false }
    rest = rest.drop { $0 == "#" || $0 == "/" }
    guard rest.first == " " || rest.first == "\t" else { return false }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard let mark = rest.first, mark == "?" || mark == "&" else { return false }
    return !rest.contains { $0 == " " || $0 == "\t" }
  }

  /// The items of a part; `nil` for one that is written in other ways, such as a command line.
  static func items(_ text: String) -> [PartItem]? {
    var lines = text.partedLines[...]
    guard let first = lines.popFirst(), !first.hasPrefix("curl") else { return nil }
    let (line, version) = withoutVersion(first)
    let start = queryStart(line) ?? line.endIndex
    var result = [PartItem(name: "", text: String(line[..<start]))]
    result += pairs(line[start...].dropFirst()).map(pair)
    for line in lines {
      var rest = line.drop { $0 == " " || $0 == "\t" }
      let isOff = isSwitchedOffQuery(String(line))
      if isOff { rest = rest.drop { "#/ \t".contains($0) } }
      guard rest.first == "?" || rest.first == "&" else { return nil }
      var (text, last) = (rest.dropFirst(), Substring())
      if !isOff { (text, last) = withoutVersion(text) }
      for part in pairs(text) {
        var item = pair(part)
        if isOff { item.text = "# \(item.text)" }
        result.append(item)
      }
      if !last.isEmpty { result.append(PartItem(name: "HTTP/", text: String(last))) }
    }
    if !version.isEmpty { result.append(PartItem(name: "HTTP/", text: String(version))) }
    return PartItems.numbered(result)
  }

  /// The part of items, as importers lay it out (IO-10).
  static func text(_ items: [PartItem]) -> String {
    let target = items.first { $0.name.isEmpty }?.text ?? ""
    let version = items.first { $0.name == "HTTP/" }.map { " \($0.text)" } ?? ""
    let pairs = items.filter { !$0.name.isEmpty && $0.name != "HTTP/" }.map(\.text)
    let isOff: (String) -> Bool = { $0.hasPrefix("# ") }
    let inLine = target + (pairs.isEmpty ? "" : "?") + pairs.joined(separator: "&") + version
    if pairs.count <= 2, !pairs.contains(where: isOff), inLine.count <= columns { return inLine }
    var lines = [target + version]
    var hasFirst = false
    for pair in pairs {
      let mark = hasFirst ? "&" : "?"
      lines.append(isOff(pair) ? "    # \(mark)\(pair.dropFirst(2))" : "    \(mark)\(pair)")
      if !isOff(pair) { hasFirst = true }
    }
    return lines.joined(separator: "\n")
  }

  private static func pair(_ text: Substring) -> PartItem {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    return PartItem(name: "?\(text[..<end])", text: String(text))
  }

  /// The pairs of a query, which `&` parts outside of references.
  private static func pairs(_ query: Substring) -> [Substring] {
    if query.isEmpty { return [] }
    var result: [Substring] = []
    var rest = query
    while let place = mark(UInt8(ascii: "&"), in: rest) {
      result.append(rest[..<place])
      rest = rest[rest.utf8.index(after: place)...]
    }
    return result + [rest]
  }

  private static func queryStart(_ line: Substring) -> Substring.Index? {
    mark(UInt8(ascii: "?"), in: line)
  }

  /// Where a sign stands first outside of references.
  private static func mark(_ wanted: UInt8, in text: Substring) -> Substring.Index? {
    func look(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
      guard bytes.place(of: wanted) != nil else { return nil }
      var (depth, last): (Int, UInt8) = (0, 0)
      for place in bytes.indices {
        let byte = bytes[place]
        if byte == UInt8(ascii: "{"), last == byte { depth += 1 }
        if byte == UInt8(ascii: "}"), last == byte, depth > 0 { depth -= 1 }
        if byte == wanted, depth == 0 { return place }
        last = byte
      }
      return nil
    }
    let found = text.utf8.withContiguousStorageIfAvailable(look)
      ?? Array(text.utf8).withUnsafeBufferPointer(look)
    return found.map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  /// A line without the version at its end, and the version.
  private static func withoutVersion(_ line: Substring) -> (line: Substring, version: Substring) {
    guard let blank = line.utf8.lastIndex(of: 32) else { return (line, "") }
    let version = line[line.utf8.index(after: blank)...]
    guard version.utf8.first == UInt8(ascii: "H"), version.hasPrefix("HTTP/") else {
      return (line, "")
    }
    var rest = line[..<blank]
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return (rest, version)
  }
}

/// Merges what a user and an origin have made of the same items.
struct PairMerge {
  /// Whose word counts where both have changed the same.
  let takesTheirs: Bool
  /// What was merged, in the user's order.
  private(set) var items: [PartItem] = []
  /// The names of what both have changed.
  private(set) var conflicts: [String] = []

  /// Merges; `base` has a hash of each item that the origin had at the import before.
  init(mine: [PartItem], theirs: [PartItem], base: NamedHashes, takesTheirs: Bool) {
    self.takesTheirs = takesTheirs
    let new = Dictionary(theirs.map { ($0.name, $0.text) }) { first, _ in first }
    for item in mine {
      if let text = kept(item, new[item.name], base[item.name]) {
        items.append(PartItem(name: item.name, text: text))
      }
    }
    let old = Set(mine.map(\.name))
    for (place, item) in theirs.enumerated() where !old.contains(item.name) {
      if let hash = base[item.name] {
        if PartHash.short(item.text) == hash { continue }
        conflicts.append(item.name)
        if !takesTheirs { continue }
      }
      items.insert(item, at: self.place(before: theirs[..<place], after: theirs[(place + 1)...]))
    }
  }

  /// What becomes of an item of the user; `nil` where it goes.
  private mutating func kept(_ mine: PartItem, _ theirs: String?, _ base: String?) -> String? {
    if theirs?.equalsInBytes(mine.text) == true { return mine.text }
    guard let base else {
      guard let theirs else { return mine.text }
      conflicts.append(mine.name)
      return takesTheirs ? theirs : mine.text
    }
    if PartHash.short(mine.text) == base { return theirs }
    if let theirs, PartHash.short(theirs) == base { return mine.text }
    conflicts.append(mine.name)
    return takesTheirs ? theirs : mine.text
  }

  /// The place of a new item: behind what stands before it in the origin, else before what stands
  /// behind it.
  private func place(before: ArraySlice<PartItem>, after: ArraySlice<PartItem>) -> Int {
    let places = Dictionary(items.enumerated().map { ($1.name, $0) }) { first, _ in first }
    if let name = before.last(where: { places[$0.name] != nil })?.name, let place = places[name] {
      return place + 1
    }
    if let name = after.first(where: { places[$0.name] != nil })?.name, let place = places[name] {
      return place
    }
    return items.count
  }
}
