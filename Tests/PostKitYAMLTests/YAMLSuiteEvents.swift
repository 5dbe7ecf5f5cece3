// The cases of yaml-test-suite, and the events of a text in its notation.

import CYAML
import PostKitJSON

/// A case of the suite.
struct YAMLSuiteCase {
  /// The name of its file, and its number where the file has several.
  let name: String
  let yaml: [UInt8]
  /// The events that the suite expects, a line each; `nil` where the text is no YAML.
  let events: [String]?

  /// The cases in a file of the suite, which is YAML itself.
  static func cases(_ file: String, _ root: JSONView) -> [YAMLSuiteCase] {
    var result: [YAMLSuiteCase] = []
    var yaml = ""
    var tree = ""
    for (index, test) in root.elements.enumerated() {
      // What a case leaves out is that of the case before.
      yaml = test["yaml"]?.string ?? yaml
      tree = test["tree"]?.string ?? tree
      if test["skip"] != nil { continue }
      let isBad = test["fail"]?.bool ?? false
      result.append(
        YAMLSuiteCase(
          name: root.count == 1 ? file : "\(file)/\(index)", yaml: Array(text(yaml).utf8),
          events: isBad ? nil : lines(tree)))
    }
    return result
  }

  /// A text of the suite without its marks for what can't be seen.
  private static func text(_ shown: String) -> String {
    var result = ""
    for scalar in shown.unicodeScalars {
      switch scalar {
      case "␣": result += " "
      // Dashes before it show how wide the tab is.
      case "—": break
      case "»": result += "\t"
      case "←": result += "\r"
      case "⇔": result += "\u{FEFF}"
      case "↵": break
      case "∎":
        if result.unicodeScalars.last == "\n" { result.unicodeScalars.removeLast() }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func lines(_ tree: String) -> [String] {
    text(tree).split(separator: "\n").map { line in
      var line = line.drop { $0 == " " }
      // How a list or a mapping is written is nothing that libyaml's events are asked for.
      for kind in ["+SEQ", "+MAP"] {
        for mark in [" []", " {}"] where line.hasPrefix(kind + mark) {
          line = kind + line.dropFirst(kind.count + mark.count)
        }
      }
      return String(line)
    }
  }

  /// The events of libyaml, or `nil` where it refuses the text.
  static func events(_ text: [UInt8]) -> [String]? {
    text.withUnsafeBufferPointer { buffer in
      guard let reader = postkit_yaml_open(buffer.baseAddress, buffer.count) else { return nil }
      defer { postkit_yaml_close(reader) }
      var event = postkit_yaml_event()
      var result = ["+STR"]
      while true {
        postkit_yaml_next(reader, &event)
        guard let line = line(event) else { return nil }
        result.append(line)
        if event.kind == POSTKIT_YAML_END { return result }
      }
    }
  }

  private static func line(_ event: postkit_yaml_event) -> String? {
    var marks = ""
    if let anchor = event.anchor, event.kind != POSTKIT_YAML_ALIAS {
      marks += " &" + String(cString: anchor)
    }
    if let tag = event.tag { marks += " <" + String(cString: tag) + ">" }
    switch event.kind {
    case POSTKIT_YAML_END: return "-STR"
    case POSTKIT_YAML_DOCUMENT_START: return event.is_explicit ? "+DOC ---" : "+DOC"
    case POSTKIT_YAML_DOCUMENT_END: return event.is_explicit ? "-DOC ..." : "-DOC"
    case POSTKIT_YAML_SEQUENCE_START: return "+SEQ" + marks
    case POSTKIT_YAML_SEQUENCE_END: return "-SEQ"
    case POSTKIT_YAML_MAPPING_START: return "+MAP" + marks
    case POSTKIT_YAML_MAPPING_END: return "-MAP"
    case POSTKIT_YAML_ALIAS: return "=ALI *" + (event.anchor.map { String(cString: $0) } ?? "")
    case POSTKIT_YAML_SCALAR:
      let style = Character(Unicode.Scalar(UInt8(bitPattern: event.style)))
      let bytes = UnsafeBufferPointer(start: event.text, count: event.length)
      return "=VAL\(marks) \(style)" + escaped(String(decoding: bytes, as: UTF8.self))
    default: return nil
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{8}": result += "\\b"
      case "\0": result += "\\0"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
