// From requests to those that Bruno and OpenCollection keep.

import PostKitHTTP
import PostKitSyntax

/// Makes items of requests.
struct BrunoItems {
  let collection: ExportedCollection
  let notes: ExportNotes
  private let captures: CapturePlan
  private let texts: BracedTexts
  /// The files of parts that stand in requests themselves.
  let attached: AttachedFiles

  /// Begins with a collection.
  init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    captures = CapturePlan(collection) { BrunoItems.expression(of: $0) != nil }
    attached = AttachedFiles("Bruno", notes)
    texts = BracedTexts(
      program: "Bruno", collection: collection, notes: notes, captures: captures,
      encoding: "Bruno sends the value of `{{%name}}` without encoding it.",
      processPrefix: "process.env."
    ) { "bru.setVar(\"\($0)\", \($1));" }
  }

  /// The item of a request at a position among its siblings.
  func item(_ index: Int, position: Int) -> BrunoItem {
    let request = collection.requests[index]
    notes.begin(request)
    tell(request)
    var item = BrunoItem(name: ExportNotes.oneLine(request.title), position: position)
    item.tags = request.tags
    var made: [String] = []
    func string(_ text: ExportedText) -> String { texts.text(text, of: request, &made) }
    item.method = string(request.method)
    item.url = string(request.url)
    item.headers = request.collectionHeaders.map {
      BrunoItem.Pair(name: string($0.name), value: string($0.value))
    }
    item.body = body(request, string)
    let auth = BrunoAuthForm.form(of: request, notes)
    item.auth = (auth.kind, auth.fields.map { .init(name: $0.name, value: string($0.value)) })
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
    item.before = made + pause(request)
      + Self.form.lines(of: request, isBefore: true, notes)
    item.after = Self.form.lines(of: request, isBefore: false, notes)
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

  /// A text of no request, such as the value of a variable.
  func text(_ text: ExportedText) -> String { texts.text(text) }

  private func pause(_ request: ExportedRequest) -> [String] {
    request.delayMilliseconds == 0
      ? []
      : [
        "await new Promise((done) => setTimeout(done, \(request.delayMilliseconds)));"
      ]
  }

  private func body(
    _ request: ExportedRequest, _ string: (ExportedText) -> String
  ) -> BrunoItem.Body {
    switch request.content {
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
        attached.parts(parts, of: request).map { part in
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

  /// How Bruno runs scripts.
  private static let form = ScriptForm(
    program: "Bruno", own: ["bru.", "pm."], shim: shim, responseShim: responseShim)

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
}

extension ExportedRequest {
  /// The request as those see it who write its scripts themselves.
  fileprivate var withoutScripts: ExportedRequest {
    var result = self
    result.scripts = []
    return result
  }
}
