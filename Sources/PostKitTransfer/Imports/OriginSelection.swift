// Which format sources have, and what is made of them (IO-4).

/// Reads sources of other tools into a collection.
struct OriginSelection {
  /// The formats that are known, in the order in which they are asked.
  let importers: [any OriginImporter.Type]

  /// The most requests of one import (IO-5).
  static let requestLimit = 100_000

  /// Whether any format recognises a source.
  func recognises(_ source: OriginSource) -> Bool {
    importers.contains { $0.recognises(source) }
  }

  /// Reads a collection and what stands beside it.
  func read(
    _ sources: [OriginSource], as format: OriginFormat?, _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    let (importer, sorted) = try importer(for: sources, format)
    let collection = try importer.read(sorted, context)
    if let format, collection.requestCount == 0, !importer.recognises(sorted[0]) {
      throw empty(sorted[0], as: format)
    }
    guard collection.requestCount <= Self.requestLimit else {
      throw OriginFailure(
        "\(sources[0].name) has \(collection.requestCount) requests, more than the limit of "
          + "\(Self.requestLimit). Split it in the tool that it is from, and import the parts.")
    }
    return collection
  }

  /// The importer, and the sources with the collection first.
  private func importer(
    for sources: [OriginSource], _ format: OriginFormat?
  ) throws(OriginFailure) -> (any OriginImporter.Type, [OriginSource]) {
    if let format {
      guard let importer = importers.first(where: { $0.format == format }) else {
        throw OriginFailure("PostKit can't read `\(format.rawValue)` yet.")
      }
      let main = sources.filter { !importer.accompanies($0) }
      try requireOne(main, of: sources)
      return (importer, main + sources.filter(importer.accompanies))
    }
    var found: [(importer: any OriginImporter.Type, source: OriginSource)] = []
    for source in sources {
      if importers.contains(where: { $0.accompanies(source) }) { continue }
      if let importer = importers.first(where: { $0.recognises(source) }) {
        found.append((importer, source))
      } else {
        throw unknown(source)
      }
    }
    try requireOne(found.map(\.source), of: sources)
    let (importer, main) = (found[0].importer, found[0].source)
    let others = sources.filter { $0 != main }
    for other in others where !importer.accompanies(other) {
      throw OriginFailure(
        "\(other.name) does not go with \(main.name), which is of the format "
          + "`\(importer.format.rawValue)`. Import it by itself.")
    }
    return (importer, [main] + others)
  }

  /// What is said of a source that has nothing in the format that somebody has named.
  private func empty(_ source: OriginSource, as format: OriginFormat) -> OriginFailure {
    let found = importers.first { $0.recognises(source) }?.format.rawValue
    return OriginFailure(
      "\(source.name) has no requests in the format `\(format.rawValue)`. "
        + (found.map { "It looks like `\($0)`; `--from \($0)` reads it so." }
          ?? "Without `--from` PostKit looks which format it has."))
  }

  private func requireOne(
    _ main: [OriginSource], of sources: [OriginSource]
  ) throws(OriginFailure) {
    if main.count > 1 {
      throw OriginFailure(
        "\(main[0].name) and \(main[1].name) are two collections. Import one at a time; what may "
          + "stand beside it are its environments.")
    }
    if main.isEmpty {
      let name = sources.first?.name ?? "The source"
      throw OriginFailure("\(name) has no requests. Name the collection that it belongs to, too.")
    }
  }

  /// What is said of a source that no format recognises, with the nearest guess.
  private func unknown(_ source: OriginSource) -> OriginFailure {
    if source.files?.contains(where: { FolderFiles.isRequestFile($0.path) }) == true {
      return OriginFailure(
        "\(source.name) is a folder of request files. They are imported by themselves, into the "
          + "store, without `--to`.")
    }
    if let foreign = ForeignFormat(source) {
      return OriginFailure(
        "\(source.name) is \(foreign.name), which PostKit does not read. Convert it to OpenAPI, "
          + "such as with \(foreign.converter), and import that.")
    }
    if let failure = malformed(source) { return failure }
    let formats = importers.map { $0.format.rawValue } + [RequestFolderReader.format]
    var message = "\(source.name) is in no format that PostKit reads; it reads "
      + formats.joined(separator: ", ") + "."
    let head = String(decoding: source.bytes.prefix(4_096), as: UTF8.self)
    let guess = Self.marks.first { mark in head.contains("\"\(mark.key)\"") }
    if let guess, importers.contains(where: { $0.format == guess.format }) {
      message += " Its `\(guess.key)` looks like `\(guess.format.rawValue)`; `--from "
        + "\(guess.format.rawValue)` reads it so."
    } else {
      message += " Where you know better, `--from FORMAT` says so."
    }
    return OriginFailure(message)
  }

  /// What is wrong with a source that begins as JSON and is none.
  private func malformed(_ source: OriginSource) -> OriginFailure? {
    let start = source.bytes.prefix(4_096).filter { $0 > 32 }.prefix(2)
    guard source.files == nil, start.elementsEqual("{\"".utf8) || start.elementsEqual("[{".utf8)
    else { return nil }
    do throws(OriginFailure) {
      _ = try source.json()
      return nil
    } catch {
      return error
    }
  }

  /// Keys by which a format is guessed where it is not recognised.
  private static let marks: [(key: String, format: OriginFormat)] = [
    ("_postman_id", .postman), ("item", .postman), ("__export_format", .insomnia),
    ("openapi", .openapi), ("swagger", .openapi), ("paths", .openapi), ("entries", .har),
    ("postData", .har), ("opencollection", .opencollection), ("thunder", .thunder),
    ("folders", .hoppscotch),
  ]
}
