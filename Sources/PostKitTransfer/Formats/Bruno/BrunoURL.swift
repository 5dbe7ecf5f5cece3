// The URL of a request of Bruno's, and the parameters beside it.

import PostKitHTTP

/// A parameter of the query or the path as Bruno lists it.
struct BrunoListedParameter: Sendable, Hashable {
  var name: String
  var value: String
  var isOn = true
  var description = ""
  var place: OriginPlace
}

/// Takes a URL apart. What it holds is sent; the listed parameters only say which are switched off,
/// and what the path's are.
struct BrunoURL {
  let notes: ImportNotes
  let templates: BrunoTemplates
  var origin: String?
  /// Whether Bruno encodes names and values of the query once more, `%` and `+` included.
  var encodesAll = false

  /// Puts the URL, the query and the variables of the path into a request.
  func read(
    _ written: String, query: [BrunoListedParameter], path: [BrunoListedParameter],
    at place: OriginPlace, into request: inout OriginRequest
  ) {
    let text = templates.text(written, at: place, origin)
    let parts = text.parts(at: "#", limit: 2)
    if parts.count > 1 {
      notes.tell(
        .urlDiffersFromRaw, "The fragment behind `#` is left out, as it is never sent.", at: place,
        origin: origin)
    }
    let halves = parts[0].parts(at: "?", limit: 2)
    request.url = OriginText(resource(halves[0], path, &request))
    let sent = halves.count > 1 ? halves[1].parts(at: "&").filter { !$0.isEmpty }.map(pair) : []
    request.query = merged(sent, query, at: place)
  }

  /// The URL in front of the query, with `{{name}}` for the segments that parameters stand for.
  private func resource(
    _ text: String, _ path: [BrunoListedParameter], _ request: inout OriginRequest
  ) -> String {
    var used: Set<String> = []
    let segments = text.parts(at: "/").map { segment in
      let name = String(segment.dropFirst())
      guard segment.hasPrefix(":"), let listed = path.last(where: { $0.name == name && $0.isOn })
      else { return segment }
      if used.insert(name).inserted {
        request.pathVariables.append(
          OriginVariable(
            name: name, value: .text(templates.text(listed.value, at: listed.place, origin)),
            place: listed.place))
      }
      return "{{\(name)}}"
    }
    for listed in path where listed.isOn && !used.contains(listed.name) && !listed.value.isEmpty {
      notes.tell(
        .disabledItem, "The path has no `:\(listed.name)`, so its value is left out.",
        at: listed.place, origin: origin)
    }
    return segments.joined(separator: "/")
  }

  private func pair(_ text: String) -> OriginPair {
    let halves = text.parts(at: "=", limit: 2)
    return OriginPair(
      name: OriginText(encoded(halves[0])),
      value: halves.count > 1 ? OriginText(encoded(halves[1])) : nil)
  }

  /// The pairs of the URL, with those that are only listed as switched off at their places.
  private func merged(
    _ sent: [OriginPair], _ listed: [BrunoListedParameter], at place: OriginPlace
  ) -> [OriginPair] {
    let rows = listed.map { row in
      OriginPair(
        name: templates.origin(row.name, at: row.place, origin),
        value: templates.origin(row.value, at: row.place, origin), isOn: row.isOn,
        description: row.description)
    }
    let on = rows.filter(\.isOn)
    let isSame = on.count == sent.count && zip(on, sent).allSatisfy(isSame)
    if !isSame, !on.isEmpty {
      notes.tell(
        .urlDiffersFromRaw,
        "The listed parameters differ from those in the URL. The URL is what Bruno sends, so its "
          + "parameters are taken.",
        at: place, origin: origin)
    }
    var result: [OriginPair] = []
    var next = 0
    for row in rows {
      guard row.isOn else {
        result.append(row)
        continue
      }
      guard next < sent.count else {
        if !isSame { result.append(switchedOff(row, unlessIn: sent)) }
        continue
      }
      var pair = sent[next]
      next += 1
      if isSame { pair.description = row.description }
      result.append(pair)
    }
    return (result + sent[next...]).filter { !$0.name.text.isEmpty || $0.value != nil }
  }

  /// A row that the URL lacks, as one that can be switched on.
  private func switchedOff(_ row: OriginPair, unlessIn sent: [OriginPair]) -> OriginPair {
    var row = row
    row.isOn = false
    // What is sent anyway is not offered again.
    if sent.contains(where: { isSame(row, $0) }) { row = OriginPair(name: "", value: nil) }
    return row
  }

  private func isSame(_ row: OriginPair, _ sent: OriginPair) -> Bool {
    Self.isSame(row.name.text, sent.name.text)
      && Self.isSame(row.value?.text ?? "", sent.value?.text ?? "")
  }

  /// Whether two spellings mean the same: equal, or equal once `%XX` is resolved.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || PercentEncoding.decode(one) == PercentEncoding.decode(other)
  }

  /// The literal parts as Bruno encodes them where that changes what a server reads.
  private func encoded(_ text: String) -> String {
    guard encodesAll else { return text }
    var result = ""
    text.forEachPart { part, isTemplate in
      guard !isTemplate else {
        result += part
        return
      }
      for scalar in part.unicodeScalars {
        switch scalar {
        case "%": result += "%25"
        case "+": result += "%2B"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}

extension String {
  /// The parts between the places of a sign outside of templates; with a limit the last part is the
  /// rest.
  fileprivate func parts(at sign: Unicode.Scalar, limit: Int = .max) -> [String] {
    var parts = [""]
    forEachPart { text, isTemplate in
      guard !isTemplate else {
        parts[parts.count - 1] += text
        return
      }
      for scalar in text.unicodeScalars {
        if scalar == sign, parts.count < limit {
          parts.append("")
        } else {
          parts[parts.count - 1].unicodeScalars.append(scalar)
        }
      }
    }
    return parts
  }

  /// Gives each template and each text between templates, in order.
  fileprivate func forEachPart(_ body: (_ text: String, _ isTemplate: Bool) -> Void) {
    let bytes = Array(utf8)
    func places(of byte: UInt8) -> [Int] {
      (0..<max(bytes.count - 1, 0)).filter { bytes[$0] == byte && bytes[$0 + 1] == byte }
    }
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    var ends = places(of: UInt8(ascii: "}"))[...]
    var at = 0
    for start in places(of: UInt8(ascii: "{")) where start >= at {
      ends = ends.drop { $0 < start + 2 }
      guard let end = ends.first else { break }
      if start > at { body(text(at..<start), false) }
      body(text(start..<(end + 2)), true)
      at = end + 2
    }
    if at < bytes.count { body(text(at..<bytes.count), false) }
  }
}
