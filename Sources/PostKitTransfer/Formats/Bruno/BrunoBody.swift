// Bodies of requests in the words of Bruno and OpenCollection.

import PostKitEvaluate

/// A kind of body that has a type of its own.
enum BrunoBodyKind: String, Sendable, Hashable, CaseIterable {
  case json, text, xml, sparql
  case form = "form-urlencoded"
  case multipart = "multipart-form"
  case file, graphql

  /// Reads the word of a request (`formUrlEncoded`) or of a block (`form-urlencoded`).
  init?(word: String) {
    switch word {
    case "formUrlEncoded": self = .form
    case "multipartForm": self = .multipart
    case "raw-file", "binaryFile": self = .file
    default:
      guard let kind = BrunoBodyKind(rawValue: word) else { return nil }
      self = kind
    }
  }

  /// The `Content-Type` that is sent where no header says one; `nil` where the body itself, or a
  /// file's own type, decides.
  var contentType: String? {
    switch self {
    case .json: "application/json"
    case .text: "text/plain"
    case .xml: "application/xml"
    case .sparql: "application/sparql-query"
    case .form: "application/x-www-form-urlencoded"
    case .multipart, .file, .graphql: nil
    }
  }
}

/// Makes bodies of what Bruno has for them.
struct BrunoBody {
  let templates: BrunoTemplates
  var origin: String?

  /// A text that is sent. Comments in JSON are left out, as Bruno leaves them out, and told.
  func text(_ text: String, isJSON: Bool, at place: OriginPlace) -> OriginText {
    var text = text
    if isJSON, let plain = BrunoComments.removed(from: text) {
      text = plain
      templates.notes.tell(
        .disabledItem, "The comments in the JSON are left out, as Bruno does not send them.",
        at: place, origin: origin)
    }
    return templates.origin(text, at: place, origin)
  }

  /// The parts of a pair of a multipart body: `@file(a|b)` is a part for each file.
  func parts(_ pair: BruPair, at place: OriginPlace) -> [OriginPart] {
    let (value, annotations) = BruPairReader.trailing(pair.value)
    let type = annotations.first?.value ?? pair.annotation("contentType")
    let contents: [OriginPart.Content] =
      if let files = Self.files(value) {
        files.map { .file($0) }
      } else {
        [.text(templates.origin(value, at: place, origin))]
      }
    return contents.map {
      part(pair.key, $0, type: type, isOn: pair.isOn, at: place)
    }
  }

  /// A part of a multipart body; an empty type is none.
  func part(
    _ name: String, _ content: OriginPart.Content, type: String?, isOn: Bool,
    at place: OriginPlace
  ) -> OriginPart {
    OriginPart(
      name: templates.origin(name, at: place, origin), content: content,
      contentType: type?.isEmpty == true ? nil : type, isOn: isOn)
  }

  /// The paths in `@file(a|b)`, one `nil` where it names none; `nil` for another value.
  static func files(_ value: String) -> [String?]? {
    guard value.hasPrefix("@file("), value.hasSuffix(")") else { return nil }
    let inside = String(value.dropFirst("@file(".count).dropLast()).trimmingBlanks
    let paths = inside.split(separator: "|").map { String($0).trimmingBlanks }
    return paths.isEmpty ? [nil] : paths
  }
}

/// Puts the headers that a body needs into a request.
enum BrunoHeaders {
  static let contentType = "Content-Type"

  /// Adds a `Content-Type` unless the request or a folder above says one.
  static func addContentType(
    _ type: String?, to request: inout OriginRequest, inherited: Set<String>
  ) {
    guard let type, !type.isEmpty, !inherited.contains(contentType.lowercased()),
      !request.headers.contains(where: {
        $0.isOn && $0.name.text.lowercased() == contentType.lowercased()
      })
    else { return }
    request.headers.append(
      OriginPair(name: OriginText(contentType), value: OriginText(type)))
  }

  /// The names of headers that are switched on, in small letters.
  static func names(_ headers: [OriginPair]) -> Set<String> {
    Set(headers.filter(\.isOn).map { $0.name.text.lowercased() })
  }
}
