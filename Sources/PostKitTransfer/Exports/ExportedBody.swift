// Bodies as other tools have them: pairs of forms and parts, found in the bytes that are sent.

import PostKitEvaluate
import PostKitHTTP

/// A body by what it holds.
enum ExportedBody: Sendable, Hashable {
  case none
  case text(ExportedText)
  /// The file at a path.
  case file(String)
  /// The pairs of a form, decoded; a value is `nil` where there is no `=`.
  case form([Pair])
  case multipart([Part])
  /// Texts and files one after the other, which few tools can send.
  case mixed([ExportedChunk])

  /// A pair of a form.
  struct Pair: Sendable, Hashable {
    var name: ExportedText
    var value: ExportedText?
  }

  /// A part of a multipart body.
  struct Part: Sendable, Hashable {
    var name: String
    var fileName: String?
    var contentType: String?
    /// The content: a text or a file.
    var content: ExportedChunk

    /// Whether the path of its file gives it its name.
    var isNamedByPath: Bool {
      guard case .file(let path) = content else { return false }
      return path.split(separator: "/").last.map(String.init) == fileName
    }
  }
}

extension ExportedRequest {
  /// The body by what it holds. What is taken apart goes over the wire as the same bytes when it is
  /// put together again by the rules of all tools; where it would not, it stays a text.
  var content: ExportedBody {
    guard let first = body.first else { return .none }
    if mediaType?.isMultipart == true, let parts = parts { return .multipart(parts) }
    guard body.count == 1 else { return .mixed(body) }
    switch first {
    case .file(let path): return .file(path)
    case .text(let text):
      if mediaType?.isForm == true, let pairs = ExportedRequest.pairs(text) { return .form(pairs) }
      return .text(text)
    }
  }

  private static func pairs(_ text: ExportedText) -> [ExportedBody.Pair]? {
    var result: [ExportedBody.Pair] = []
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", limit: 1)
      guard let name = decoded(halves[0]), !name.isEmpty else { return nil }
      guard halves.count == 2 else { return nil }
      guard let value = decoded(halves[1]) else { return nil }
      result.append(ExportedBody.Pair(name: name, value: value))
    }
    return result
  }

  /// A name or a value without percent escapes; `nil` where encoding it again would give others.
  private static func decoded(_ text: ExportedText) -> ExportedText? {
    var isSame = true
    let result = text.mappingLiterals { literal in
      let plain = String(keeping: PercentEncoding.decode(literal))
      let again = PercentEncoding.encode(plain, allowing: formLetters)
      let usual = PercentEncoding.encode(plain, allowing: .legalInURL)
      // What every tool leaves alone or encodes may be written in either way.
      if again != literal, usual != literal || literal.contains(where: { "&=+%".contains($0) }) {
        isSame = false
      }
      return plain
    }
    return isSame ? result : nil
  }

  /// What stands for itself in a form, whoever writes it.
  private static let formLetters = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  // MARK: - Multipart

  /// The parts of a multipart body; `nil` where they are not those of a form, or are more than a
  /// text or a file each.
  private var parts: [ExportedBody.Part]? {
    guard let boundary = mediaType?.parameter("boundary"), !boundary.isEmpty else { return nil }
    var lines = [Line()]
    for chunk in body {
      switch chunk {
      case .file(let path): lines[lines.count - 1].files.append(path)
      case .text(let text):
        // CR and LF together are one character of a text.
        let plain = text.mappingLiterals { $0.replacing("\r\n", with: "\n") }
        for (index, piece) in plain.split(separator: "\n").enumerated() {
          if index > 0 { lines.append(Line()) }
          lines[lines.count - 1].text.append(piece)
        }
      }
    }
    return parts(lines, "--" + boundary)
  }

  /// A line of a multipart body with the files that stand in it.
  private struct Line {
    var text = ExportedText()
    var files: [String] = []
  }

  private func parts(_ lines: [Line], _ delimiter: String) -> [ExportedBody.Part]? {
    var result: [ExportedBody.Part] = []
    var open: [Line]?
    for line in lines {
      let text = line.files.isEmpty ? line.text.literal : nil
      guard text == delimiter || text == delimiter + "--" else {
        if open == nil, text != "" { return nil }
        open?.append(line)
        continue
      }
      if let lines = open {
        guard let part = ExportedRequest.part(lines) else { return nil }
        result.append(part)
      }
      open = text == delimiter ? [] : nil
    }
    return open == nil && !result.isEmpty ? result : nil
  }

  private static func part(_ lines: [Line]) -> ExportedBody.Part? {
    guard let blank = lines.firstIndex(where: { $0.files.isEmpty && $0.text.isEmpty }) else {
      return nil
    }
    var part = ExportedBody.Part(name: "", content: .text(ExportedText()))
    var isForm = false
    for line in lines[..<blank] {
      guard let text = line.text.literal, line.files.isEmpty,
        let colon = text.firstIndex(of: ":")
      else { return nil }
      let value = String(text[text.index(after: colon)...]).trimmingASCIIBlanks()
      switch text[..<colon].lowercased() {
      case "content-disposition":
        guard let type = MediaType("x/" + value), type.essence == "x/form-data",
          let name = type.parameter("name")
        else { return nil }
        isForm = true
        part.name = name
        part.fileName = type.parameter("filename")
      case "content-type": part.contentType = value
      default: return nil
      }
    }
    guard isForm else { return nil }
    let content = lines[(blank + 1)...]
    let files = content.flatMap(\.files)
    if let file = files.first {
      guard files.count == 1, content.count == 1, content.first?.text.isEmpty == true else {
        return nil
      }
      part.content = .file(file)
      return part
    }
    var text = ExportedText()
    for (index, line) in content.enumerated() {
      if index > 0 { text.append("\r\n") }
      text.append(line.text)
    }
    part.content = .text(text)
    return part
  }
}
