// A side of an exchange as bytes that can be read piece by piece.

import LanguageServerProtocol
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSupport

/// One side of an exchange in one form.
struct ExchangePart: Sendable {
  private let content: BodyContent
  private let contentType: String?

  init(_ exchange: Exchange, _ part: LSP.PostkitExchangePart, _ view: LSP.PostkitExchangeView) {
    let response = exchange.response
    let headers = part == .request ? exchange.request.headers : response?.headers ?? []
    let body = part == .request ? exchange.request.body : response?.body ?? .empty
    contentType = headers.first("Content-Type")
    switch view {
    case .raw: content = body
    case .headers:
      content = .bytes(Array(ExchangePart.head(exchange, part, headers).utf8))
    case .pretty:
      let bytes = StoredBody.bytes(body, limit: Limits.viewBodyBytes)
      let type = contentType.flatMap(MediaType.init)
      content = .bytes(Array(ResponseText.body(bytes, type, total: body.count).utf8))
    }
  }

  /// The bytes of the whole.
  var total: Int { content.count }

  /// A piece: as text where its bytes are UTF-8, else in Base64. A piece never ends inside of a
  /// character, so that texts can be joined.
  func page(offset: Int, length: Int) -> LSP.PostkitExchangeResult {
    var bytes = ExchangePart.bytes(content, offset: offset, count: length)
    var text = String(validating: bytes, as: UTF8.self)
    if text == nil {
      // At most three bytes of a character can be missing at the end of a piece.
      for cut in 1...3 where text == nil && bytes.count > cut && offset + bytes.count < total {
        text = String(validating: bytes.dropLast(cut), as: UTF8.self)
        if text != nil { bytes.removeLast(cut) }
      }
    }
    return LSP.PostkitExchangeResult(
      encoding: text == nil ? .base64 : .utf8, data: text ?? Base64.encode(bytes),
      offset: Double(offset), total: Double(total), eof: offset + bytes.count >= total,
      contentType: contentType)
  }

  private static func bytes(_ content: BodyContent, offset: Int, count: Int) -> [UInt8] {
    switch content {
    case .bytes(let bytes):
      return Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    case .file(let path, _):
      return orLog("reading the body \(path)") {
        try FileSystem.piece(path: path, offset: offset, count: count)
      } ?? []
    }
  }

  private static func head(
    _ exchange: Exchange, _ part: LSP.PostkitExchangePart, _ headers: HeaderFields
  ) -> String {
    var lines: [String] = []
    if part == .request {
      lines.append("\(exchange.request.method) \(exchange.request.url)")
    } else if let response = exchange.response {
      lines.append("\(response.httpVersion) \(response.status) \(response.reason)")
    }
    lines += headers.fields.map { "\($0.name): \($0.value)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
