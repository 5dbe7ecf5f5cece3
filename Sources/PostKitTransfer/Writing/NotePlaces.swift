// Which written request a note is about: the one at its place in the source, or around it.

import PostKitHTTP

/// Finds the written requests of notes that were told before anything was written.
enum NotePlaces {
  private typealias Written = (file: String, line: Int)

  /// Gives notes the files and lines of their requests.
  static func locate(
    _ notes: ImportNotes, _ files: some Sequence<(PlannedFile, WrittenFile)>
  ) {
    guard notes.notes.contains(where: { $0.file == nil }) else { return }
    var places: [String: Written] = [:]
    // Of texts that are no tree: the lines at which requests begin.
    var lines: [String: [(start: Int, written: Written)]] = [:]
    for (planned, file) in files {
      for (request, line) in zip(planned.requests, file.blockLines) {
        let place = request.request.place.description
        places[place] = (file.path, line)
        guard let (name, start) = textPlace(place) else { continue }
        lines[name, default: []].append((start, (file.path, line)))
      }
    }
    notes.locate { place in
      if let (name, line) = textPlace(place) {
        return lines[name]?.filter { $0.start <= line }.max { $0.start < $1.start }?.written
      }
      var place = place[...]
      while true {
        if let found = places[String(place)] { return found }
        guard let slash = place.lastIndex(of: "/") else { return nil }
        place = place[..<slash]
      }
    }
  }

  /// The parts of `FILE:LINE`; `nil` for a JSON Pointer, with a file before it or not.
  private static func textPlace(_ place: String) -> (file: String, line: Int)? {
    guard place.utf8.first != UInt8(ascii: "/"), let colon = place.lastIndex(of: ":"),
      let line = Int(place[place.index(after: colon)...])
    else { return nil }
    return (String(place[..<colon]), line)
  }
}

extension WrittenFile {
  /// The lines of its blocks, counted from 1.
  var blockLines: [Int] {
    var line = head.isEmpty ? 1 : head.utf8.count { $0 == 10 } + 3
    return blocks.map { block in
      defer { line += block.lineCount + 1 }
      return line
    }
  }
}

extension WrittenBlock {
  /// The lines of its text.
  fileprivate var lineCount: Int {
    func count(_ text: String) -> Int {
      text.withBytes(\.lineEndCount)
    }
    let above = [head, line, headers].reduce(into: 0) { if !$1.isEmpty { $0 += count($1) + 1 } }
    let below = [body, tail].reduce(into: 0) { if !$1.isEmpty { $0 += count($1) + 2 } }
    return 1 + count(title) + above + below
  }
}
