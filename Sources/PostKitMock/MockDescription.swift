// The answers that an OpenAPI description promises, as recordings: its examples, else samples.

package import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// Reads the answers of a description.
package struct MockDescription {
  private let description: APIDescription
  private let name: String
  private let rank: Int
  private var sampler: SchemaSampler

  /// Makes a reader; `name` is that of the file, for messages.
  package init(_ description: APIDescription, name: String, rank: Int) {
    self.description = description
    self.name = name
    self.rank = rank
    sampler = SchemaSampler(description.documents, description.version.schemaDialect)
    sampler.isRequest = false
  }

  /// The answers of all operations: of each the one that a client hopes for first.
  package mutating func recordings() -> [MockRecording] {
    var result: [MockRecording] = []
    for operation in description.operations {
      var failures: [ReferenceFailure] = []
      let responses = description.responses(of: operation, &failures)
      for path in paths(of: operation) {
        for response in responses.sorted(by: Self.isHopedFor) {
          result += recordings(response, of: operation, path)
        }
      }
    }
    return result
  }

  /// Answers of success go before others; the order of the description counts among equals.
  private static func isHopedFor(_ left: APIResponse, _ right: APIResponse) -> Bool {
    left.status.hasPrefix("2") && !right.status.hasPrefix("2")
  }

  /// The operation's path below each base path that the servers have.
  private func paths(of operation: APIOperation) -> [[MockSegment]] {
    let own = description.ownServers(of: operation)
    var bases = (own.isEmpty ? description.servers : own).map { server in
      server.url[URLText(server.url).path]
    }
    // Who sends to the mock may leave the base path out.
    bases.append("")
    var seen: Set<[MockSegment]> = []
    return bases.map { base in
      "\(base)/\(operation.path)".split(separator: "/").map { segment in
        segment.contains("{") ? MockSegment.parameter : .literal(String(segment))
      }
    }.filter { seen.insert($0).inserted }
  }

  private mutating func recordings(
    _ response: APIResponse, of operation: APIOperation, _ path: [MockSegment]
  ) -> [MockRecording] {
    let status = Self.status(response.status)
    let label = operation.id ?? "\(operation.method) \(operation.path)"
    var headers = HeaderFields()
    for (field, value) in response.value["headers"]?.members ?? [] {
      guard let schema = value["schema"], let sample = sampler.sample(of: schema) else { continue }
      headers.append(field, ParameterWriter.plain(sample))
    }
    func recording(_ body: [UInt8], type: String?, name: String?) -> MockRecording {
      var headers = headers
      if let type { headers.append("Content-Type", type) }
      var result = MockRecording(
        source: "\(self.name), \(label) \(response.status)", method: operation.method.uppercased(),
        path: path, status: status, headers: headers, body: .bytes(body))
      result.rank = rank
      result.name = name
      return result
    }
    var result: [MockRecording] = []
    // JSON first: who says nothing of types gets the first.
    let json = response.media.filter { MediaType($0.type)?.isJSON == true }
    for media in json + response.media.filter({ MediaType($0.type)?.isJSON != true }) {
      let named = examples(of: media, response)
      result += named.map { recording(bytes($0.value, media), type: media.type, name: $0.name) }
      guard named.isEmpty, let schema = media.schema, let sample = sampler.sample(of: schema) else {
        continue
      }
      result.append(recording(bytes(sample, media), type: media.type, name: nil))
    }
    return result.isEmpty ? [recording([], type: nil, name: nil)] : result
  }

  /// The examples of an answer with their names.
  private func examples(
    of media: APIMedia, _ response: APIResponse
  ) -> [(name: String?, value: JSONValue)] {
    if let example = media.value?["example"] { return [(nil, example.view.value)] }
    let named = (media.value?["examples"]?.members ?? []).compactMap { member in
      // One that can't be had is as none.
      (try? description.documents.resolved(member.value))?["value"].map {
        (name: Optional(member.name), value: $0.view.value)
      }
    }
    if !named.isEmpty { return named }
    return response.value["examples"]?[media.type].map { [(nil, $0.view.value)] } ?? []
  }

  private func bytes(_ value: JSONValue, _ media: APIMedia) -> [UInt8] {
    let type = MediaType(media.type)
    if case .string(let text) = value, type?.isJSON != true { return Array(text.utf8) }
    if type?.isXML == true, let schema = media.schema {
      return Array(SampleXML(sampler).text(value, schema).utf8)
    }
    var writer = JSONWriter(indent: 2)
    writer.write(value)
    return writer.bytes + [10]
  }

  /// The status of `200`, `4XX` or `default`, which is for errors.
  private static func status(_ text: String) -> Int {
    if let status = Int(text), (100...599).contains(status) { return status }
    let first = text.first?.wholeNumberValue ?? 0
    return (1...5).contains(first) ? first * 100 : 500
  }
}
