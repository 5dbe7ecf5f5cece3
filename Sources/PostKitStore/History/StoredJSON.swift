// Lists inside a row as JSON text: header fields, hops of redirects, results of checks.

import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// Writes and reads the lists that a row keeps as JSON.
enum StoredJSON {
  /// Header fields as an array of pairs, so that order and repeats survive.
  static func text(_ headers: HeaderFields) -> String {
    var writer = JSONWriter()
    write(headers, &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Words as an array.
  static func text(_ words: [String]) -> String {
    JSONValue.array(words.map(JSONValue.string)).text
  }

  /// The hops of redirects; `nil` for none.
  static func text(_ hops: [RedirectHop]) -> String? {
    guard !hops.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.beginArray()
    for hop in hops { write(hop, &writer) }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The results of checks; `nil` for none.
  static func text(_ tests: [TestResult]) -> String? {
    guard !tests.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.beginArray()
    for test in tests {
      writer.beginObject()
      writer.key("name")
      writer.string(test.name)
      writer.key("passed")
      writer.bool(test.passed)
      writer.key("message")
      writer.string(test.message)
      writer.endObject()
    }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// What scripts have printed, up to `Limits.keptOutputBytes`; `nil` for nothing.
  static func text(_ output: [OutputLine]) -> String? {
    guard !output.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.beginArray()
    for line in output {
      var next = JSONWriter()
      write(line, &next)
      guard writer.bytes.count + next.bytes.count <= Limits.keptOutputBytes - cutSpace else {
        write(cut, &writer)
        break
      }
      write(line, &writer)
    }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// What stands behind output that was cut off, and bytes that it fits in with what encloses it.
  private static let cut = OutputLine(level: "log", text: "… output cut at 64 KiB", line: 0)
  private static let cutSpace = 128

  private static func write(_ line: OutputLine, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("level")
    writer.string(line.level)
    writer.key("text")
    writer.string(line.text)
    writer.key("line")
    writer.int(line.line)
    if !line.path.isEmpty {
      writer.key("path")
      writer.string(line.path)
    }
    writer.endObject()
  }

  /// Reads what scripts have printed.
  static func output(_ text: String) -> [OutputLine] {
    (parse(text)?.root.elements ?? []).map {
      var line = OutputLine(
        level: $0["level"]?.string ?? "log", text: $0["text"]?.string ?? "",
        line: $0["line"]?.int ?? 0)
      line.path = $0["path"]?.string ?? ""
      return line
    }
  }

  /// Reads words; none where the text isn't what `text(_:)` wrote.
  static func words(_ text: String) -> [String] {
    text.isEmpty ? [] : (parse(text)?.root.elements ?? []).compactMap(\.string)
  }

  /// Reads header fields; none where the text isn't what `text(_:)` wrote.
  static func headers(_ text: String) -> HeaderFields {
    parse(text).map { headers($0.root) } ?? []
  }

  /// Reads hops of redirects.
  static func hops(_ text: String) -> [RedirectHop] {
    (parse(text)?.root.elements ?? []).map { hop in
      var timings = Timings()
      let times = (hop["timings"]?.elements ?? []).map { Int64($0.int ?? 0) }
      if times.count == 5 {
        timings.nameLookup = times[0]
        timings.connect = times[1]
        timings.tls = times[2]
        timings.firstByte = times[3]
        timings.total = times[4]
      }
      return RedirectHop(
        request: SentRequest(
          method: hop["method"]?.string ?? "", url: hop["url"]?.string ?? "",
          headers: hop["requestHeaders"].map(headers) ?? [], body: body(hop["body"]),
          bodySize: hop["bodySize"]?.int ?? 0),
        status: hop["status"]?.int ?? 0, headers: hop["headers"].map(headers) ?? [],
        timings: timings)
    }
  }

  /// Reads results of checks.
  static func tests(_ text: String) -> [TestResult] {
    (parse(text)?.root.elements ?? []).map {
      TestResult(
        name: $0["name"]?.string ?? "", passed: $0["passed"]?.bool ?? false,
        message: $0["message"]?.string ?? "")
    }
  }

  private static func parse(_ text: String) -> JSONTree? {
    guard !text.isEmpty else { return nil }
    return orLog("a list in the history can't be read") {
      try JSONTree(parsing: Array(text.utf8))
    }
  }

  private static func headers(_ view: JSONView) -> HeaderFields {
    HeaderFields(
      view.elements.map { HeaderField($0[0]?.string ?? "", $0[1]?.string ?? "") })
  }

  /// Text as a string, other bytes as an array of numbers; absent where it wasn't kept.
  private static func body(_ view: JSONView?) -> BodyContent {
    guard let view else { return .empty }
    if let text = view.string { return .bytes(Array(text.utf8)) }
    return .bytes(view.elements.map { UInt8(truncatingIfNeeded: $0.int ?? 0) })
  }

  private static func write(_ headers: HeaderFields, _ writer: inout JSONWriter) {
    writer.beginArray()
    for field in headers.fields {
      writer.beginArray()
      writer.string(field.name)
      writer.string(field.value)
      writer.endArray()
    }
    writer.endArray()
  }

  private static func write(_ hop: RedirectHop, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("method")
    writer.string(hop.request.method)
    writer.key("url")
    writer.string(hop.request.url)
    writer.key("requestHeaders")
    write(hop.request.headers, &writer)
    writer.key("bodySize")
    writer.int(hop.request.bodySize)
    write(hop.request.body, &writer)
    writer.key("status")
    writer.int(hop.status)
    writer.key("headers")
    write(hop.headers, &writer)
    writer.key("timings")
    writer.beginArray()
    let times = hop.timings
    for time in [times.nameLookup, times.connect, times.tls, times.firstByte, times.total] {
      writer.int(time)
    }
    writer.endArray()
    writer.endObject()
  }

  /// The body of a hop is that of the request again, so a large one is left out.
  private static func write(_ body: BodyContent, _ writer: inout JSONWriter) {
    guard case .bytes(let bytes) = body, !bytes.isEmpty, bytes.count <= Limits.inlineBodyBytes
    else { return }
    writer.key("body")
    if let text = String(validating: bytes, as: UTF8.self) {
      writer.string(text)
    } else {
      writer.beginArray()
      for byte in bytes { writer.int(byte) }
      writer.endArray()
    }
  }
}
