// From requests to those that Bruno and OpenCollection keep.

import PostKitHTTP
import PostKitSyntax

/// Makes items of requests.
struct BrunoItems {
  let collection: ExportedCollection
  let notes: ExportNotes
  private let captures: CapturePlan

  /// Begins with a collection.
  init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    captures = CapturePlan(collection) { BrunoItems.expression(of: $0) != nil }
  }

  /// The item of a request at a position among its siblings.
  func item(_ index: Int, position: Int) -> BrunoItem {
    let request = collection.requests[index]
    notes.begin(request)
    tell(request)
    var item = BrunoItem(name: ExportNotes.oneLine(request.title), position: position)
    item.tags = request.tags
    var made: [String] = []
    func string(_ text: ExportedText) -> String { self.text(text, of: request, &made) }
    item.method = string(request.method)
    item.url = string(request.url)
    let content = request.content
    var headers = request.headers
    if case .multipart = content {
      headers.removeAll { $0.name.literal?.equalsIgnoringASCIICase("Content-Type") == true }
    }
    item.headers = headers.map {
      BrunoItem.Pair(name: string($0.name), value: string($0.value))
    }
    item.body = body(content, request, string)
    item.auth = auth(request, string)
    item.sets = (captures.captures[index] ?? []).compactMap { capture in
      BrunoItems.expression(of: capture.part).map { .init(name: capture.name, value: $0) }
    }
    for check in request.checks {
      guard let assertion = assertion(check, string(check.expected)) else {
        notes.tell(
          .testUnsupported, "The check `\(check.title)` is left out: Bruno can't be asked that.",
          of: request)
        continue
      }
      item.assertions.append(assertion)
    }
    item.before = made + pause(request) + scriptLines(request, isBefore: true)
    item.after = scriptLines(request, isBefore: false)
    item.followsRedirects = request.options.followsRedirects
    if request.options.redirectLimit != 10 { item.maxRedirects = request.options.redirectLimit }
    item.encodesURL = request.options.encodes
    item.timeout = request.options.timeoutMilliseconds
    item.docs = ([request.description] + notes.remarks(of: request)).filter { !$0.isEmpty }
      .joined(separator: "\n")
    return item
  }

  private func tell(_ request: ExportedRequest) {
    notes.tellCommon(of: request.withoutScripts, program: "Bruno", authenticates: true)
    if case .negotiate = request.auth {
      notes.tell(
        .authUnsupported, "Bruno does not support Negotiate authentication; it is left out.",
        of: request)
    }
    if request.loopCount != 1 {
      notes.tell(
        .settingUnsupported, "Bruno sends the request once; the loop is left out.", of: request)
    }
    if request.isDisabled {
      notes.tell(.disabledItem, "Bruno can't switch a request off; it is sent there.", of: request)
    }
    if !request.options.verifiesTLS {
      notes.tell(
        .settingUnsupported, "Bruno decides for all requests whether certificates are checked.",
        of: request)
    }
    if case .text = request.content, request.header("Content-Type") == nil {
      notes.tell(
        .headerOmitted, "Bruno adds a `Content-Type` to the body, which has none here.", of: request
      )
    }
  }

  private func pause(_ request: ExportedRequest) -> [String] {
    request.delayMilliseconds == 0
      ? []
      : [
        "await new Promise((done) => setTimeout(done, \(request.delayMilliseconds)));"
      ]
  }

  private func body(
    _ content: ExportedBody, _ request: ExportedRequest, _ string: (ExportedText) -> String
  ) -> BrunoItem.Body {
    switch content {
    case .none: return .none
    case .text(let text):
      let type = request.mediaType
      let kind = type?.isJSON == true ? "json" : type?.isXML == true ? "xml" : "text"
      return .text(kind: kind, string(text))
    case .file(let path): return .file(path: path, type: request.header("Content-Type")?.literal)
    case .form(let pairs):
      return .form(
        pairs.map { .init(name: string($0.name), value: $0.value.map(string) ?? "") })
    case .multipart(let parts):
      return .multipart(
        parts.map { part in
          switch part.content {
          case .text(let text):
            .init(
              name: part.name, value: string(text), isFile: false, contentType: part.contentType)
          case .file(let path):
            .init(name: part.name, value: path, isFile: true, contentType: part.contentType)
          }
        })
    case .mixed:
      notes.tell(
        .fileMissing, "Bruno can't put a body together of texts and files; it is left out.",
        of: request)
      return .none
    }
  }

  private func auth(
    _ request: ExportedRequest, _ string: (ExportedText) -> String
  ) -> (kind: String, fields: [BrunoItem.Pair]) {
    func pairs(_ fields: [(String, ExportedText)]) -> [BrunoItem.Pair] {
      fields.map { .init(name: $0.0, value: string($0.1)) }
    }
    switch request.auth {
    case .none, .negotiate: return ("none", [])
    case .basic(let user, let password):
      return ("basic", pairs([("username", user), ("password", password)]))
    case .bearer(let token): return ("bearer", pairs([("token", token)]))
    case .digest(let user, let password):
      return ("digest", pairs([("username", user), ("password", password)]))
    case .ntlm(let user, let password):
      return ("ntlm", pairs([("username", user), ("password", password)]))
    case .aws(let key, let secret, let region, let service):
      return (
        "awsv4",
        pairs([
          ("accessKeyId", key), ("secretAccessKey", secret), ("service", service),
          ("region", region),
        ])
      )
    }
  }

  // MARK: - Checks

  /// A part of the response in Bruno's JavaScript; `nil` where it has no word for it.
  private static func expression(of part: ExportedPart) -> String? {
    switch part {
    case .body: "res.body"
    case .status: "res.status"
    case .header(let name):
      "res.headers" + (ExportedPath("$['\(name.lowercased())']").members ?? "")
    case .member(let path): path.members.map { "res.body" + $0 }
    case .other: nil
    }
  }

  private func assertion(_ check: ExportedCheck, _ expected: String) -> BrunoItem.Assertion? {
    let expression: String? =
      switch check.subject {
      case .duration: "res.responseTime"
      case .part(let part): BrunoItems.expression(of: part)
      case .other: nil
      }
    guard let expression, !expected.contains(where: \.isNewline) else { return nil }
    let comparison: String
    switch check.predicate {
    case .equal: comparison = "eq"
    case .notEqual: comparison = "neq"
    case .greater: comparison = "gt"
    case .greaterOrEqual: comparison = "gte"
    case .less: comparison = "lt"
    case .lessOrEqual: comparison = "lte"
    case .contains: comparison = "contains"
    case .startsWith: comparison = "startsWith"
    case .endsWith: comparison = "endsWith"
    case .matches: comparison = "matches"
    case .isTrue: comparison = check.line.hasSuffix("isTrue") ? "isTruthy" : "isDefined"
    case .isFalse: comparison = "isFalsy"
    case .isNumber: comparison = "isNumber"
    case .isString: comparison = "isString"
    case .isBoolean: comparison = "isBoolean"
    case .isArray: comparison = "isArray"
    case .sha256, .sha512, .md5: return nil
    }
    return BrunoItem.Assertion(expression: expression, comparison: comparison, value: expected)
  }

  // MARK: - Scripts

  private func scriptLines(_ request: ExportedRequest, isBefore: Bool) -> [String] {
    var lines: [String] = []
    for script in request.scripts where script.isBefore == isBefore {
      if let path = script.path {
        notes.tell(
          .scriptKept, "The script in `\(path)` is left out.", of: request, isWarning: true)
        continue
      }
      let text = script.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map(String.init)
      if script.text.contains("bru.") || script.text.contains("pm.") {
        lines += text
      } else if script.text.contains("client."), !script.text.contains("request.") {
        if lines.isEmpty {
          lines += BrunoItems.shim.split(separator: "\n").map(String.init)
          if !isBefore { lines += BrunoItems.responseShim.split(separator: "\n").map(String.init) }
        }
        lines += text
        notes.tell(
          .scriptTranslated, "A script runs with stand-ins for `client` and `response`.",
          of: request)
      } else {
        lines += text.map { "// " + $0 }
        notes.tell(
          .scriptKept, "A script is kept as a comment: Bruno has not what it calls.", of: request,
          isWarning: true)
      }
    }
    return lines
  }

  private static let shim = #"""
    // What request files call `client` and `response`.
    const client = {
      global: {
        set: (name, value) => bru.setVar(name, value),
        get: (name) => bru.getVar(name),
        clear: (name) => bru.deleteVar(name),
      },
      test: (name, run) => test(name, run),
      assert: (holds, message) => expect(Boolean(holds), message).to.equal(true),
      log: (...values) => console.log(...values),
    };
    """#

  private static let responseShim = #"""
    const response = {
      status: res.status,
      body: res.body,
      headers: { valueOf: (name) => res.getHeader(name.toLowerCase()) },
      contentType: { mimeType: (res.getHeader("content-type") || "").split(";")[0] },
    };
    """#

  // MARK: - Texts

  /// A text of no request, such as the value of a variable.
  func text(_ text: ExportedText) -> String {
    var made: [String] = []
    return self.text(text, of: nil, &made)
  }

  private func text(
    _ text: ExportedText, of request: ExportedRequest?, _ made: inout [String]
  ) -> String {
    var result = ""
    for piece in text.pieces {
      switch piece {
      case .literal(let literal):
        if literal.contains("{{") {
          notes.tell(
            .templateUnsupported, "Bruno takes `{{` in a text for a variable.", of: request)
        }
        result += literal.shown
      case .reference(let reference, let isEncoded):
        if isEncoded {
          notes.tell(
            .encodingDiffers, "Bruno sends the value of `{{%name}}` without encoding it.",
            of: request)
        }
        result += written(reference, of: request, &made)
      }
    }
    return result
  }

  private func written(
    _ reference: ExportedReference, of request: ExportedRequest?, _ made: inout [String]
  ) -> String {
    switch reference {
    case .variable(let name): return "{{\(name)}}"
    case .process(let name): return "{{process.env.\(name)}}"
    case .response(let index, let part):
      if let name = captures.name(index, part) { return "{{\(name)}}" }
      let written = "{{\(collection.requests[index].title).response…}}"
      notes.tellTemplate(written, of: request)
      return written
    case .unknown(let written):
      notes.tellTemplate(written, of: request)
      return written
    case .dynamic(let name, let arguments):
      let dynamic = ExportedDynamic(name: name, arguments: arguments)
      switch dynamic {
      case .uuid: return "{{$guid}}"
      case .seconds(shift: 0): return "{{$timestamp}}"
      case .iso8601: return "{{$isoTimestamp}}"
      case .email: return "{{$randomEmail}}"
      default: break
      }
      guard request != nil, let code = dynamic.javaScript else {
        let written = "{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}"
        notes.tellTemplate(written, of: request)
        return written
      }
      let variable = "made_\(made.count + 1)"
      made.append("bru.setVar(\"\(variable)\", \(code));")
      return "{{\(variable)}}"
    }
  }
}

extension ExportedRequest {
  /// The request as those see it who write its scripts themselves.
  fileprivate var withoutScripts: ExportedRequest {
    var result = self
    result.scripts = []
    return result
  }
}
