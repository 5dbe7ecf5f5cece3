// The files that lie beside a request file, and those of the source that it names (IO-6, IO-12).

/// The files of the source, asked for once each.
final class SourceFiles {
  /// What is known of a file.
  enum Finding {
    case found(holdsBoundary: Bool)
    case missing
    case outside
    case unreadable(String)
  }

  /// Answers for a file by its path beside the source.
  let ask: (String) -> OriginFileAnswer
  private var findings: [String: Finding] = [:]

  /// Asks by a closure.
  init(_ ask: @escaping (String) -> OriginFileAnswer) { self.ask = ask }

  /// What is known of a file; it is not kept in memory.
  func finding(_ path: String) -> Finding {
    if let known = findings[path] { return known }
    let finding: Finding
    switch ask(path) {
    case .bytes(let bytes):
      finding = .found(holdsBoundary: MultipartText.mayHoldBoundary(bytes))
    case .missing: finding = .missing
    case .outside: finding = .outside
    case .unreadable(let reason): finding = .unreadable(reason)
    }
    findings[path] = finding
    return finding
  }
}

/// Gives names to the files beside one request, the same ones at each try.
final class BesideFiles {
  /// The directory of the request file below the target, with `/` at its end, or empty.
  let directory: String
  let source: SourceFiles
  private let title: String
  private let sourcePath: String
  private let names: DirectoryNames
  private let standsAlone: Bool
  private var given: [String: String] = [:]

  /// Names files for a request by its title.
  init(
    directory: String, title: String, sourcePath: String, names: DirectoryNames,
    source: SourceFiles, standsAlone: Bool = false
  ) {
    self.directory = directory
    self.title = title
    self.sourcePath = sourcePath
    self.names = names
    self.source = source
    self.standsAlone = standsAlone
  }

  /// The path of a file beside the request file, such as `bodies/Get user.json`. It is the same one
  /// for each `key`; `suffix` stands behind the title.
  func name(
    _ key: String, suffix: String = "", in folder: String, ending: String,
    withoutBlanks: Bool = false
  ) -> String {
    if let known = given[key + ending] { return known }
    var stem = suffix.isEmpty ? title : LineText.cut(title, to: 40) + suffix
    if withoutBlanks { stem = stem.replacing(" ", with: "-") }
    let name = folder
      + names.name(
        for: stem, in: directory + folder, ending: ending,
        fallback: "request", separator: withoutBlanks ? "-" : " ")
    given[key + ending] = name
    return name
  }

  /// The path that leads from the request file to a file of the source.
  func path(
    toSource path: String?, _ renamed: [String: String], _ place: OriginPlace,
    _ draft: inout RequestDraft
  ) -> (path: String, holdsBoundary: Bool) {
    let name = LineText.oneLine(path ?? "")
    guard let path, !name.isEmpty else {
      draft.notes.append(
        (.fileMissing, "The source names no file here; put its path behind `<`.", place))
      return ("./FILE-NAME-MISSING", false)
    }
    let written = TemplateNames.renaming(name, renamed)
    if Self.isAbsolute(name) {
      draft.notes.append(
        (.fileOutside, "`\(name)` is an absolute path, which other computers may lack.", place))
      return (written, false)
    }
    var holdsBoundary = false
    if !name.hasTemplate {
      switch source.finding(path) {
      case .found(let holds): holdsBoundary = holds
      case .missing:
        draft.notes.append((.fileMissing, "`\(name)` is not beside the source.", place))
      case .outside:
        draft.notes.append(
          (.fileOutside, "`\(name)` lies outside of the source's folder.", place))
      case .unreadable(let reason):
        draft.notes.append((.fileMissing, "`\(name)` can't be read: \(reason)", place))
      }
    }
    draft.namesSource = true
    return (relative(written), holdsBoundary)
  }

  private func relative(_ path: String) -> String {
    let depth = standsAlone ? 0 : directory.utf8.count { $0 == UInt8(ascii: "/") }
    var steps = Array(repeating: "..", count: depth)
    for step in (sourcePath + "/" + path).split(separator: "/") where step != "." {
      // Going up from a name leads back; going up from a step up does not.
      if step == "..", let last = steps.last, last != ".." {
        steps.removeLast()
      } else {
        steps.append(String(step))
      }
    }
    let joined = steps.joined(separator: "/")
    return joined.hasPrefix("../") ? joined : "./" + joined
  }

  private static func isAbsolute(_ path: String) -> Bool {
    let bytes = Array(path.utf8.prefix(3))
    guard let first = bytes.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "\\") { return true }
    if path == "~" || path.hasPrefix("~/") { return true }
    return bytes.count == 3 && bytes[1] == UInt8(ascii: ":")
      && (bytes[2] == UInt8(ascii: "\\") || bytes[2] == UInt8(ascii: "/"))
  }
}

/// The names of files that are given so far, by directory.
final class DirectoryNames {
  private var directories: [String: PortableFileNames] = [:]
  /// Names that no folder of requests may have, since others lie there.
  private static let taken = FolderManifest.ownFiles.union([
    "examples", "bodies", "scripts", "protos", "tests", "postkit-import.json", ".gitignore",
  ])

  /// Names that are given elsewhere, such as those of attachments.
  init(taken paths: [String]) {
    for path in paths {
      let steps = path.split(separator: "/").map(String.init)
      var directory = ""
      for step in steps {
        var names = directories[directory] ?? PortableFileNames(taken: Self.taken)
        names.take(step)
        directories[directory] = names
        directory += step + "/"
      }
    }
  }

  /// A name for something in a directory, which ends in `/` or is empty.
  func name(
    for title: String, in directory: String, ending: String, fallback: String,
    separator: String = " "
  ) -> String {
    var names = directories[directory] ?? PortableFileNames(taken: Self.taken)
    directories[directory] = nil
    defer { directories[directory] = names }
    while true {
      let name = names.name(for: title, extension: ending, fallback: fallback)
      if separator == " " { return name }
      let joined = name.replacing(" ", with: separator)
      if joined == name || names.take(joined) { return joined }
    }
  }

  /// A name in a directory for both a request file and a directory beside it, without an ending.
  func stem(for title: String, in directory: String, fallback: String) -> String {
    var names = directories[directory] ?? PortableFileNames(taken: Self.taken)
    directories[directory] = nil
    defer { directories[directory] = names }
    while true {
      let stem = names.name(for: title, extension: "", fallback: fallback)
      if names.take(stem + ".http") { return stem }
    }
  }
}
