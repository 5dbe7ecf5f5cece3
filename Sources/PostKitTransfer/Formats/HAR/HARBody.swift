// The body of a request of a capture.

import PostKitHTTP
import PostKitJSON

/// Reads `postData`: its text is the truth, its parameters count where there is none.
struct HARBody {
  let notes: ImportNotes

  /// The body; a type that only `postData` tells becomes a header.
  func read(_ data: OriginObject, headers: inout [HeaderField]) -> OriginBody {
    let type = data.string("mimeType") ?? ""
    let text = data.string("text") ?? ""
    let parameters = data.array("params")
    let encoding = data.string("encoding") ?? data.string("_encoding")
    data.ignore("comment")
    for name in data.names where name.hasPrefix("_") { data.ignore(name) }
    data.finish()
    let own = headers.first { $0.name.equalsIgnoringASCIICase("Content-Type") }?.value
    let kind = MediaType(own ?? type)
    if text.isEmpty, !parameters.isEmpty {
      if kind?.isMultipart == true || hasFiles(parameters) {
        return .multipart(parameters.map(part))
      }
      // A form without a type has that of forms.
      if own == nil {
        headers.append(
          HeaderField("Content-Type", type.isEmpty ? "application/x-www-form-urlencoded" : type))
      }
      return .form(parameters.map(pair))
    }
    if own == nil, !type.isEmpty, !text.isEmpty {
      headers.append(HeaderField("Content-Type", type))
    }
    guard !text.isEmpty else { return .none }
    guard encoding?.lowercased() == "base64" else { return .text(OriginText(literal: text)) }
    guard let bytes = Base64.decode(text, requiresPadding: false) else {
      notes.tell(
        .itemMalformed, "The body says that it is Base64 and is not; it is taken as a text.",
        at: data.place)
      return .text(OriginText(literal: text))
    }
    if let decoded = String(validating: bytes, as: UTF8.self) {
      return .text(OriginText(literal: decoded))
    }
    return .bytes(bytes, ending: CapturedRequest.ending(of: own ?? type))
  }

  private func hasFiles(_ parameters: [(value: JSONView, place: OriginPlace)]) -> Bool {
    parameters.contains { $0.value["fileName"]?.string?.isEmpty == false }
  }

  private func pair(_ parameter: JSONView, _ place: OriginPlace) -> OriginPair {
    OriginPair(
      name: OriginText(literal: parameter["name"]?.string ?? ""),
      value: OriginText(literal: parameter["value"]?.string ?? ""))
  }

  /// A part; a file has its content in the capture or only a name.
  private func part(_ parameter: JSONView, _ place: OriginPlace) -> OriginPart {
    let value = parameter["value"]?.string
    let fileName = parameter["fileName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let type = parameter["contentType"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let content: OriginPart.Content =
      if let value, !value.isEmpty || fileName == nil {
        .text(OriginText(literal: value))
      } else {
        fileName.map { .file($0) } ?? .text("")
      }
    return OriginPart(
      name: OriginText(literal: parameter["name"]?.string ?? ""), content: content,
      fileName: fileName?.split(separator: "/").last.map(String.init), contentType: type)
  }
}
