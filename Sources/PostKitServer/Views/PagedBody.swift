// A JSON body that is too long for one document, shown page by page with its lines laid out.

import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import Synchronization

/// The pages of the body of a response.
struct PagedBody {
  private let exchange: Exchange
  private let body: BodyContent
  private let pages: JSONPages

  /// What says that pages are those of a body. One with masks has the id of the one without.
  private struct Key: Hashable {
    var id: String
    var body: Int
    var isRedacted: Bool
  }

  /// Where the pages of the last bodies begin; nothing of a text is in it. To find that out the
  /// whole body is read, which takes 0.2 s for 64 MB: too long for each page that is turned.
  private static let found = Mutex<[(key: Key, pages: JSONPages)]>([])
  private static let foundLimit = 8

  private static func pages(
    of exchange: Exchange, _ response: Response
  ) -> JSONPages? {
    let key = Key(
      id: exchange.id, body: response.body.count, isRedacted: exchange.isRedacted)
    if let known = found.withLock({ $0.first { $0.key == key }?.pages }) { return known }
    let pages = JSONPages(count: response.body.count, size: Limits.page) {
      StoredBody.piece(response.body, offset: $0, count: $1)
    }
    // One that can still grow, or could not be read to its end, is read again.
    guard let pages, pages.isComplete else { return pages }
    found.withLock { found in
      found.append((key, pages))
      if found.count > foundLimit { found.removeFirst() }
    }
    return pages
  }

  /// Reads a body once; `nil` where it fits into a document or is not JSON.
  init?(_ exchange: Exchange) {
    guard let response = exchange.response, response.body.count > Limits.viewBodyBytes else {
      return nil
    }
    let type = response.headers.mediaType
    let head = StoredBody.bytes(response.body, limit: Limits.pageKindBytes)
    // In another charset the bytes of a bracket may be a part of something else.
    guard ResponseText.isJSON(head, type), type?.inUTF8(head) ?? head == head,
      let pages = PagedBody.pages(of: exchange, response)
    else { return nil }
    self.exchange = exchange
    body = response.body
    self.pages = pages
  }

  /// How many pages there are.
  var count: Int { pages.starts.count }

  /// Which pages there are, with the path of the first element of each.
  var headings: [PageHeading] { (1...count).map(heading) }

  private func heading(_ number: Int) -> PageHeading {
    PageHeading(number, of: pages) { JSONPages.bytes($0, piece) }
  }

  private func piece(_ offset: Int, _ count: Int) -> [UInt8] {
    StoredBody.piece(body, offset: offset, count: count)
  }

  /// A page, counted from 1, below a line that says which one it is; the last one where there are
  /// fewer.
  func text(of number: Int) -> String {
    let number = min(max(1, number), count)
    let heading = heading(number)
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
