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
    let text = OriginURL(templates.text(written, at: place, origin))
    if text.fragment != nil {
      notes.tell(
        .urlDiffersFromRaw, "The fragment behind `#` is left out, as it is never sent.", at: place,
        origin: origin)
    }
    request.url = OriginText(resource(text.url, path, &request))
    let sent = text.query.filter { !$0.name.text.isEmpty || $0.value != nil }.map(encoded)
    request.query = merged(sent, query, at: place)
  }

  /// The URL in front of the query, with `{{name}}` for the segments that parameters stand for.
  private func resource(
    _ text: String, _ path: [BrunoListedParameter], _ request: inout OriginRequest
  ) -> String {
    var used: Set<String> = []
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let name = String(segment.dropFirst())
      guard segment.hasPrefix(":"), let listed = path.last(where: { $0.name == name && $0.isOn })
      else { return String(segment) }
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
    one == other || one.percentDecoded == other.percentDecoded
  }

  /// The pair with its literal parts as Bruno encodes them where that changes what a server reads.
  private func encoded(_ pair: OriginPair) -> OriginPair {
    guard encodesAll else { return pair }
    var pair = pair
    for (sign, code) in [("%", "%25"), ("+", "%2B")] {
      pair.name.text = pair.name.text.replacingOutsideOfTemplates(sign, by: code)
      guard let value = pair.value?.text else { continue }
      pair.value?.text = value.replacingOutsideOfTemplates(sign, by: code)
    }
    return pair
  }
}

extension String {
  /// The text with another text in the places of a sign that no template holds.
  fileprivate func replacingOutsideOfTemplates(_ sign: String, by text: String) -> String {
    var result = ""
    var start = startIndex
    for place in self[...].utf8.all(ASCIISet(sign), skipsTemplates: true) {
      result += self[start..<place] + text
      start = utf8.index(after: place)
    }
    return result + self[start...]
  }
}
