// A request as it is about to be written, with what must be read back of it.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// How much care is taken so that a block is read as it is meant. Each step is tried only where
/// the one before was read back otherwise.
enum WritingCare: Int, Comparable, CaseIterable {
  /// Everything stands where people look for it.
  case plain
  /// Of a text that stands alone, blank lines around the body are left out.
  case trimmed
  /// Bodies lie in files.
  case bodiesInFiles
  /// Scripts, too; titles, comments and pairs keep only harmless signs.
  case strict
  /// The request is a comment: no text means it.
  case comment

  /// Whether less care is taken.
  static func < (left: WritingCare, right: WritingCare) -> Bool { left.rawValue < right.rawValue }
}

/// A block with what belongs to it.
struct RequestDraft {
  var block: WrittenBlock
  /// What lies in files beside it.
  var attachments: [TransferFile] = []
  /// Whether it names a file of the source.
  var namesSource = false
  /// What is told when the draft is taken.
  var notes: [(code: ImportNoteCode, message: String, place: OriginPlace)] = []

  // What must be read back.
  var method = ""
  var target = ""
  /// The number behind `HTTP/`.
  var version: String?
  var headers: [HeaderText] = []
  var fileLines = 0
  /// How many lines of the body are comments that are not sent.
  var commentLines = 0
  /// Whether a body without a known type is read as JSON.
  var isLiteralBody = false
  var metadataCount = 0
  var variableCount = 0
  var scriptCount = 0
  var checkCount = 0
  /// Whether it is a request at all, and no comment.
  var isRequest = true
}

extension RequestDraft {
  /// Whether a block of a file means this request and nothing else.
  func isRead(as read: ParsedBlock) -> Bool {
    let title = read.syntax.separator?.title
    guard let title, read.slice(title).equals(block.title) else { return false }
    guard isRequest else { return !read.isRunnable && read.metadata.isEmpty }
    guard let request = read.request, request.curl == nil,
      request.version.map(read.text) == version, read.syntax.kind == .request,
      read.metadata.count == metadataCount, read.variables.count == variableCount,
      read.scripts.count == scriptCount, read.assertions.count == checkCount,
      read.saves.isEmpty, read.directives.isEmpty, read.syntax.fragments.isEmpty,
      read.syntax.responseReferences.isEmpty,
      read.syntax.inlineResponse == nil, !read.isPlaceholder
    else { return false }
    return isHeadRead(request, read) && isBodyRead(request, read)
  }

  private func isHeadRead(_ request: RequestSyntax, _ read: ParsedBlock) -> Bool {
    guard let word = request.method, read.slice(word).equals(method) else {
      return false
    }
    var rest = target.utf8[...]
    for piece in request.target {
      let bytes = read.slice(piece)
      guard rest.starts(with: bytes) else { return false }
      rest = rest.dropFirst(bytes.count)
    }
    guard rest.isEmpty, request.headers.count == headers.count else { return false }
    return zip(request.headers, headers).allSatisfy { found, header in
      guard !found.isSpread, found.value.count == 1, let value = found.value.first else {
        return false
      }
      return read.slice(found.name).equals(header.name)
        && read.slice(value).equals(header.value)
    }
  }

  private func isBodyRead(_ request: RequestSyntax, _ read: ParsedBlock) -> Bool {
    guard let body = request.body else { return block.body.isEmpty }
    guard read.slice(body.range).equals(block.body) else { return false }
    if isLiteralBody, read.references.contains(where: {
      body.range.contains($0.range.lowerBound)
    }) {
      return false
    }
    var (files, comments) = (0, 0)
    for line in body.lines {
      switch line.kind {
      case .text: break
      case .comment: comments += 1
      case .file: files += 1
      }
    }
    guard files == fileLines else { return false }
    return comments == commentLines || comments > 0 && commentLines == 0 && sendsComments(read)
  }

  /// Whether lines that look like comments are sent (PK-5).
  private func sendsComments(_ read: ParsedBlock) -> Bool {
    let value = headers.first { $0.name.equalsIgnoringASCIICase("Content-Type") }?.value
    guard let value else {
      return !block.body.utf8.contains(UInt8(ascii: "{"))
        && !block.body.utf8.contains(UInt8(ascii: "["))
    }
    guard let type = MediaType(value) else { return false }
    return !type.isJSON && !type.isNewlineDelimitedJSON && !type.isForm && !type.isMultipart
      && type.essence != "application/graphql"
  }
}
