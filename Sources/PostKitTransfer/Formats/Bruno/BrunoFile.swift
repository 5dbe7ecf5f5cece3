// A `.bru` file with its path, as the reader of requests, folders and environments sees it.

/// A file of a collection that was taken apart.
struct BrunoFile {
  /// The path below the collection's folder; of a single file the name by which it was called.
  let path: String
  let text: BruText
  let notes: ImportNotes

  /// Takes a file apart. What is no `.bru` file fails with its line.
  init(_ file: TransferFile, notes: ImportNotes) throws(OriginFailure) {
    path = file.path
    self.notes = notes
    let source = try BrunoFile.source(file)
    do throws(BruMistake) { text = try BruText(source) } catch {
      throw OriginFailure("\(file.path):\(error.line): \(error.message)")
    }
  }

  /// The text of a file, whatever its encoding.
  static func source(_ file: TransferFile) throws(OriginFailure) -> String {
    String(decoding: try SourceDecoding.decoded(file.bytes, of: file.path), as: UTF8.self)
  }

  /// A line of the file, counted from 1.
  func place(_ line: Int = 1) -> OriginPlace { OriginPlace(file: path, line: line) }

  /// The last part of the path, without `.bru`.
  var stem: String {
    let name = String(path.split(separator: "/").last ?? "")
    return name.lowercased().hasSuffix(".bru") ? String(name.dropLast(4)) : name
  }

  // MARK: Blocks

  /// The pairs of all blocks of that name.
  func pairs(_ name: String, in text: BruText? = nil) throws(OriginFailure) -> [BruPair] {
    var pairs: [BruPair] = []
    for block in (text ?? self.text).blocks where block.name == name {
      pairs += try reading { () throws(BruMistake) in try block.pairs() }
    }
    return pairs
  }

  /// The text of the last block of that name that has one.
  func content(_ name: String, in text: BruText? = nil) -> (text: String, line: Int)? {
    guard let block = (text ?? self.text).block(name), !block.text.isEmpty else { return nil }
    return (block.text, block.line)
  }

  /// The pairs of the blocks of that name as fields; `nil` without such a block.
  func fields(_ name: String) throws(OriginFailure) -> BrunoFields? {
    guard let block = text.block(name) else { return nil }
    let pairs = try pairs(name).filter { $0.isOn && $0.list == nil }
    return BrunoFields(
      pairs.map { ($0.key, $0.value, place($0.line)) }, at: place(block.line), notes: notes)
  }

  /// Does what takes the file further apart, and fails with its line.
  func reading<Value>(
    _ body: () throws(BruMistake) -> Value
  ) throws(OriginFailure) -> Value {
    do throws(BruMistake) { return try body() } catch {
      throw OriginFailure("\(path):\(error.line): \(error.message)")
    }
  }

  /// Tells each annotation that says something beyond what is known.
  func checkAnnotations(_ pairs: [BruPair], origin: String?) {
    let known: Set<String> = ["description", "contentType", "string", "number", "boolean", "object"]
    for pair in pairs {
      for annotation in pair.annotations where !known.contains(annotation.name) {
        notes.tell(
          .memberUnknown,
          "PostKit does not know what `@\(annotation.name)` means and leaves it out.",
          at: place(pair.line), origin: origin)
      }
    }
  }
}
