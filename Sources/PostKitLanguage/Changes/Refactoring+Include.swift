// Bodies that move into files, and back.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Refactoring {
  /// Bytes of a file that still read well between the lines of a request.
  private static let includedBytes = 64 << 10

  /// The body in a file of its own, or the file's content as the body.
  var otherPlace: CodeChange? {
    guard let body = request.body, touches(body.range) else { return nil }
    let lines = body.lines.filter { !block.text($0.content).trimmingASCIIBlanks().isEmpty }
    if lines.count == 1, case .file(let include)? = lines.first?.kind {
      return inclusion(of: include, in: body)
    }
    return moved(body)
  }

  private func inclusion(of include: RedirectSyntax, in body: BodySyntax) -> CodeChange? {
    let written = block.text(include.path)
    guard include.encoding == nil, !written.contains("{{"),
      let path = analysis.context.resolvePath(written),
      case .bytes(let bytes) = analysis.context.readFile(path)
    else { return nil }
    let title = "Inline the content of `\(written)`"
    guard bytes.count <= Refactoring.includedBytes,
      var text = String(validating: bytes, as: UTF8.self), !text.isEmpty
    else {
      return CodeChange(.rewrite, title, disabled: "The file is empty, too long or not text.")
    }
    while text.last?.isNewline == true { text.removeLast() }
    let isRead = include.marker == .includeRaw && text.contains("{{")
    let lines = text.split(whereSeparator: \.isNewline)
    if isRead
      || lines.contains(where: { $0.hasPrefix("###") || "<>#/@?".contains($0.first ?? " ") })
    {
      return CodeChange(
        .rewrite, title,
        disabled: "Lines of the file would mean something else inside a request.")
    }
    return CodeChange(.rewrite, title, [TextEdit(block.absolute(body.range), text)])
  }

  private func moved(_ body: BodySyntax) -> CodeChange? {
    guard let text = bodyText, mediaType?.isForm != true, mediaType?.isMultipart != true,
      analysis.scope.dialect(of: analysis.scope.file).pathBase != .root
    else { return nil }
    let title = (block.name ?? "body").map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    let name = "./\(String(title)).\(mediaType?.fileExtension ?? "txt")"
    guard analysis.context.resolvePath(name) == nil else { return nil }
    let marker = text.contains("{{") ? "<@" : "<"
    return CodeChange(
      .rewrite, "Move the body to the file `\(name)`",
      [TextEdit(block.absolute(body.range), "\(marker) \(name)")],
      files: [FileChange(path: analysis.context.placePath(name), content: .new(text))])
  }
}
