// A text that is sent by itself: a selection, or a snippet that stands in no file.

package import PostKitSyntax

/// The text behind the document that it belongs to, where it sees every definition and request.
package struct SentText: Sendable, Hashable {
  package let bytes: [UInt8]
  /// Where the text begins.
  package let start: Int

  /// Puts a text behind a document. Requests of the document that have the name of one in the text
  /// lose it: who refers to the name means that of the text.
  package init(_ text: [UInt8], behind document: ParsedDocument?) {
    guard let document else {
      (bytes, start) = (text, 0)
      return
    }
    let names = Set(ParsedDocument(bytes: text).blocks.compactMap(\.name))
    var before = document.bytes
    for block in document.blocks where block.name.map(names.contains) ?? false {
      for range in SentText.names(of: block) {
        for at in range { before[at] = 0x20 }
      }
    }
    let isMarkdown = document.format == .markdown
    let isSeparated = text.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "###".utf8)
    before += Array((isMarkdown ? "\n\n```http\n" : isSeparated ? "\n" : "\n###\n").utf8)
    start = before.count
    bytes = before + text + Array((isMarkdown ? "\n```\n" : "\n").utf8)
  }

  /// Where a block is named.
  private static func names(of block: ParsedBlock) -> [Range<Int>] {
    let tags = block.metadata.filter { $0.kind == .name }.map(\.value)
    return (tags + [block.syntax.separator?.title].compactMap { $0 }).map { block.absolute($0) }
  }
}
