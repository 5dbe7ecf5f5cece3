// A side of an exchange as bytes that can be read piece by piece.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSupport
import PostKitTransfer

/// One side of an exchange in one form.
struct ExchangePart: Sendable {
  private let content: BodyContent
  private let contentType: String?

  /// One side of an exchange, or what a path selects of its body.
  init(
    _ exchange: Exchange, _ part: LSP.PostkitExchangePart, _ view: LSP.PostkitExchangeView,
    select: String? = nil
  ) throws(RPCError) {
    let response = exchange.response
    let headers = part == .request ? exchange.request.headers : response?.headers ?? []
    let body = part == .request ? exchange.request.body : response?.body ?? .empty
    let isOurs = view == .record || view == .pages
    contentType = isOurs ? "application/json" : headers.first("Content-Type")
    let type = contentType.flatMap(MediaType.init)
    if let select {
      guard view == .raw || view == .pretty else {
        throw RPCError(
          .invalidParams, "params.select: nothing can be selected of \(view.rawValue).")
      }
      content = .bytes(try ExchangePart.selected(select, of: body, type))
      return
    }
    switch view {
    case .raw: content = body
    case .record: content = .bytes(ExchangeJSON.value(exchange) { _ in nil }.bytes)
    case .pages: content = .bytes(ExchangePart.pages(exchange, part).bytes)
    case .headers:
      content = .bytes(Array(ExchangePart.head(exchange, part, headers).utf8))
    case .pretty:
      if part == .response, let pages = PagedBody(exchange) {
        content = .bytes(Array(pages.text(of: 1).utf8))
      } else {
        let bytes = StoredBody.bytes(body, limit: Limits.viewBodyBytes)
        content = .bytes(Array(ResponseText.body(bytes, type, total: body.count).utf8))
      }
    }
  }

  private static func selected(
    _ path: String, of body: BodyContent, _ type: MediaType?
  ) throws(RPCError) -> [UInt8] {
    guard body.count <= Limits.sourceFileBytes else {
      throw RPCError(
        .requestFailed,
        "The body has \(body.count) bytes, more than the limit of "
          + "\(Limits.sourceFileBytes >> 20) MiB for the filter "
          + "`\(path)`. Save it to a file and use another tool.")
    }
    do throws(BodySelection.Failure) {
      return try BodySelection.select(path, in: StoredBody.whole(body), type)
    } catch {
      if case .path = error { throw RPCError(.invalidParams, "params.select: \(error.message)") }
      throw RPCError(.requestFailed, error.message)
    }
  }

  /// The pages of a long body; none of any other.
  private static func pages(_ exchange: Exchange, _ part: LSP.PostkitExchangePart) -> JSONValue {
    let headings = part == .response ? PagedBody(exchange)?.headings ?? [] : []
    return .array(
      headings.map { ["number": .int($0.number), "path": .optional($0.path)] })
  }

  /// The bytes of the whole.
  var total: Int { content.count }

  /// A piece: as text where its bytes are UTF-8, else in Base64. A piece never ends inside of a
  /// character, so that texts can be joined.
  func page(offset: Int, length: Int) -> LSP.PostkitExchangeResult {
    var bytes = StoredBody.piece(content, offset: offset, count: length)
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

  /// Bytes of it that end with a line where there is one near, and never inside of a character.
  func lines(offset: Int, length: Int) -> [UInt8] {
    var bytes = StoredBody.piece(content, offset: offset, count: length)
    let charset = contentType.flatMap(MediaType.init)?.parameter("charset")?.lowercased() ?? ""
    // Pages are a multiple of the widest unit long.
    let isWide = charset.hasPrefix("utf-16") || charset.hasPrefix("utf-32")
    guard offset + bytes.count < total, !isWide else { return bytes }
    if let end = bytes.suffix(64 << 10).lastIndex(of: 10) {
      bytes.removeLast(bytes.count - end - 1)
      return bytes
    }
    // What begins with one of the last bytes may be cut off.
    guard let last = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes }
    let length = bytes[last] >= 0xF0 ? 4 : bytes[last] >= 0xE0 ? 3 : bytes[last] >= 0xC0 ? 2 : 1
    if bytes.count - last < length { bytes.removeLast(bytes.count - last) }
    return bytes
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
