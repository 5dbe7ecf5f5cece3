// A JSON body that is too long for one document, shown page by page with its lines laid out.

import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSupport

/// The pages of the body of a response.
struct PagedBody {
  private let exchange: Exchange
  private let body: BodyContent
  private let pages: JSONPages

  /// Reads a body once; `nil` where it fits into a document or is not JSON.
  init?(_ exchange: Exchange) {
    guard let response = exchange.response, response.body.count > Limits.viewBodyBytes else {
      return nil
    }
    let type = response.headers.mediaType
    let head = StoredBody.bytes(response.body, limit: Limits.pageKindBytes)
    // In another charset the bytes of a bracket may be a part of something else.
    guard ResponseText.isJSON(head, type), type?.inUTF8(head) ?? head == head,
      let pages = JSONPages(
        count: response.body.count, size: Limits.page,
        { StoredBody.piece(response.body, offset: $0, count: $1) })
    else { return nil }
    self.exchange = exchange
    body = response.body
    self.pages = pages
  }

  /// How many pages there are.
  var count: Int { pages.starts.count }

  /// A page, counted from 1, below a line that says which one it is; the last one where there are
  /// fewer.
  func text(of number: Int) -> String {
    let number = min(max(1, number), count)
    func piece(_ offset: Int, _ count: Int) -> [UInt8] {
      StoredBody.piece(body, offset: offset, count: count)
    }
    let heading = PageHeading(number, of: pages) { JSONPages.bytes($0, piece) }
    let (text, cut) = pages.text(
      of: number - 1, count: body.count, longest: Limits.pageValueBytes, piece)
    let following = ResponseView(.pretty, page: number + 1)
    var lines = heading.line(next: number < count ? following.uri(of: exchange) : nil) + "\n"
    lines += String(decoding: text, as: UTF8.self)
    if cut > 0 {
      let what = cut == 1 ? "One string is" : "\(cut) strings are"
      lines += "# \(what) too long for this page. \"Show only …\" shows all of it.\n"
    }
    return lines
  }
}

extension Limits {
  /// The length of a page of JSON: lines that an editor shows at once without a pause.
  static let page = JSONPages.Size(lines: 4_000...6_000, bytes: 384 << 10...640 << 10)
  /// Bytes of a string up to which a page shows it: editors are slow with longer lines.
  static let pageValueBytes = 16 << 10
  /// Bytes by which JSON is told from other text.
  static let pageKindBytes = 64
}
