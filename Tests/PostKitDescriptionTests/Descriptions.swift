// Descriptions for tests, written as JSON.

import PostKitDescription
import PostKitJSON
import Testing

/// Reads the documents of a description from JSON texts; `others` are the files beside it.
func documents(
  _ text: String, _ others: [String: String] = [:], path: String = "api.json"
) throws -> DescriptionDocuments {
  let tree = try JSONTree(parsing: Array(text.utf8))
  let trees = try others.mapValues { try JSONTree(parsing: Array($0.utf8)) }
  return DescriptionDocuments(tree, path: path) {
    if $0.hasPrefix("..") { return .outside }
    return trees[$0].map { .tree($0) } ?? .missing
  }
}

/// The sample of `components.schemas.It`, or else of the whole text, as compact JSON.
func sample(
  _ text: String, _ dialect: SchemaDialect = .current, required: Bool = false
) throws -> (json: String?, problems: [SampleProblem]) {
  let documents = try documents(text)
  var sampler = SchemaSampler(documents, dialect)
  sampler.isRequiredOnly = required
  let schema = documents.root["components"]?["schemas"]?["It"] ?? documents.root
  return (sampler.sample(of: schema)?.text, sampler.problems)
}
