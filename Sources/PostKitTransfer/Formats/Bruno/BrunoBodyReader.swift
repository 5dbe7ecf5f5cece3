// The body blocks of a request file of Bruno's.

import PostKitEvaluate

/// Reads the body that a request says it sends.
struct BrunoBodyReader {
  let file: BrunoFile
  let shared: BrunoShared
  let origin: String

  private var maker: BrunoBody { BrunoBody(templates: shared.templates, origin: origin) }

  /// Whether a block is one of bodies.
  static func knows(_ block: String) -> Bool {
    if block == "body" { return true }
    guard block.hasPrefix("body:") else { return false }
    let word = String(block.dropFirst("body:".count))
    return BrunoBodyKind(word: word) != nil || ["graphql:vars", "ws", "grpc"].contains(word)
  }

  /// Puts the body of that mode into a request. Blocks of other modes are not sent and told.
  func read(
    _ mode: String, into request: inout OriginRequest, inherited: Set<String>
  ) throws(OriginFailure) {
    var used: Set<String> = []
    if request.kind != .http {
      used = ["body:\(request.kind == .grpc ? "grpc" : "ws")"]
      request.body = .messages(try messages(used))
    } else if let kind = BrunoBodyKind(word: mode) {
      used = ["body:\(kind.rawValue)"]
      if kind == .json { used.insert("body") }
      if kind == .graphql { used.insert("body:graphql:vars") }
      if mode == "raw-file" { used.insert("body:raw-file") }
      try read(kind, into: &request)
      BrunoHeaders.addContentType(kind.contentType, to: &request, inherited: inherited)
      if kind == .file { try addFileType(&request, inherited) }
    } else if mode != "none", !mode.isEmpty {
      shared.notes.tell(
        .memberUnknown, "PostKit does not know the body `\(mode)`, so none is sent.",
        at: file.place(), origin: origin, isWarning: true)
    }
    for block in file.text.blocks where Self.knows(block.name) && !used.contains(block.name) {
      shared.notes.tell(
        .disabledItem,
        "`\(block.name)` is left out: the request says that it sends another body or none.",
        at: file.place(block.line), origin: origin)
    }
  }

  private func read(
    _ kind: BrunoBodyKind, into request: inout OriginRequest
  ) throws(OriginFailure) {
    switch kind {
    case .json, .text, .xml, .sparql:
      var content = file.content("body:\(kind.rawValue)")
      if kind == .json, content == nil { content = file.content("body") }
      request.body = .text(text(content, isJSON: kind == .json))
    case .form:
      let pairs = try pairs(kind)
      request.body = .form(
        pairs.map { pair in
          let place = file.place(pair.line)
          return OriginPair(
            name: shared.templates.origin(pair.key, at: place, origin),
            value: shared.templates.origin(pair.value, at: place, origin), isOn: pair.isOn,
            description: pair.description)
        })
    case .multipart:
      request.body = .multipart(
        try pairs(kind).flatMap { maker.parts($0, at: file.place($0.line)) })
    case .file: request.body = .file(try selectedFile()?.path)
    case .graphql:
      let query = text(file.content("body:graphql"), isJSON: false).text
      let variables = text(file.content("body:graphql:vars"), isJSON: true).text
      request.body = .graphQL(
        query: query, variables: variables.trimmingBlanks.isEmpty ? nil : variables,
        operationName: nil)
    }
  }

  private func text(_ content: (text: String, line: Int)?, isJSON: Bool) -> OriginText {
    guard let content else { return "" }
    return maker.text(content.text, isJSON: isJSON, at: file.place(content.line))
  }

  private func pairs(_ kind: BrunoBodyKind) throws(OriginFailure) -> [BruPair] {
    let pairs = try file.pairs("body:\(kind.rawValue)")
    file.checkAnnotations(pairs, origin: origin)
    return pairs
  }

  // MARK: Files

  /// The file that is sent: the first one that is switched on.
  private func selectedFile() throws(OriginFailure) -> (path: String?, type: String?)? {
    let pairs = try pairs(.file)
    let on = pairs.filter(\.isOn)
    for pair in pairs where pair != on.first {
      shared.notes.tell(
        .disabledItem, "A file that is not sent is left out.", at: file.place(pair.line),
        origin: origin)
    }
    guard let pair = on.first else { return nil }
    let (value, annotations) = BruPairReader.trailing(pair.value)
    let type = annotations.first?.value ?? pair.annotation("contentType")
    return (BrunoBody.files(value)?.first ?? value, type)
  }

  private func addFileType(
    _ request: inout OriginRequest, _ inherited: Set<String>
  ) throws(OriginFailure) {
    guard let pair = try file.pairs("body:file").first(where: \.isOn) else { return }
    let type = BruPairReader.trailing(pair.value).annotations.first?.value
    BrunoHeaders.addContentType(
      type ?? pair.annotation("contentType"), to: &request, inherited: inherited)
  }

  // MARK: Messages

  private func messages(_ names: Set<String>) throws(OriginFailure) -> [OriginText] {
    var messages: [OriginText] = []
    for block in file.text.blocks where names.contains(block.name) {
      let pairs = try file.reading { () throws(BruMistake) in try block.pairs() }
      for pair in pairs where pair.key == "content" && pair.isOn {
        messages.append(shared.templates.origin(pair.value, at: file.place(pair.line), origin))
      }
      for pair in pairs where !["name", "type", "content", "selected"].contains(pair.key) {
        shared.notes.tell(
          .memberUnknown, "PostKit does not know what `\(pair.key)` means and leaves it out.",
          at: file.place(pair.line), origin: origin)
      }
    }
    return messages
  }
}
