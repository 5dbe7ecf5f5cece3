// Which written request a note is about: the one at its place in the source, or around it.

/// Finds the written requests of notes that were told before anything was written.
enum NotePlaces {
  /// Gives notes the files and lines of their requests.
  static func locate(
    _ notes: ImportNotes, _ files: some Sequence<(PlannedFile, WrittenFile)>
  ) {
    guard notes.notes.contains(where: { $0.file == nil }) else { return }
    var places: [String: (file: String, line: Int)] = [:]
    for (planned, file) in files {
      for (request, line) in zip(planned.requests, file.blockLines) {
        places[request.request.place.description] = (file.path, line)
      }
    }
    notes.locate { place in
      var place = place[...]
      while true {
        if let found = places[String(place)] { return found }
        guard let slash = place.lastIndex(of: "/") else { return nil }
        place = place[..<slash]
      }
    }
  }
}

extension WrittenFile {
  /// The lines of its blocks, counted from 1.
  var blockLines: [Int] {
    var line = head.isEmpty ? 1 : head.utf8.count { $0 == 10 } + 3
    return blocks.map { block in
      defer { line += block.text.utf8.count { $0 == 10 } + 1 }
      return line
    }
  }
}
