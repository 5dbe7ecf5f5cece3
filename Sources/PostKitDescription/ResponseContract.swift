// Whether a response is as the description of its API says (IO-38).

package import PostKitHTTP
import PostKitJSON

/// A response as its check reads it.
package struct ContractedResponse: Sendable {
  package let status: Int
  package let headers: HeaderFields
  /// The body without content codings; `nil` where it is not all there.
  package let body: [UInt8]?
  /// The number of bytes of the body.
  package let size: Int

  /// Makes a response.
  package init(status: Int, headers: HeaderFields, body: [UInt8]?, size: Int) {
    (self.status, self.headers, self.body, self.size) = (status, headers, body, size)
  }
}

/// Checks responses against one description. It remembers what it has read of schemas.
package struct ResponseContract: Sendable {
  private let index: DescriptionIndex
  /// The name of the description's file.
  private let name: String
  /// Whether what is not described counts, too: operations, bodies and members.
  private let isStrict: Bool
  private var schemas: SchemaCheck

  /// Makes a check for a description.
  package init(_ index: DescriptionIndex, name: String, isStrict: Bool = false) {
    self.index = index
    self.name = name
    self.isStrict = isStrict
    let description = index.description
    schemas = SchemaCheck(
      description.documents, description.version.schemaDialect, direction: .response)
    schemas.isStrict = isStrict
  }

  /// What a response to a request deviates in; `nil` where the description says nothing about the
  /// request and need not do so. `match` is the operation that the request means. The operation of
  /// a request that `mustBeDescribed` is always looked for.
  package mutating func findings(
    _ match: OperationMatch?, method: String, url: String, _ response: ContractedResponse,
    mustBeDescribed: Bool = false
  ) -> ContractFindings? {
    let answering = index.answering(match, method: method, target: url)
    guard let match = answering, match.isExact else {
      // Servers answer it without a word in the description.
      if method == "OPTIONS", match != nil, !mustBeDescribed { return nil }
      let isServed = !index.origins.isEmpty && index.serves(url)
      guard mustBeDescribed || isStrict || isServed else { return nil }
      return ContractFindings(
        description: name,
        deviations: [ContractDeviation(message: undescribed(method, url, match))])
    }
    let entry = index.operations[match.operation]
    var findings = ContractFindings(
      description: name, operation: entry.id ?? "\(entry.method) \(entry.path)")
    var failures: [ReferenceFailure] = []
    guard let described = index.response(match, status: response.status, &failures) else {
      if !failures.isEmpty {
        findings.obstacle = Self.obstacle(failures, name)
        return findings
      }
      let known = index.description.responses(of: index.operation(match), &failures).map(\.status)
      let expected =
        known.isEmpty ? "no status is described" : "expected \(known.joined(separator: ", "))"
      findings.deviations = [
        ContractDeviation(message: "\(expected), came the status \(response.status)")
      ]
      return findings
    }
    failures = []
    findings.deviations += missingHeaders(described, response.headers, &failures)
    let hasBody =
      method != "HEAD" && response.status >= 200 && ![204, 304].contains(response.status)
    var isCut = false
    if hasBody {
      findings.deviations += body(described, match, response, &failures, &isCut)
    }
    if !failures.isEmpty || isCut { findings.obstacle = Self.obstacle(failures, name) }
    return findings
  }

  /// Why not all could be checked, as a sentence; without failures because it would take too long.
  private static func obstacle(_ failures: [ReferenceFailure], _ name: String) -> String {
    var seen: Set<String> = []
    let reasons = failures.map(\.explanation).filter { seen.insert($0).inserted }
    let more = reasons.count > 3 ? "; and \(reasons.count - 3) more" : ""
    let why = reasons.isEmpty
      ? "its schemas branch too often" : reasons.prefix(3).joined(separator: "; ") + more
    return "The response could not be checked against \(name): \(why)."
  }

  private func undescribed(_ method: String, _ url: String, _ match: OperationMatch?) -> String {
    if let match {
      let path = index.operations[match.operation].path
      let methods = index.methods(of: url).joined(separator: ", ")
      return "expected \(methods) of \(path), which has no \(method)"
    }
    return "no operation is described for \(method) \(URLParts(url)?.path ?? url)"
  }

  // MARK: - Headers

  private func missingHeaders(
    _ described: APIResponse, _ headers: HeaderFields, _ failures: inout [ReferenceFailure]
  ) -> [ContractDeviation] {
    (described.value["headers"]?.members ?? []).compactMap { name, value in
      // The standard says that the media types count, not this header.
      guard !name.equalsIgnoringASCIICase("Content-Type"), headers.first(name) == nil,
        index.description.header(name, value, &failures)?.isRequired == true
      else { return nil }
      return ContractDeviation(message: "expected the header `\(name)`, it is missing")
    }
  }

  // MARK: - Bodies

  private mutating func body(
    _ described: APIResponse, _ match: OperationMatch, _ response: ContractedResponse,
    _ failures: inout [ReferenceFailure], _ isCut: inout Bool
  ) -> [ContractDeviation] {
    guard !described.media.isEmpty else {
      guard isStrict, response.size > 0 else { return [] }
      return [ContractDeviation(message: "expected no body, came \(response.size) bytes")]
    }
    if response.size == 0 {
      let types = described.media.map(\.type).joined(separator: ", ")
      return [ContractDeviation(message: "expected a body of \(types), it is empty")]
    }
    let written = response.headers.first("Content-Type")
    guard let media = Self.media(described.media, written) ?? assumed(described, match) else {
      let types = described.media.map(\.type).joined(separator: ", ")
      let came = written.map { "`\($0)`" } ?? "no Content-Type"
      return [ContractDeviation(message: "expected \(types), came \(came)")]
    }
    guard let schema = media.schema, let bytes = response.body,
      let type = written.flatMap({ MediaType($0) }) ?? MediaType(media.type), type.isJSON
    else { return [] }
    let tree: JSONTree
    do throws(JSONSyntaxError) { tree = try JSONTree(parsing: type.inUTF8(bytes)) } catch {
      return [
        ContractDeviation(
          message: "expected JSON, but at byte \(error.offset) \(error.explanation)")
      ]
    }
    let deviations = schemas.deviations(of: tree.root, from: schema)
    failures += schemas.unresolved
    isCut = schemas.isCut
    // What an unknown schema fits, it may not fit, so that such a count says nothing.
    let isSure = schemas.unresolved.isEmpty
    return deviations.filter { isSure || !Self.countingKeywords.contains($0.keyword) }.map {
      ContractDeviation(
        pointer: $0.pointer, message: $0.pointer.isEmpty ? "the body: \($0.message)" : $0.message)
    }
  }

  /// What refuses values that fit too much.
  private static let countingKeywords: Set<String> = ["oneOf", "not", "contains", "maxContains"]

  /// The form of Swagger 2.0 where it names no media types, so that any fits.
  private func assumed(_ described: APIResponse, _ match: OperationMatch) -> APIMedia? {
    guard index.description.version == .swagger2, index.description.root["produces"] == nil,
      index.operation(match).value["produces"] == nil
    else { return nil }
    return described.media.first
  }

  /// The form that a `Content-Type` means: the one with its parameters, else its type, else a range
  /// of types.
  private static func media(_ media: [APIMedia], _ written: String?) -> APIMedia? {
    guard let type = written.flatMap({ MediaType($0) }) else { return nil }
    var best: (rank: Int, media: APIMedia)?
    for candidate in media {
      guard let own = MediaType(candidate.type) else { continue }
      let rank: Int
      if own.essence == type.essence {
        rank = own.parameters.allSatisfy { type.parameter($0.name) == $0.value } ? 4 : 3
      } else if own.essence.hasSuffix("/*"), type.essence.hasPrefix(own.essence.dropLast()) {
        rank = 2
      } else if own.essence == "*/*" {
        rank = 1
      } else {
        continue
      }
      if rank > best?.rank ?? 0 { best = (rank, candidate) }
    }
    return best?.media
  }
}
