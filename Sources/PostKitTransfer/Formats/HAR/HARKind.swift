// Which entries of a capture are calls, and which are what a page is made of.

import PostKitHTTP

/// What a browser fetched something for.
enum HARKind: String, Sendable, Hashable, CaseIterable {
  case xhr, fetch, document, websocket, eventsource, preflight, ping, other
  case image, font, media, stylesheet, script, manifest

  /// Kinds that a page is made of; they are left out unless somebody asks for them.
  var isAsset: Bool {
    switch self {
    case .image, .font, .media, .stylesheet, .script, .manifest: true
    default: false
    }
  }

  /// The kind of an entry: what the browser says, else what the type of the response means.
  init(resourceType: String?, contentType: String) {
    if let resourceType, let known = HARKind(rawValue: resourceType.lowercased()) {
      self = known
      return
    }
    let essence = MediaType(contentType)?.essence ?? ""
    switch essence {
    case "text/css": self = .stylesheet
    case "text/javascript", "application/javascript", "application/x-javascript",
      "application/ecmascript", "text/ecmascript":
      self = .script
    case "application/manifest+json": self = .manifest
    case "application/font-woff", "application/font-woff2", "application/vnd.ms-fontobject",
      "application/x-font-ttf", "application/x-font-woff":
      self = .font
    case "text/html": self = .document
    case "text/event-stream": self = .eventsource
    case _ where essence.hasPrefix("image/"): self = .image
    case _ where essence.hasPrefix("font/"): self = .font
    case _ where essence.hasPrefix("audio/") || essence.hasPrefix("video/"): self = .media
    default: self = .other
    }
  }

  /// Whether `--types` takes an entry of the kind; no words mean everything but assets.
  func isTaken(by types: Set<String>) -> Bool {
    if types.isEmpty { return !isAsset }
    if types.contains("all") || types.contains(rawValue) { return true }
    // One kind of call has two names.
    if self == .fetch { return types.contains("xhr") }
    return self == .xhr && types.contains("fetch")
  }
}
