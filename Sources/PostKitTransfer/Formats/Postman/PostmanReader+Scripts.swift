// Postman's events: scripts that run before a request and after its response.

import PostKitJSON

extension PostmanReader {
  /// The scripts of a collection, a folder or a request, in order.
  func scripts(of owner: OriginObject, origin: String) -> [OriginScript] {
    var result: [OriginScript] = []
    var events = owner.array("event")
    if let view = owner.peek("event"), view.kind == .object {
      _ = owner["event"]
      events = [(view, owner.place.member("event"))]
    }
    for (value, place) in events {
      guard let event = OriginObject(value, at: place, notes: notes) else {
        if !value.isNull { tellMalformed("An event is no object.", at: place, origin: origin) }
        continue
      }
      let phase = phase(event, origin: origin)
      let text = script(event, origin: origin)
      let isOff = event.isSet("disabled")
      event.ignore("id")
      event.finish(origin: origin)
      guard let phase, let text, !text.isBlank else { continue }
      if isOff {
        notes.tell(
          .disabledItem, "A script is switched off and is left out.", at: place, origin: origin)
        continue
      }
      let script = OriginScript(
        phase: phase, text: text, place: place.member("script"),
        translation: translation(of: text, phase))
      if script.translation == nil {
        UnknownScriptAPI.tell(of: script, .postman, notes: notes, origin: origin)
      }
      result.append(script)
    }
    return result
  }

  private func phase(_ event: OriginObject, origin: String) -> OriginScriptPhase? {
    switch event.text("listen") {
    case "prerequest": return .beforeRequest
    case "test": return .afterResponse
    case let other:
      tellMalformed(
        "An event `\(other ?? "")` is not known, so its script is left out.", at: event.place,
        origin: origin)
      return nil
    }
  }

  /// The text of an event's script: itself, its lines, or those of a file.
  private func script(_ event: OriginObject, origin: String) -> String? {
    if let text = event.string("script") { return text }
    let lines = event.values("script")
    if !lines.isEmpty { return lines.map(\.anyText).joined(separator: "\n") }
    guard let script = event.object("script") else { return nil }
    script.ignore("id", "type", "packages", "name", "requests", "_postman_id")
    var text = script.string("exec")
    if text == nil, let view = script.peek("exec"), view.kind == .array {
      text = script.values("exec").map(\.anyText).joined(separator: "\n")
    }
    if let file = source(of: script), text?.isBlank ?? true {
      text = self.text(ofFile: file, at: script.place.member("src"), origin: origin) ?? text
    }
    script.finish(origin: origin)
    return text
  }

  /// The file that a script names: a text, or a URL in parts.
  private func source(of script: OriginObject) -> String? {
    if let text = script.string("src") { return text.isEmpty ? nil : text }
    guard let url = script.object("src") else { return nil }
    let raw = url.text("raw")
    url.ignore("protocol", "host", "path", "port", "query", "hash", "variable")
    url.finish()
    return raw
  }

  private func text(ofFile path: String, at place: OriginPlace, origin: String) -> String? {
    if path.contains("://") {
      notes.tell(
        .refRemote, "The script at `\(path)` is not fetched; put it into the collection.",
        at: place, origin: origin, isWarning: true)
      return nil
    }
    switch context.file(path) {
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .missing:
      notes.tell(.fileMissing, "The script `\(path)` is not there.", at: place, origin: origin)
    case .outside:
      notes.tell(
        .fileOutside, "The script `\(path)` lies outside of the folder of the collection.",
        at: place, origin: origin)
    case .unreadable(let why):
      notes.tell(
        .fileMissing, "The script `\(path)` can't be read: \(why)", at: place, origin: origin)
    }
    return nil
  }
}
