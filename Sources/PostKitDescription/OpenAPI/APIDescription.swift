// A description of an API as OpenAPI has it: which version, which servers, which operations.

package import PostKitJSON

/// The versions of OpenAPI that are told apart.
package enum APIVersion: Sendable, Hashable {
  /// Swagger 2.0.
  case swagger2
  case openAPI30
  /// 3.1, and 3.2 read as 3.1.
  case openAPI31

  /// The version that the outermost object of a description says; `nil` for what is none.
  package init?(_ root: JSONView) {
    if let text = root["openapi"].flatMap({ $0.string ?? $0.numberText }) {
      if text == "3.0" || text.hasPrefix("3.0.") {
        self = .openAPI30
      } else if ["3.1", "3.2"].contains(where: { text == $0 || text.hasPrefix($0 + ".") }) {
        self = .openAPI31
      } else {
        return nil
      }
    } else if let text = root["swagger"].flatMap({ $0.string ?? $0.numberText }),
      text == "2.0" || text == "2"
    {
      self = .swagger2
    } else {
      return nil
    }
  }

  /// How its schemas are read.
  package var schemaDialect: SchemaDialect { self == .openAPI31 ? .current : .draft4 }
}

/// A description of an API.
package struct APIDescription: Sendable {
  package let documents: DescriptionDocuments
  package let version: APIVersion
  /// The operations: paths in the order of the document, methods in that of `methods`.
  package private(set) var operations: [APIOperation] = []
  /// References of paths that lead to nothing, each with its path.
  package private(set) var failures: [(path: String, failure: ReferenceFailure)] = []

  /// The members of a path that are operations, in the order in which they are listed.
  package static let methods = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
  ]

  /// Reads a description; `nil` where its outermost value says no version that is known.
  package init?(_ documents: DescriptionDocuments) {
    guard let version = APIVersion(documents.root.view) else { return nil }
    self.documents = documents
    self.version = version
    for (path, value) in documents.root["paths"]?.members ?? [] where path.hasPrefix("/") {
      var item = value
      if value.string("$ref") != nil {
        do throws(ReferenceFailure) {
          item = try documents.resolved(value)
        } catch {
          failures.append((path, error))
        }
      }
      // Members beside a `$ref` of a path win: the standard leaves open what they mean.
      for method in Self.methods {
        guard let operation = value[method] ?? item[method], operation.view.kind == .object else {
          continue
        }
        operations.append(
          APIOperation(method: method.uppercased(), path: path, value: operation, item: item))
      }
      for (method, operation) in item["additionalOperations"]?.members ?? []
      where operation.view.kind == .object {
        operations.append(APIOperation(method: method, path: path, value: operation, item: item))
      }
    }
  }

  /// The description's outermost value.
  package var root: DescribedValue { documents.root }

  /// Its title; empty where it has none.
  package var title: String { root["info"]?.string("title") ?? "" }

  /// The value that a reference leads to, or the value itself; `nil` and a failure where it leads
  /// to nothing.
  func resolved(
    _ value: DescribedValue?, _ failures: inout [ReferenceFailure]
  ) -> DescribedValue? {
    guard let value else { return nil }
    do throws(ReferenceFailure) {
      return try documents.resolved(value)
    } catch {
      failures.append(error)
      return nil
    }
  }
}

/// An operation of a description.
package struct APIOperation: Sendable {
  /// The method in capitals.
  package let method: String
  /// The path as the description writes it, such as `/users/{id}`.
  package let path: String
  /// The operation's object.
  package let value: DescribedValue
  /// The object of its path.
  package let item: DescribedValue

  /// The description's own word for it.
  package var id: String? { value.string("operationId").flatMap { $0.isEmpty ? nil : $0 } }

  /// What it is called in one line.
  package var summary: String? {
    (value.string("summary") ?? item.string("summary")).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What it does, in Markdown.
  package var description: String {
    value.string("description") ?? item.string("description") ?? ""
  }

  /// The groups it belongs to.
  package var tags: [String] { value["tags"]?.elements.compactMap(\.view.string) ?? [] }

  /// Whether it is on its way out.
  package var isDeprecated: Bool { value.isTrue("deprecated") }
}
