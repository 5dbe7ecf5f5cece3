// Titles of requests (IO-8).

import PostKitHTTP

/// Gives the requests of one file titles that differ.
struct TitleText {
  private var taken: Set<String> = []
  /// How many requests have each title so far.
  private var counts: [String: Int] = [:]

  /// The title of a request, and the one that it would have were it not taken.
  mutating func title(of request: OriginRequest) -> (title: String, wanted: String) {
    let wanted = Self.plain(request)
    var title = wanted
    var number = counts[wanted, default: 0] + 1
    if number > 1 { title = "\(wanted) \(number)" }
    while !taken.insert(title).inserted {
      number += 1
      title = "\(wanted) \(number)"
    }
    counts[wanted] = number
    return (title, wanted)
  }

  /// The name on one line, else the method and the path.
  static func plain(_ request: OriginRequest) -> String {
    var name = LineText.oneLine(LineText.cut(request.name, to: LineText.nameLimit))
    while let first = name.utf8.first, first == UInt8(ascii: "#") || first == 32 {
      name.removeFirst()
    }
    if name.isEmpty {
      let url = LineText.oneLine(LineText.cut(request.url.text, to: LineText.nameLimit))
      name = "\(LineText.oneLine(request.method)) \(path(of: url))"
    }
    // These titles mean that what the block says holds for others, too (PK-40).
    return name == "Shared" || name == "Shared each" ? "\(name) request" : name
  }

  /// The path of a URL, from its first slash.
  private static func path(of url: String) -> String {
    let path = URLText(url, as: .written).path
    return path.isEmpty ? "/" : String(url[path])
  }

  /// A title of letters, digits and harmless signs alone.
  static func strict(_ title: String) -> String {
    var result = ""
    for scalar in title.unicodeScalars {
      let isKept = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_./".unicodeScalars.contains(scalar)
      result.unicodeScalars.append(isKept ? scalar : "-")
    }
    let trimmed = LineText.trimmed(result)
    return trimmed.isEmpty ? "request" : trimmed
  }
}
