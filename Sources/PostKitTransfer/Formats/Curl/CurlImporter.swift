// Lists of curl commands as requests.

import PostKitSyntax

/// Reads scripts of curl commands, such as those that browsers copy.
enum CurlImporter: OriginImporter {
  static let format = OriginFormat.curl

  /// Whether the first word of a source is `curl`.
  static func recognises(_ source: OriginSource) -> Bool {
    guard source.files == nil else { return false }
    var lines = source.bytes.prefix(65_536).split { $0 == 10 || $0 == 13 }.lazy
      .map { String(decoding: $0, as: UTF8.self).drop { $0.isWhitespace } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }.makeIterator()
    guard var first = lines.next() else { return false }
    if first.hasPrefix("$ ") { first = first.dropFirst(2) }
    let word = first.prefix { !$0.isWhitespace }.lowercased()
    return word == "curl" || word == "curl.exe"
  }

  /// Reads lists of commands.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let first = sources.first else { throw OriginFailure("There are no commands to read.") }
    var reader = CurlListReader(context: context)
    for source in sources { reader.read(source) }
    let isEmpty = reader.requests.isEmpty
    if isEmpty { throw OriginFailure("\(first.name) has no curl command with a URL.") }
    var root = OriginFolder(
      name: first.nameWithoutEnding ?? "Commands", place: OriginPlace(file: first.name))
    root.requests = reader.requests
    var collection = OriginCollection(format: .curl, root: root)
    collection.shared = reader.secrets
    return collection
  }
}

/// Gathers the requests of lists.
struct CurlListReader {
  let context: OriginContext
  private(set) var requests: [OriginRequest] = []
  private var sent: SentRequests
  private var ids = CountedIDs()

  /// Makes a reader with nothing read.
  init(context: OriginContext) {
    self.context = context
    sent = SentRequests(notes: context.notes)
  }

  /// The secrets of all commands, as variables.
  var secrets: [OriginVariable] { sent.secrets.variables }

  /// Reads the commands of a script.
  mutating func read(_ source: OriginSource) {
    for command in CommandList(source.bytes).commands {
      let place = OriginPlace(file: source.name, line: command.line)
      guard command.isCurl else {
        context.notes.tell(
          .itemMalformed, "`\(command.program.prefix(40))` is no curl command and is left out.",
          at: place)
        continue
      }
      for name in command.expansions {
        context.notes.tell(
          .templateUnsupported,
          "The shell puts a value in for `\(name.prefix(40))`, which is sent as it stands here. "
            + "Write a name such as `{{name}}` in its place.", at: place)
      }
      let count = requests.count
      for text in CurlPieces(context: context, place: place).split(command.text) {
        add(CurlSyntax(text, in: 0..<text.count), at: place)
      }
      guard requests.count > count else { continue }
      requests[count].name = command.comments.first ?? ""
      requests[count].description = command.comments.dropFirst().joined(separator: "\n")
    }
  }

  /// A request for each URL of a command.
  private mutating func add(_ curl: CurlSyntax, at place: OriginPlace) {
    guard curl.unclosedQuote == nil else {
      context.notes.tell(.itemMalformed, "A quote of this command is not closed.", at: place)
      return
    }
    guard !curl.urls.isEmpty else {
      context.notes.tell(.itemMalformed, "This command has no URL.", at: place)
      return
    }
    let reading = CurlReading(curl: curl, context: context, place: place)
    reading.tellOptions()
    for url in curl.urls {
      let request = reading.sentRequest(url: url.text)
      let id = ids.next(request.method, request.url)
      guard var result = sent.request(request, id: id, at: place) else {
        context.notes.tell(.itemMalformed, "The URL of this command has no host.", at: place)
        continue
      }
      reading.complete(&result)
      requests.append(result)
    }
  }
}

/// Takes a command apart at `--next` and puts files of options in their place.
struct CurlPieces {
  let context: OriginContext
  let place: OriginPlace

  /// The commands of a command, each with `curl` as its first word.
  func split(_ command: [UInt8]) -> [[UInt8]] {
    let text = withFiles(command)
    let curl = CurlSyntax(text, in: 0..<text.count)
    let marks = curl.uses.filter { $0.option.name == "next" }.map(\.range)
    guard !marks.isEmpty else { return [text] }
    var pieces: [[UInt8]] = []
    var start = 0
    for mark in marks + [text.count..<text.count] {
      let piece = Array(text[start..<mark.lowerBound])
      pieces.append(start == 0 ? piece : Array("curl ".utf8) + piece)
      start = mark.upperBound
    }
    return pieces
  }

  /// The command with the options of its `-K` files.
  private func withFiles(_ command: [UInt8]) -> [UInt8] {
    let curl = CurlSyntax(command, in: 0..<command.count)
    var text = command
    for use in curl.uses.reversed() where use.option.name == "config" {
      guard let path = use.value?.text else { continue }
      var options: [UInt8] = []
      switch context.file(path) {
      case .bytes(let bytes): options = CurlConfiguration.words(bytes)
      case .missing:
        context.notes.tell(.fileMissing, "The file of options `\(path)` is not there.", at: place)
      case .outside:
        context.notes.tell(
          .fileOutside, "The file of options `\(path)` lies outside of the source's folder.",
          at: place)
      case .unreadable(let why): context.notes.tell(.fileMissing, why, at: place)
      }
      text.replaceSubrange(use.range, with: options)
    }
    return text
  }
}

/// Files of options that curl reads by `-K`.
enum CurlConfiguration {
  /// The options as words for `sh`: `name = "value"`, `name value` and `--name value` are one.
  static func words(_ bytes: [UInt8]) -> [UInt8] {
    var words: [[UInt8]] = []
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let text = line.drop { $0 == 32 || $0 == 9 }
      guard let first = text.first, first != UInt8(ascii: "#") else { continue }
      let isEnd: (UInt8) -> Bool = {
        $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":")
      }
      let end = text.firstIndex(where: isEnd) ?? text.endIndex
      let name = text[..<end]
      words.append(first == UInt8(ascii: "-") ? Array(name) : Array("--".utf8) + name)
      let value = text[end...].drop(while: isEnd)
      if !value.isEmpty { words.append(self.value(value)) }
    }
    return Array(words.map(quoted).joined(separator: [32]))
  }

  /// A value in double quotes with escapes, or as it stands.
  private static func value(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.first == UInt8(ascii: "\"") else {
      var text = text
      while let last = text.last, last == 32 || last == 9 { text.removeLast() }
      return Array(text)
    }
    var result: [UInt8] = []
    var rest = text.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "v"): result.append(11)
      default: result.append(next)
      }
    }
    return result
  }

  private static func quoted(_ word: [UInt8]) -> [UInt8] {
    var text = [UInt8(ascii: "'")]
    for byte in word {
      if byte == UInt8(ascii: "'") { text += Array("'\\'".utf8) }
      text.append(byte)
    }
    return text + [UInt8(ascii: "'")]
  }
}
