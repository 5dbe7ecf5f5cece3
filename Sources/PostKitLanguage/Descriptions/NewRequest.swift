// A request for an operation of a description, as the text of a block (IO-37).

package import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// A request that is made of an operation.
package struct NewRequest: Sendable, Hashable {
  /// What stands behind the separator.
  package let title: String
  /// The lines of the request.
  package let text: String
}

extension Analysis {
  /// The request for an operation, with samples of all that it needs. It goes where the requests of
  /// the file go that mean the same description. Without a body whose sample would do something
  /// else; `nil` where the operation has no words for a request.
  package func newRequest(for operation: APIOperation, in index: DescriptionIndex) -> NewRequest? {
    var failures: [ReferenceFailure] = []
    let parameters = index.description.parameters(of: operation, &failures)
    var sampler = SchemaSampler(
      index.description.documents, index.description.version.schemaDialect)
    var query: [String] = []
    var headers: [String] = []
    var cookies: [String] = []
    for parameter in parameters where parameter.isRequired {
      let value = sampler.value(of: parameter)
      switch parameter.location {
      case .query:
        query += ParameterWriter(parameter) { PercentEncoding.encodeComponent($0) }.pairs(value)
          .map { "\($0.name)=\($0.value)" }
      case .header where !["accept", "content-type", "authorization"]
        .contains(parameter.name.lowercased()) && DescribedWords.isToken(parameter.name):
        let text = DescribedWords.value(ParameterWriter(parameter) { $0 }.text(value))
        headers.append("\(parameter.name): \(text)")
      case .cookie:
        cookies += ParameterWriter(parameter) { $0 }.pairs(value)
          .map { "\($0.name)=\($0.value)" }
      case .header, .path, .body, .formData: break
      }
    }
    let jar = DescribedWords.value(cookies.joined(separator: "; "))
    if !jar.isEmpty { headers.append("Cookie: \(jar)") }
    var target = base(of: index) + DescribedWords.templates(in: operation.path)
    if !query.isEmpty {
      target += (target.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }
    guard DescribedWords.isToken(operation.method) else { return nil }
    let head = (["\(operation.method) \(target)"] + headers).joined(separator: "\n")
    let media = index.description.body(of: operation, &failures)?.media ?? []
    var sample = BodySample(sampler: sampler)
    var texts = [head]
    if let (type, text) = sample.best(of: media) {
      texts.insert(head + "\nContent-Type: \(type)\n\n" + text, at: 0)
    }
    let fitting = texts.first {
      ParsedBlock.isPlain($0, target: target, files: sample.files, like: document)
    }
    guard let fitting else { return nil }
    let end = document.lineEndText
    let title = (operation.summary ?? operation.id ?? "").split(whereSeparator: \.isNewline).first
    return NewRequest(
      title: title.map(String.init).flatMap { DescribedWords.isPlain($0) ? $0 : nil } ?? "",
      text: fitting.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: end))
  }

  /// What stands before the paths of a description: what the first request of the file has there
  /// that means one of its operations, else `{{baseUrl}}` or a server.
  private func base(of index: DescriptionIndex) -> String {
    for block in document.requests.prefix(100) {
      guard let described = description(of: block), let match = described.match,
        described.index.operations == index.operations
      else { continue }
      let bytes = Array(block.writtenTarget.utf8)
      let shape = TargetShape(bytes)
      let slash = UInt8(ascii: "/")
      var path = bytes[shape.originEnd..<shape.pathEnd]
      if path.last == slash { path.removeLast() }
      let slashes = path.indices.filter { path[$0] == slash }
      let steps = PathDivergence.steps(of: index.operations[match.operation].path).count
      guard steps > 0, slashes.count >= steps else { continue }
      return String(decoding: bytes[..<slashes[slashes.count - steps]], as: UTF8.self)
    }
    let server = index.description.servers.first { $0.isAbsolute }
    guard scope.lookup("baseUrl", at: .max) == nil, let server else { return "{{baseUrl}}" }
    var url = server.variables.reduce(server.url) {
      $0.replacing("{\($1.name)}", with: $1.value)
    }
    while url.hasSuffix("/") { url.removeLast() }
    return DescribedWords.isPlain(url) && !url.contains(" ") ? url : "{{baseUrl}}"
  }
}
