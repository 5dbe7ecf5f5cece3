// What scripts make of a request before its references are replaced (SC-24).

package import PostKitHTTP
package import PostKitSyntax

/// A request as its author wrote it, references included.
package struct RequestTemplate: Sendable, Hashable {
  package var method: String
  package var url: String
  package var headers: [HeaderField]
  package var body: [UInt8]

  /// Makes a template.
  package init(method: String, url: String, headers: [HeaderField], body: [UInt8]) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The template of a block; a curl command is one with nothing in it.
  package init(_ block: ParsedBlock) {
    self.init(
      method: block.writtenMethod, url: block.writtenTarget,
      headers: block.request?.headers.map { HeaderField(writtenIn: block, $0) } ?? [],
      body: block.request?.body.map { Array(block.slice($0.range)) } ?? [])
  }
}

extension HeaderField {
  /// A header as it is written, references included.
  init(writtenIn block: ParsedBlock, _ header: HeaderSyntax) {
    self.init(
      block.keptText(header.name), header.value.map { block.keptText($0) }.joined(separator: " "))
  }
}

/// The parts of a template that scripts have given other values.
package struct TemplateChange: Sendable, Hashable {
  package var method: String?
  package var url: String?
  /// All headers.
  package var headers: [HeaderField]?
  package var body: [UInt8]?

  /// Makes a change of nothing.
  package init() {}

  /// The template with the change.
  package func applied(to template: RequestTemplate) -> RequestTemplate {
    RequestTemplate(
      method: method ?? template.method, url: url ?? template.url,
      headers: headers ?? template.headers, body: body ?? template.body)
  }

  /// Takes over what a later script has changed.
  package mutating func merge(_ later: TemplateChange) {
    method = later.method ?? method
    url = later.url ?? url
    headers = later.headers ?? headers
    body = later.body ?? body
  }
}

extension BlockLowering {
  /// The change of scripts to this request; those of shared blocks have none.
  var change: TemplateChange? { evaluator.scope.scripted.change }

  /// The places of headers that scripts have taken away or changed, and the headers that they have
  /// put in their place.
  func changedHeaders(_ request: RequestSyntax) -> (gone: Set<Int>, new: [HeaderField]) {
    guard var left = change?.headers else { return ([], []) }
    var gone: Set<Int> = []
    for (index, header) in request.headers.enumerated() where !header.isSpread {
      if let same = left.firstIndex(of: HeaderField(writtenIn: block, header)) {
        left.remove(at: same)
      } else {
        gone.insert(index)
      }
    }
    return (gone, left)
  }

  /// The method that scripts have put in place of the one that is written.
  mutating func changedMethod(_ request: RequestSyntax) -> String? {
    change?.method.map { expanded($0, at: block.absolute(request.line), .target) }
  }

  /// The text of a part that a script has written, with its references replaced.
  mutating func expanded(_ text: String, at range: Range<Int>, _ place: TemplatePlace) -> String {
    evaluator.expand(text: text, reportedAt: range, place: place, offset: range.lowerBound)
  }
}

extension RequestSpec {
  /// Gives a request that is otherwise ready another URL; `false` where it is none.
  package mutating func setURL(_ text: String) -> Bool {
    do throws(Target.Problem) {
      let target = try Target.read(text, host: headers.first("Host"), encodes: true)
      (url, requestTarget) = (target.url, target.requestTarget)
      return true
    } catch {
      return false
    }
  }
}
