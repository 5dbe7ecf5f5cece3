// What of a response a document shows: it stands in the document's URI, or in the name of its file.

import PostKitEvaluate
package import PostKitHTTP
import PostKitSupport

/// What is shown of a response.
package struct ResponseView: Sendable, Hashable {
  /// The parts of a response that have documents.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    case all, pretty, raw, headers, timings, output

    /// The name of its document; the whole has the id as its name.
    fileprivate var word: String { self == .pretty ? "body" : rawValue }
  }

  package var form = Form.all
  /// Only what this JSONPath or XPath selects of the body.
  package var select: String?
  /// The byte with which a page of the body begins.
  package var offset = 0
  /// The page of a long JSON body, counted from 1.
  package var page = 1
  /// Whether a path selects what is shown, and which one isn't known any more.
  package var isSelection = false
  /// Whether the values are shown that are hidden elsewhere: from memory, never in a file.
  package var isRevealed = false

  /// The whole response.
  package static let whole = ResponseView()

  /// Makes a view.
  package init(_ form: Form = .all, select: String? = nil, offset: Int = 0, page: Int = 1) {
    self.form = form
    self.page = page
    self.select = select
    self.offset = offset
    isSelection = select != nil
  }

  /// Whether the text is the body, without a head.
  package var isBody: Bool { form == .pretty || form == .raw }

  // MARK: - URIs

  /// What stands in a URI as it is in a path, so that a person can read it.
  private static let plain = ASCIISet(alphanumericsAnd: "-._~$@*,:/[]()")

  /// The item of a query that asks for hidden values.
  private static let reveal = "reveal=true"

  /// Reads the query of `/response/ID.http`; `nil` for one that is none.
  package init?(ofWhole query: String) {
    guard query.isEmpty || query == Self.reveal else { return nil }
    isRevealed = !query.isEmpty
  }

  /// Reads the last part of `/response/ID/NAME` and the query; `nil` for a name that is none.
  package init?(name: String, query: String) {
    let word = name.prefix { $0 != "." }
    guard let form = Form.allCases.first(where: { $0 != .all && $0.word == word }) else {
      return nil
    }
    self.init(form)
    // A path may have any sign in it, and some editors encode those between the items, too: what
    // follows `select=` is the path.
    var rest = query[...]
    if rest.hasPrefix(Self.reveal) {
      isRevealed = true
      rest = rest.dropFirst(Self.reveal.count)
      if rest.hasPrefix("&") { rest = rest.dropFirst() }
    }
    if rest.hasPrefix("offset=") {
      let digits = rest.dropFirst("offset=".count).prefix { $0.isASCII && $0.isNumber }
      guard let offset = Int(digits) else { return nil }
      self.offset = offset
      rest = rest.dropFirst("offset=".count + digits.count)
      if rest.hasPrefix("&") { rest = rest.dropFirst() }
    }
    if rest.hasPrefix("page=") {
      let digits = rest.dropFirst("page=".count)
      guard form == .pretty, let page = Int(digits), page >= 1 else { return nil }
      self.page = page
    } else if rest.hasPrefix("select=") {
      select = String(rest.dropFirst("select=".count))
      isSelection = true
    } else if !rest.isEmpty {
      return nil
    }
    if !isBody, select != nil || offset > 0 { return nil }
  }

  /// The URI of the document that shows all of an exchange.
  package static func uri(ofWhole id: String) -> String { "postkit:/response/\(id).http" }

  /// The URI of the document that shows this of an exchange.
  package func uri(of exchange: Exchange) -> String {
    guard form != .all else {
      return Self.uri(ofWhole: exchange.id) + (isRevealed ? "?\(Self.reveal)" : "")
    }
    var items = isRevealed ? [Self.reveal] : []
    if offset > 0 { items.append("offset=\(offset)") }
    if page > 1 { items.append("page=\(page)") }
    if let select {
      items.append("select=\(PercentEncoding.encode(select, allowing: ResponseView.plain))")
    }
    let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    return "postkit:/response/\(exchange.id)/\(form.word).\(fileExtension(exchange))\(query)"
  }

  // MARK: - Files

  /// The name of a file that shows this of an exchange, for clients that open files alone.
  package func fileName(of exchange: Exchange) -> String {
    guard form != .all else { return "\(exchange.id).http" }
    var name = "\(exchange.id)-\(form.word)"
    if let select {
      name += "-select-" + SHA256.hexDigest(Array(select.utf8)).prefix(12)
    }
    if offset > 0 { name += "-from-\(offset)" }
    if page > 1 { name += "-page-\(page)" }
    return "\(name).\(fileExtension(exchange))"
  }

  /// Reads the name of a file that shows a response; `nil` for any other name.
  package static func ofFile(_ name: String) -> (id: String, view: ResponseView)? {
    let id = String(name.prefix(Identifier.length))
    guard Identifier.isValid(id) else { return nil }
    let rest = name.dropFirst(id.count)
    if rest == ".http" { return (id, .whole) }
    guard let dot = rest.firstIndex(of: ".") else { return nil }
    let words = rest[..<dot].split(separator: "-", omittingEmptySubsequences: false).dropFirst()
    guard let word = words.first,
      let form = Form.allCases.first(where: { $0 != .all && $0.word == word })
    else { return nil }
    var view = ResponseView(form)
    var left = words.dropFirst()
    while let key = left.popFirst() {
      guard let value = left.popFirst() else { return nil }
      switch key {
      case "select": view.isSelection = true
      case "from":
        guard let offset = Int(value) else { return nil }
        view.offset = offset
      case "page":
        guard let page = Int(value) else { return nil }
        view.page = page
      default: return nil
      }
    }
    return (id, view)
  }

  /// What tells an editor which language it is.
  private func fileExtension(_ exchange: Exchange) -> String {
    switch form {
    case .all, .headers: return "http"
    case .timings, .output: return "txt"
    case .pretty, .raw: break
    }
    let type = exchange.response?.headers.mediaType
    if let select, BodySelection.isJSON(select, type) { return "json" }
    // An editor would look for a picture in what is only described.
    let isShown = type.map { $0.isText || $0.essence == "image/svg+xml" } ?? false
    return isShown ? type?.fileExtension ?? "txt" : "txt"
  }
}
