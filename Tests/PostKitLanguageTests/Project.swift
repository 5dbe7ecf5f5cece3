// Several files in one string, with the index of their names.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// Files below `/p` whose texts may have marks: one caret, and selections around what is expected.
struct Project {
  var texts: [String: MarkedText] = [:]

  /// Reads an archive.
  init(_ source: String) {
    for file in Archive(source).files { texts["/p/" + file.name] = MarkedText(file.text) }
  }

  /// The file with the caret, and the caret's place.
  var caret: (path: String, offset: Int) {
    let found = texts.first { $0.value.offsets[1] != nil }
    return (found?.key ?? "", found?.value.offsets[1] ?? 0)
  }

  /// What is between the marks, as `file:line:text`.
  var expected: [String] {
    texts.keys.sorted().flatMap { path in
      (texts[path]?.selections ?? []).map { place($0, in: path) }
    }
  }

  /// A range as `file:line:text`.
  func place(_ range: Range<Int>, in path: String) -> String {
    let bytes = texts[path]?.bytes ?? []
    let line = bytes[..<range.lowerBound].count { $0 == 10 } + 1
    return "\(path.dropFirst(3)):\(line):\(String(decoding: bytes[range], as: UTF8.self))"
  }

  /// The index of the files.
  func index(_ dialect: Dialect = Dialect(), folders: [String] = []) -> ProjectIndex {
    let paths = Set(texts.keys)
    var files: [FileNames] = []
    for (path, text) in texts {
      if let kind = EnvironmentSource.Kind(path: path) {
        files.append(FileNames(path: path, bytes: text.bytes, of: kind, keepsBytes: true))
      } else if ParsedDocument.isRequestFile(path) {
        files.append(
          FileNames(
            path: path, document: ParsedDocument(bytes: text.bytes), dialect: dialect,
            keepsBytes: true, resolve: { Project.resolve($0, path) }))
      }
    }
    let templates = Set(files.flatMap(\.templates)).intersection(paths)
    for path in templates.sorted() {
      files.append(FileNames(path: path, template: texts[path]?.bytes ?? [], keepsBytes: true))
    }
    for path in Set(files.flatMap(\.scripts)).intersection(paths).sorted() {
      files.append(FileNames(path: path, script: texts[path]?.bytes ?? [], keepsBytes: true))
    }
    return ProjectIndex(files, folders: folders)
  }

  /// What a path means in a file.
  static func resolve(_ written: String, _ file: String) -> String {
    if written.hasPrefix("/") { return written }
    var folder = file.split(separator: "/").dropLast()
    for part in written.split(separator: "/") where part != "." {
      if part == ".." { _ = folder.popLast() } else { folder.append(part) }
    }
    return "/" + folder.joined(separator: "/")
  }
}

/// Compares the places that mean the same as what is at the caret with the selections of all files.
func checkUses(
  _ source: String, _ dialect: Dialect = Dialect(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let project = Project(source)
  let index = project.index(dialect)
  let (path, offset) = project.caret
  guard let (meaning, occurrence) = index.meaning(in: path, at: offset) else {
    #expect(project.expected == [], sourceLocation: sourceLocation)
    return
  }
  let found = index.uses(of: meaning, from: occurrence, in: path).flatMap { uses in
    uses.occurrences.map { project.place($0.range, in: uses.file.path) }
  }
  #expect(found == project.expected, sourceLocation: sourceLocation)
}
