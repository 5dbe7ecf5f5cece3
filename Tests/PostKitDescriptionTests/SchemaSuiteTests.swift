// Measures the check of schemas against the suite that implementers share, where a machine has it.

import PostKitDescription
import PostKitJSON
import PostKitSupport
import Testing

@Suite struct SchemaSuiteTests {
  /// The variable that names the suite's folder, which has `tests`.
  static let variable = "POSTKIT_JSON_SCHEMA_SUITE"

  /// Files of the suite with what PostKit says it does not check.
  private static let uncheckedFiles: Set<String> = [
    "unevaluatedItems.json", "unevaluatedProperties.json", "dynamicRef.json", "vocabulary.json",
    "refRemote.json",
  ]

  @Test(arguments: [("draft4", SchemaDialect.draft4), ("draft2020-12", .current)])
  func `the suite passes but for what is unchecked`(folder: String, dialect: SchemaDialect) throws {
    guard let root = ProcessEnvironment.value(Self.variable) else { return }
    let path = "\(root)/tests/\(folder)"
    var (count, unchecked) = (0, 0)
    var failures: [String] = []
    for name in try FileSystem.list(path, suffix: ".json")
    where !Self.uncheckedFiles.contains(name) {
      let tree = try JSONTree(parsing: try FileSystem.read(path: "\(path)/\(name)", limit: 1 << 22))
      for group in tree.root.elements {
        let schema = try #require(group["schema"])
        let documents = DescriptionDocuments(try JSONTree(parsing: Array(schema.source)))
        var check = SchemaCheck(documents, dialect)
        for test in group["tests"]?.elements ?? [] {
          guard let data = test["data"], let isValid = test["valid"]?.bool else { continue }
          count += 1
          let isFine = check.deviations(of: data, from: documents.root).isEmpty
          if isFine == isValid { continue }
          let title =
            "\(name): \(group["description"]?.string ?? ""): "
            + "\(test["description"]?.string ?? "")"
          if Self.namesOtherDocuments(schema) || !check.unchecked.isEmpty {
            unchecked += 1
          } else {
            failures.append(title)
          }
        }
      }
    }
    #expect(count > 400)
    #expect(unchecked <= 25)
    #expect(
      failures.isEmpty, "\(failures.count) of \(count)\n\(failures.joined(separator: "\n"))")
  }

  /// Whether a schema moves the base of its references, which descriptions do not.
  private static func namesOtherDocuments(_ schema: JSONView) -> Bool {
    let text = String(decoding: schema.source, as: UTF8.self)
    return text.contains("\"$id\"") || text.contains("\"id\": \"http")
  }
}
