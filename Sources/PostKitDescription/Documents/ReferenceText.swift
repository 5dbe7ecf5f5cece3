// What stands in a `$ref`: a path to a document, and a JSON Pointer or an anchor in it.

import PostKitHTTP

/// The text of a `$ref` in parts.
struct ReferenceText {
  /// What stands before `#`, with percent signs decoded; empty for the same document.
  let path: String
  /// The same as it is written.
  private let written: String
  /// What stands behind `#`, with percent signs decoded.
  let fragment: String

  init(_ text: String) {
    let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    written = String(halves[0])
    path = Self.decoded(halves[0])
    fragment = halves.count > 1 ? Self.decoded(halves[1]) : ""
  }

  /// Whether the path names a document on another machine.
  var isRemote: Bool {
    if path.hasPrefix("//") { return true }
    guard let scheme else { return false }
    return scheme != "file"
  }

  /// Whether the path is absolute, so that it can't lie below the description's folder by its form.
  var isAbsolute: Bool { path.hasPrefix("/") || scheme == "file" }

  /// Where the document lies that is named in another one, whose path or URL is given: below the
  /// description's folder, or at a URL; `nil` for a path that is absolute.
  func place(from base: String) -> String? {
    if let url = URLParts(base) { return url.resolving(written) }
    if isRemote { return written.hasPrefix("//") ? "https:\(written)" : written }
    return isAbsolute ? nil : Self.joining(path, to: base)
  }

  private var scheme: String? {
    guard let colon = path.firstIndex(of: ":"), colon > path.startIndex else { return nil }
    let word = path[..<colon]
    guard word.utf8.first.map(Self.isLetter) == true,
      word.utf8.allSatisfy({
        Self.isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0)
      })
    else { return nil }
    return word.lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }

  /// The path of a document that another one names, below the folder of the first one. Steps that
  /// lead out of that folder stay.
  static func joining(_ path: String, to base: String) -> String {
    var parts = base.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": break
      case "..":
        if let last = parts.last, last != ".." {
          parts.removeLast()
        } else {
          parts.append("..")
        }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// The steps of a JSON Pointer (RFC 6901); `nil` for a text that is none.
  static func steps(of pointer: String) -> [String]? {
    if pointer.isEmpty { return [] }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    return pointer.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { step in
      guard step.contains(UInt8(ascii: "~")) else { return String(Substring(step)) }
      var bytes: [UInt8] = []
      var isTilde = false
      for byte in step {
        if isTilde, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") {
          bytes[bytes.count - 1] = byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/")
          isTilde = false
          continue
        }
        bytes.append(byte)
        isTilde = byte == UInt8(ascii: "~")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        at += 3
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
