// Looking for stored requests among any number of them.

import PostKitStore
import PostKitSupport

/// Works on collections in a directory, which it fills first. The times are those on the store's
/// own thread.
struct CollectionWorkload: StoreWork {
  private let store: Store
  private let location: StoreLocation
  private let folders: [String]
  /// A request that is changed now and then.
  private let changed: String
  /// Raised at each search, so that no two in a row are the same.
  private var number = 0

  private static let words = ["users", "orders", "invoices", "teams", "events", "files"]

  /// Opens the store and makes requests until it has `count`, in folders of fifty.
  init(directory: String, count: Int) async throws {
    location = StoreLocation(directory: directory)
    store = try await Store.open(location)
    let present = try await store.fetch(FetchDescriptor<Model.HTTPRequest>()) { $0.id.count }
    if present[0] < count { try await CollectionWorkload.fill(store, count) }
    folders = try await store.fetch(FetchDescriptor<Model.Folder>()) { $0.id }
    let requests = try await store.fetch(FetchDescriptor<Model.HTTPRequest>(fetchLimit: 1)) {
      $0.id
    }
    changed = requests[0]
  }

  private static func fill(_ store: Store, _ count: Int) async throws {
    let collection = Identifier.next()
    try await store.edit([.createCollection(id: collection, name: "Shop")])
    var folder = collection
    for start in stride(from: 0, to: count, by: 50) {
      folder = Identifier.next()
      let edits = (start..<min(start + 50, count)).map { number in
        CollectionEdit.createRequest(
          id: Identifier.next(), CollectionWorkload.request(number), in: .folder(folder))
      }
      try await store.edit(
        [.createFolder(id: folder, name: "folder \(start)", in: .collection(collection))] + edits)
    }
  }

  private static func request(_ number: Int) -> StoredRequestContent {
    let word = words[number % words.count]
    let method = number % 5 == 0 ? "POST" : "GET"
    let url = "https://api\(number % 40).example.com/v1/\(word)/\(number)?page=\(number % 9)"
    let body = String(repeating: #"{"name": "value"} "#, count: 40)
    return StoredRequestContent(
      source: "### Straße \(word) \(number)\n\(method) \(url)\nAccept: */*\n\n\(body)\n",
      name: "Straße \(word) \(number)", method: method, url: url, body: body,
      headers: [
        StoredField("Accept", "*/*"), StoredField("X-Id", "\(number)"),
      ], parameters: [StoredField("page", "\(number % 9)")],
      tags: ["api"] + (number % 10 == 0 ? ["smoke", word] : []))
  }

  /// The seconds that a search takes, each time it is done; `nil` for a name that isn't known.
  mutating func seconds(_ name: String) async throws -> Double? {
    number += 1
    var query = RequestQuery()
    switch name {
    case "first of a process":
      let started = Clock.monotonicMicroseconds
      let other = try await Store.open(location)
      _ = try await find(query, other)
      let seconds = Double(Clock.monotonicMicroseconds - started) / 1e6
      await other.close()
      return seconds
    case "after a change":
      try await store.edit([.update(request: changed, CollectionWorkload.request(number))])
      query.text = "strasse"
    case "text in a folder":
      (query.text, query.container) = ("strasse", .folder(folders[number % folders.count]))
    case "tag that all have": query.tag = "api"
    case "all": break
    case "text that many have": query.text = "strasse"
    case "text that one has": query.text = "orders \(number * 6 + 1)"
    case "text that none has": query.text = "nobody \(number)"
    case "method": query.method = "POST"
    case "tag": query.tag = CollectionWorkload.words[number % 6]
    case "header that all have": query.header = .init("accept")
    case "header with a value": query.header = .init("X-Id", "\(number)")
    case "parameter": query.parameter = .init("page", "\(number % 9)")
    case "text, method and tag":
      (query.text, query.method, query.tag) = ("example", "POST", "smoke")
    case "by name": query.sort = .name
    case "by last change": query.sort = .updated
    default: return nil
    }
    return try await find(query, store)
  }

  private func find(_ query: RequestQuery, _ store: Store) async throws -> Double {
    try await store.seconds { store throws(StoreFailure) in
      _ = try store.findRequests(query) { source, _ in
        StoredRequestContent(source: source, name: nil, method: "GET", url: "")
      }
    }
  }
}
