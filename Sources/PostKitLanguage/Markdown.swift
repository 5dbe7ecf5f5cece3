// Texts of files and servers within Markdown: whatever they say, no picture, link or tag comes of
// it.

/// Makes parts of Markdown out of texts that anybody may have written.
package enum Markdown {
  /// A text as code on one line: its fence is longer than any run of backticks in it.
  package static func code(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    if line.isEmpty { return "` `" }
    let fence = String(repeating: "`", count: longestRun(in: line) + 1)
    // Blanks keep the fence apart from backticks; one at each end belongs to the fence.
    let isPadded = fence.utf8.count > 1
    return isPadded ? "\(fence) \(line) \(fence)" : fence + line + fence
  }

  /// Lines as a block of code.
  package static func block(_ lines: [String]) -> String {
    let longest = lines.map(longestRun).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence] + lines + [fence]).joined(separator: "\n")
  }

  /// A table; what stands in its cells is Markdown already, each on one line.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  /// A sentence for people, in which names stand between backticks: these stay code, and in the
  /// rest nothing is a mark.
  package static func sentence(_ text: String) -> String {
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    var result = ""
    for (index, piece) in pieces.enumerated() {
      let isCode = !index.isMultiple(of: 2)
      if isCode, index < pieces.count - 1 {
        result += code(piece)
      } else {
        result += (isCode ? "\\`" : "") + self.text(piece)
      }
    }
    return result
  }

  /// A link to a place of ours; nothing in the text is a mark.
  package static func link(_ text: String, to uri: String) -> String {
    let uri = uri.replacing("(", with: "%28").replacing(")", with: "%29")
    return "[\(self.text(text))](\(uri))"
  }

  /// A text in which nothing is a mark of a link, a picture, code or a tag.
  package static func text(_ text: String) -> String {
    guard text.utf8.contains(where: marks.contains) else { return text }
    return String(
      decoding: text.utf8.flatMap { marks.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] },
      as: UTF8.self)
  }

  private static let marks = Set("\\[]<`".utf8)

  /// Markdown of at most so many bytes: whole lines are left out in the middle, so that no code is
  /// cut open.
  static func shortened(_ markdown: String, bytes limit: Int = 2_000) -> String {
    guard markdown.utf8.count > limit else { return markdown }
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var (head, tail, used) = (0, lines.count, 0)
    while head < tail, used + lines[head].utf8.count < limit / 2 {
      used += lines[head].utf8.count + 1
      head += 1
    }
    used = 0
    while tail > head, used + lines[tail - 1].utf8.count < limit / 2 {
      tail -= 1
      used += lines[tail].utf8.count + 1
    }
    let (before, after) = (fence(open: lines[..<head]), fence(open: lines[..<tail]))
    var middle = ["…"]
    if before != after {
      middle = (before.map { [$0] } ?? []) + middle + (after.map { [$0] } ?? [])
    }
    return (lines[..<head] + middle + lines[tail...]).joined(separator: "\n")
  }

  /// The fence of the block of code in which lines end; `nil` outside of one.
  private static func fence(open lines: ArraySlice<String>) -> String? {
    var open: String?
    for line in lines {
      if line == open {
        open = nil
      } else if open == nil, line.hasPrefix("```") {
        let fence = line.prefix { $0 == "`" }
        // Code on one line has its end there.
        if !line[fence.endIndex...].contains("`") { open = String(fence) }
      }
    }
    return open
  }

  private static func longestRun(in text: String) -> Int {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
