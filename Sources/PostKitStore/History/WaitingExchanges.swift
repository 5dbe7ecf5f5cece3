// Exchanges that another process kept from being committed in time: files of their own, which
// whoever gets the store's lock next takes into the history.

package import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// The exchanges that wait in `incoming/` until the history can be written.
///
/// An exchange is a file `exchange-ID` with its row as JSON. Bodies that are files lie beside it
/// under names of the process that wrote them, and the row names them. The file gets its name last
/// and loses it first, so that whoever sees it finds all of it.
struct WaitingExchanges {
  private let bodies: BodyFiles
  private let files: WaitingFiles

  /// Looks into the directory of some bodies.
  init(bodies: BodyFiles) {
    self.bodies = bodies
    files = WaitingFiles(bodies: bodies, kind: .exchange)
  }

  /// One exchange that waits.
  struct Row {
    /// The columns that it gives, in order.
    var columns: [String]
    var values: [SQLValue]
    /// The files of its bodies by the hashes of their content.
    var files: [String: String]
  }

  /// The names of those that wait, in the order in which they were sent.
  var names: [String] { files.names }

  /// Where an exchange waits, if it does.
  func path(id: String) -> String { files.path(id: id) }

  /// Writes an exchange, whose secrets are masked; it is on the disk when this returns. Of its
  /// bodies `limit` bytes are kept.
  func add(_ exchange: Exchange, bodyByteLimit limit: Int) throws(StoreFailure) {
    let request = stage(exchange.request.body, limit)
    var response = stage(exchange.response?.body ?? .empty, limit)
    if response.hash == request.hash {
      // What was echoed needs one file.
      bodies.discard(response)
      response.temporaryPath = nil
    }
    do throws(StoreFailure) {
      let values = ExchangeRow.values(exchange, request: request, response: response)
      try files.add(WaitingExchanges.content(values, [request, response]), id: exchange.id)
    } catch {
      bodies.discard(request)
      bodies.discard(response)
      throw error
    }
  }

  /// A body with a file of its own, or without its bytes where they can't be kept.
  private func stage(_ content: BodyContent, _ limit: Int) -> KeptBody {
    do throws(StoreFailure) {
      var body = try bodies.stage(content, limit: limit)
      guard let hash = body.hash, body.temporaryPath == nil else { return body }
      // What others have of the same content may be forgotten before this one is taken in.
      body.temporaryPath = try bodies.linked(hash: hash)
      return body.temporaryPath == nil ? try bodies.stage(content, limit: limit) : body
    } catch {
      Log.warning("The body of an exchange that waits is not kept: \(error.message)")
      return KeptBody(bytes: [], isTruncated: true)
    }
  }

  private static func content(_ values: [SQLValue], _ bodies: [KeptBody]) -> [JSONMember] {
    var row: [JSONMember] = []
    for (column, value) in zip(ExchangeRow.columns, values) {
      switch value {
      case .null: break
      case .int(let number): row.append(JSONMember(column, .int(number)))
      case .real(let number): row.append(JSONMember(column, .number("\(number)")))
      case .text(let text): row.append(JSONMember(column, .string(text)))
      case .blob(let bytes):
        row.append(JSONMember(column, ["base64": .string(Base64.encode(bytes))]))
      }
    }
    let files = bodies.compactMap { body -> JSONMember? in
      guard let hash = body.hash, let path = body.temporaryPath else { return nil }
      return JSONMember(hash, .string(FilePath.name(path)))
    }
    return [JSONMember("row", .object(row)), JSONMember("files", .object(files))]
  }

  /// Reads one that waits.
  func read(_ name: String) throws(WaitingFiles.Obstacle) -> Row {
    let tree = try files.read(name)
    guard let row = tree.root["row"] else { throw .damaged("it has no `row`") }
    var result = Row(columns: [], values: [], files: [:])
    for member in row.members {
      let column = member.key.string ?? ""
      guard ExchangeRow.columns.contains(column) else { continue }
      guard let value = WaitingExchanges.value(member.value) else {
        throw .damaged("its `\(column)` is no value of a row")
      }
      result.columns.append(column)
      result.values.append(value)
    }
    for member in tree.root["files"]?.members ?? [] {
      guard let hash = member.key.string, let file = member.value.string, !file.contains("/")
      else { continue }
      result.files[hash] = files.path(name: file)
    }
    return result
  }

  private static func value(_ view: JSONView) -> SQLValue? {
    if let text = view.string { return .text(text) }
    if let number = view.int { return .int(Int64(number)) }
    return view["base64"]?.string.flatMap { Base64.decode($0) }.map(SQLValue.blob)
  }

  /// Removes one that was taken in.
  func remove(_ name: String, _ row: Row) throws(FileFailure) {
    try files.remove(name)
    for path in row.files.values { try FileSystem.remove(path) }
  }

  /// Puts one aside that can't be taken in, so that it is not tried again; it is swept later.
  func reject(_ name: String) throws(FileFailure) { try files.reject(name) }

  /// Removes those that can't be read here, so that nobody takes them in later.
  func removeUnreadable() throws(FileFailure) {
    for name in names where (try? read(name)) == nil { try files.remove(name) }
  }

  /// Those of some files in `incoming/` that belong to nothing that waits.
  func unneeded(of paths: [String]) -> [String] {
    let changes = WaitingFiles(bodies: bodies, kind: .change)
    var needed = Set(changes.names.map(changes.path(name:)))
    for name in names {
      needed.insert(files.path(name: name))
      do throws(WaitingFiles.Obstacle) {
        needed.formUnion(try read(name).files.values)
      } catch {
        // It is put aside, and its bodies go; which ones the others need is not known.
        if case .damaged = error { continue }
        return []
      }
    }
    return paths.filter { !needed.contains($0) }
  }
}

extension StoreLocation {
  /// Keeps an exchange that can't be committed in time as a file of its own, from which the next
  /// process that gets the store's lock takes it into the history; it is on the disk when this
  /// returns. Secrets were masked before.
  package func keepWaiting(_ exchange: Exchange, bodyByteLimit: Int) throws(StoreFailure) {
    try WaitingExchanges(bodies: BodyFiles(directory: bodiesDirectory)).add(
      exchange, bodyByteLimit: bodyByteLimit)
  }

  /// Where an exchange waits to be taken into the history; nothing is there once it was.
  package func waitingPath(id: String) -> String {
    WaitingExchanges(bodies: BodyFiles(directory: bodiesDirectory)).path(id: id)
  }
}
