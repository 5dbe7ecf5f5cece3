// Parsing and lowering request files: ordinary ones, and such as only an adversary would write.

import Libc
import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// Works on files of that many requests, or of as many bytes as these take.
struct RequestWorkload: Workload {
  /// An ordinary file.
  private let ordinary: [UInt8]
  /// A file whose requests use five variables each.
  private let variables: ParsedDocument
  private var hostile: (name: String, bytes: [UInt8])?
  private var parsed: ParsedDocument?

  init(count: Int) {
    ordinary = Array(RequestTexts.ordinary(count).utf8)
    variables = ParsedDocument(bytes: Array(RequestTexts.variables(count).utf8))
  }

  var names: [String] { HostileText.all.map(\.name) }

  mutating func size(of name: String) -> Int? {
    switch name {
    case "newlines", "parse": return ordinary.count
    case "lower", "texts of lower": return variables.bytes.count
    default:
      if hostile?.name != name {
        let text = HostileText.all.first { $0.name == name }
        hostile = text.map { (name, $0.bytes(ordinary.count)) }
      }
      return hostile?.bytes.count
    }
  }

  mutating func run(_ name: String) throws -> Int {
    switch name {
    case "newlines": Self.newlines(in: ordinary)
    case "parse": parse(ordinary)
    case "texts of lower": Self.texts(in: variables.bytes)
    case "lower": Self.lower(variables)
    default: parse(hostile?.bytes ?? [])
    }
  }

  mutating func clear() { parsed = nil }

  private mutating func parse(_ bytes: [UInt8]) -> Int {
    let document = ParsedDocument(bytes: bytes)
    parsed = document
    return document.blocks.count
  }

  /// The yardstick of parsing: the least that anything can do that reads lines.
  private static func newlines(in bytes: [UInt8]) -> Int {
    var count = 0
    eachLine(of: bytes) { _ in count += 1 }
    return count
  }

  /// The yardstick of lowering: the least that anything can do that looks names up. Each line
  /// becomes a text of its own, which is looked for in a dictionary.
  private static func texts(in bytes: [UInt8]) -> Int {
    let values = ["host": 1, "base": 1, "token": 1, "tenant": 1, "kind": 1, "": 1]
    var count = 0
    eachLine(of: bytes) { line in
      count += values[String(decoding: line, as: UTF8.self)] ?? 0
    }
    return count
  }

  /// Calls `body` with each line that has an end, in order.
  @inline(__always) private static func eachLine(
    of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    bytes.withUnsafeBytes { buffer in
      guard var at = buffer.baseAddress else { return }
      let end = at + buffer.count
      while let found = memchr(at, 0x0A, end - at) {
        body(UnsafeRawBufferPointer(start: at, count: UnsafeRawPointer(found) - at))
        at = UnsafeRawPointer(found) + 1
      }
    }
  }

  /// Lowers every request as `postkit run --all` would, and counts those that could be sent.
  private static func lower(_ document: ParsedDocument) -> Int {
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil),
      dialect: Dialect())
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
      readFile: { _ in .missing }, resolvePath: { _ in nil }, exampleServer: { nil },
      exchange: { _ in nil })
    let defaults = RequestDefaults(userAgent: "measure")
    var count = 0
    for block in document.blocks where block.isRequest {
      let lowered = Lowering.lower(
        block, evaluator: Evaluator(context: context, scope: scope), defaults: defaults)
      if lowered.spec != nil { count += 1 }
    }
    return count
  }
}
