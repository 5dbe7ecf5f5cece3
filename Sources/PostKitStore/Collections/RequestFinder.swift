// Answers a question for stored requests, at one moment.

import PostKitSupport

/// Looks for stored requests.
///
/// Tags, headers and parameters are looked up in their indexes. What is left is decided row by row
/// of `request_search`, which has no texts of requests: reading 10,000 rows takes 2 ms, and tells
/// how many there are on all pages.
struct RequestFinder {
  private let connection: Connection
  private let query: RequestQuery
  /// When requests were sent last, by their ids, where that is what is sorted by.
  private let sent: [String: Int64]
  private let places: CollectionPlaces
  private let words: [[UInt8]]

  /// Takes up a question.
  init(
    _ query: RequestQuery, sent: [String: Int64], _ connection: Connection
  ) throws(SQLiteError) {
    self.query = query
    self.sent = sent
    self.connection = connection
    places = try CollectionPlaces(connection)
    words = SearchText(query.text ?? "").words.map { Array(FoldedText.fold($0.text).utf8) }
  }

  /// The page after a place, with the place of its last request, and how many there are in all.
  func page(
    after start: RequestOrderKey?
  ) throws(SQLiteError) -> (requests: [FoundRequest], last: RequestOrderKey?, total: Int) {
    var page = RequestSelection(count: query.limit + 1, after: start)
    var container: String?
    switch query.container {
    case .collection(let id), .folder(let id), .either(let id): container = id
    case nil: break
    }
    // Where a request lies only matters to some questions.
    let looksAtPlace = container != nil || query.sort == .order
    var ranks = RowKeyTable()
    if looksAtPlace {
      for (id, rank) in places.ranks(below: container) { ranks.insert(RowKey(id), rank) }
    }
    let chosen = try fields()
    // What is looked at for each row is no member: this value would be copied for each.
    let words = words
    let isChosenByRow = chosen != nil && chosen?.ids == nil
    let keys = chosen?.keys ?? RowKeyTable()
    try connection.each(statement(chosen), values(chosen)) { row in
      if isChosenByRow, !keys.contains(row.look(at: 0, RowKey.init)) { return true }
      let known = looksAtPlace ? ranks.number(of: row.look(at: 1, RowKey.init)) : 0
      guard let rank = known else { return true }
      guard words.isEmpty || row.look(at: 5, { text in
        words.allSatisfy { ByteSearch.contains($0, in: text) }
      }) else { return true }
      var place = RequestOrderKey()
      switch query.sort {
      case .order: (place.first, place.second) = (rank, row.int64(2))
      case .created: place.first = -row.int64(3)
      case .updated: place.first = -row.int64(4)
      case .name:
        guard page.takes(name: row) else { return true }
        place.name = String(row.text(5).prefix { $0 != "\n" })
      case .recent:
        guard let time = sent[row.text(0)] else { return true }
        place.first = -time
      }
      page.add(place) { row.text(0) }
      return true
    }
    let hasMore = page.places.count > query.limit
    let found = Array(page.places.prefix(query.limit))
    return (try requests(found.map(\.id)), hasMore ? found.last : nil, page.total)
  }

  /// The requests with some ids, in their order.
  private func requests(_ ids: [String]) throws(SQLiteError) -> [FoundRequest] {
    let found = try connection.fetch(
      FetchDescriptor<Model.HTTPRequest>(where: { $0.id.isIn(ids) }),
      prefetching: { $0.tags.prefetch() })
    let byID = Dictionary(found.map { ($0.0.id, $0) }) { first, _ in first }
    return ids.compactMap { id in
      byID[id].map { request, tags in
        FoundRequest(
          request: request,
          path: places.path(of: request.folderID ?? request.collectionID) + request.displayName,
          tags: tags.map(\.tag))
      }
    }
  }

  // MARK: - Conditions

  private func statement(_ chosen: ChosenRows?) -> String {
    var conditions: [String] = []
    if query.method != nil { conditions.append("method = ? COLLATE NOCASE") }
    if let isFavourite = query.isFavourite {
      conditions.append("is_favourite = \(isFavourite ? 1 : 0)")
    }
    if chosen?.ids != nil {
      conditions.append("http_request_id IN (SELECT value FROM json_each(?))")
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return """
      SELECT http_request_id, container_id, sort_order, created_at, updated_at, search_text
      FROM request_search\(condition)\(query.sort.isByTime ? " ORDER BY rowid DESC" : "")
      """
  }

  private func values(_ chosen: ChosenRows?) -> [SQLValue] {
    var values: [SQLValue] = []
    if let method = query.method { values.append(.text(method)) }
    if let ids = chosen?.ids { values.append(.text(StoredJSON.text(ids))) }
    return values
  }

  /// The requests that have the tag, the header and the parameter; `nil` where nothing is asked of
  /// these.
  private func fields() throws(SQLiteError) -> ChosenRows? {
    var chosen: ChosenRows?
    func keep(_ found: ChosenRows) { chosen = chosen.map { $0.intersection(found) } ?? found }
    if let tag = query.tag {
      var found = ChosenRows()
      try connection.each(
        "SELECT http_request_id FROM request_tag WHERE tag = ?", [.text(tag)]
      ) { row in
        found.insert(row)
        return true
      }
      keep(found)
    }
    if let field = query.header {
      keep(try requests(with: field, "request_header", "key = ? COLLATE NOCASE"))
    }
    if let field = query.parameter {
      keep(try requests(with: field, "query_parameter", "key = ?"))
    }
    return chosen
  }

  private func requests(
    with field: RequestQuery.Field, _ table: String, _ condition: String
  ) throws(SQLiteError) -> ChosenRows {
    let needle = Array(FoldedText.fold(field.value ?? "").utf8)
    var found = ChosenRows()
    try connection.each(
      "SELECT http_request_id, value FROM \(table)"
        + (field.name == nil ? "" : " WHERE \(condition)"),
      field.name.map { [.text($0)] } ?? []
    ) { row in
      if needle.isEmpty || FoldedText.contains(needle, in: row, column: 1) { found.insert(row) }
      return true
    }
    return found
  }
}

/// Requests that meet a condition.
private struct ChosenRows {
  private(set) var keys = RowKeyTable()
  /// Their ids, which are looked up one by one; `nil` for so many that reading all rows is faster.
  private(set) var ids: [String]? = []

  private static let lookedUp = 500

  /// Adds the request whose id is the first column of a row.
  mutating func insert(_ row: Statement) {
    guard keys.insert(row.look(at: 0, RowKey.init)), let count = ids?.count else { return }
    if count < ChosenRows.lookedUp { ids?.append(row.text(0)) } else { ids = nil }
  }

  /// The requests that meet both conditions.
  func intersection(_ other: ChosenRows) -> ChosenRows {
    var both = self
    both.keys.formIntersection(other.keys)
    both.ids = (ids ?? other.ids)?.filter { both.keys.contains(RowKey($0)) }
    return both
  }
}

/// The first places of an order among all that are added, and how many there were.
struct RequestSelection {
  private(set) var places: [RequestOrderKey] = []
  private(set) var total = 0
  private let count: Int
  private let start: RequestOrderKey?
  /// The numbers of the last place, once there are enough: most of a long list come later than all
  /// of the page.
  private var bound: (first: Int64, second: Int64)?

  /// Selects `count` places behind another.
  init(count: Int, after start: RequestOrderKey?) {
    self.count = count
    self.start = start
  }

  /// Whether a row whose first line of column 5 is its name may be on the page. One that is not
  /// is counted.
  mutating func takes(name row: Statement) -> Bool {
    guard places.count >= count, var last = places.last?.name else { return true }
    let isLater = row.look(at: 5) { text in
      last.withUTF8 { last in
        let name = text.prefix { $0 != UInt8(ascii: "\n") }
        return last.lexicographicallyPrecedes(name)
      }
    }
    if isLater { total += 1 }
    return !isLater
  }

  /// Adds a place whose id is only asked for where it may matter.
  mutating func add(_ place: RequestOrderKey, id: () -> String) {
    total += 1
    if let bound {
      if place.first > bound.first { return }
      if place.first == bound.first, place.second > bound.second { return }
    }
    var place = place
    place.id = id()
    if let start, !start.isBefore(place) { return }
    if places.count >= count, let last = places.last, !place.isBefore(last) { return }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].isBefore(place) { low = middle + 1 } else { high = middle }
    }
    places.insert(place, at: low)
    if places.count > count { places.removeLast() }
    if places.count == count, let last = places.last { bound = (last.first, last.second) }
  }
}

extension Store {
  /// Looks for stored requests. What older PostKits have written is derived first.
  package func findRequests(
    _ query: RequestQuery, deriving: RequestDeriving
  ) throws(StoreFailure) -> RequestPage {
    try deriveRequests(deriving)
    // Before the look: that sees the collections alone.
    let sent = query.sort == .recent ? try timesOfSends() : [:]
    try openCollections().keepPages(megabytes: 8)
    return try look { reader throws(StoreFailure) in try reader.find(query, sent: sent) }
  }

  /// When each stored request was sent last, in milliseconds since 1970, by its id.
  func timesOfSends() throws(StoreFailure) -> [String: Int64] {
    commitQueue()
    let found = try history().read("read when requests were sent") {
      connection throws(SQLiteError) in
      try connection.rows(Store.timesOfSendsSQL) { ($0.text(0), $0.int64(1)) }
    }
    return Dictionary(found) { first, _ in first }
  }

  /// Goes from one id to the next: a request may have been sent a hundred thousand times.
  static let timesOfSendsSQL = """
    WITH RECURSIVE sent (id) AS (
      SELECT min(http_request_id) FROM exchange WHERE http_request_id IS NOT NULL
      UNION ALL
      SELECT (SELECT min(http_request_id) FROM exchange WHERE http_request_id > sent.id)
      FROM sent WHERE id IS NOT NULL)
    SELECT id, (SELECT max(started_at) FROM exchange WHERE http_request_id = sent.id)
    FROM sent WHERE id IS NOT NULL
    """
}
