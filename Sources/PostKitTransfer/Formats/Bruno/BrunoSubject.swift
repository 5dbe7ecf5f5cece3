// What an expression of Bruno's such as `res.body.items[0].id` looks at.

import PostKitEvaluate
import PostKitJSON

/// The left side of an assertion or of a variable that a response sets.
struct BrunoSubject: Sendable, Hashable {
  /// What a `??` line has on its left; `nil` where the language has no word for it.
  private(set) var check: String?
  /// The same in the JavaScript of JetBrains; `nil` where it has no word for it.
  private(set) var handler: String?
  /// JavaScript that the script engine runs: a handler's where there is one, else Bruno's own.
  var script: String { handler ?? expression }
  /// The expression in Bruno's JavaScript.
  let expression: String

  /// Reads an expression; older files write `$res` for `res`.
  init(_ written: String) {
    let trimmed = written.trimmingBlanks
    expression = trimmed.hasPrefix("$res") ? String(trimmed.dropFirst()) : trimmed
    switch expression {
    case "res.status", "res.getStatus()":
      check = "status"
      handler = "response.status"
      return
    case "res.responseTime", "res.getResponseTime()":
      check = "duration"
      return
    default: break
    }
    for start in ["res.body", "res.getBody()"] where expression.hasPrefix(start) {
      let rest = String(expression.dropFirst(start.count))
      guard let path = Self.path(rest) else { return }
      handler = "response.body" + path.script
      check = path.selector.map { $0.isEmpty ? "body" : "body $\($0)" }
      return
    }
    guard let name = header else { return }
    handler = "response.headers.valueOf(\(JSONValue.string(name).text))"
    if name.utf8.allSatisfy(Self.isHeaderName) { check = "header \(name)" }
  }

  /// The name in `res.headers.x`, `res.headers['x']` or `res.getHeader('x')`.
  private var header: String? {
    if expression.hasPrefix("res.headers") {
      let rest = String(expression.dropFirst("res.headers".count))
      guard let steps = Self.steps(rest), steps.count == 1, case .name(let name) = steps[0] else {
        return nil
      }
      return name
    }
    guard expression.hasPrefix("res.getHeader("), expression.hasSuffix(")") else { return nil }
    let inside = String(expression.dropFirst("res.getHeader(".count).dropLast()).trimmingBlanks
    guard let steps = Self.steps("[\(inside)]"), steps.count == 1, case .name(let name) = steps[0]
    else { return nil }
    return name
  }

  // MARK: Paths

  private enum Step: Equatable {
    case name(String)
    case position(String)
  }

  /// A path in both forms; a selector is missing where the last name is what arrays and texts have
  /// of their own.
  private static func path(_ text: String) -> (selector: String?, script: String)? {
    guard let steps = steps(text) else { return nil }
    var selector = ""
    for step in steps {
      switch step {
      case .position(let digits): selector += "[\(digits)]"
      case .name(let name):
        if isWord(name) {
          selector += ".\(name)"
        } else if name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x27 && $0 != 0x5C && $0 != 0x7F }) {
          selector += "['\(name)']"
        } else {
          return (nil, text)
        }
      }
    }
    return (steps.last == .name("length") ? nil : selector, text)
  }

  /// The steps of `.a[0]['b c']`; `nil` for anything else, such as a call.
  private static func steps(_ text: String) -> [Step]? {
    let bytes = Array(text.utf8)
    var steps: [Step] = []
    var at = 0
    while at < bytes.count {
      let start = at + 1
      if bytes[at] == UInt8(ascii: ".") {
        at = start
        while at < bytes.count, isWordByte(bytes[at]) { at += 1 }
        let name = String(decoding: bytes[start..<at], as: UTF8.self)
        guard isWord(name) else { return nil }
        steps.append(.name(name))
        continue
      }
      guard bytes[at] == UInt8(ascii: "["), start < bytes.count else { return nil }
      let quote = bytes[start]
      let isQuoted = quote == 0x22 || quote == 0x27
      let from = isQuoted ? start + 1 : start
      guard let end = bytes[from...].firstIndex(of: isQuoted ? quote : UInt8(ascii: "]")) else {
        return nil
      }
      let inside = bytes[from..<end]
      let close = isQuoted ? end + 1 : end
      guard close < bytes.count, bytes[close] == UInt8(ascii: "]"), !inside.contains(0x5C) else {
        return nil
      }
      let name = String(decoding: inside, as: UTF8.self)
      if !isQuoted {
        guard !inside.isEmpty, inside.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      }
      steps.append(isQuoted ? .name(name) : .position(name))
      at = close + 1
    }
    return steps
  }

  private static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy(isWordByte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F: true
    default: false
    }
  }

  private static func isHeaderName(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == 0x2D }
}
