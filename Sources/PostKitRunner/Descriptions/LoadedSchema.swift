// A GraphQL schema, read from files or from what a service has answered.

package import PostKitDescription
import PostKitEvaluate

/// A GraphQL schema that was read.
package struct LoadedSchema: Sendable {
  package let schema: GraphQLSchema
  /// What is wrong with its files, in sentences; what could be read is there all the same.
  package let failures: [DescriptionFailure]

  /// Reads a schema from files: definitions, or one answer to an introspection query. `content` has
  /// what was read of the files.
  package init(_ files: [(path: String, content: Result<[UInt8], DescriptionFailure>)]) {
    var failures: [DescriptionFailure] = []
    var sources: [GraphQLSource] = []
    for file in files {
      switch file.content {
      case .failure(let failure): failures.append(failure)
      case .success(let bytes) where file.path.lowercased().hasSuffix(".json"):
        do throws(GraphQLIntrospectionFailure) {
          let definitions = try GraphQLIntrospection.definitions(bytes)
          sources.append(GraphQLSource(path: file.path, bytes: definitions))
        } catch {
          failures.append(
            DescriptionFailure(
              path: file.path, message: "\(file.path) is no schema: \(error.explanation)."))
        }
      case .success(let bytes):
        sources.append(GraphQLSource(path: file.path, bytes: bytes))
      }
    }
    schema = GraphQLSchema(sources: sources)
    self.failures = failures + Self.failures(of: schema)
  }

  /// What is wrong with definitions, with its lines; those that an answer was made into have none.
  private static func failures(of schema: GraphQLSchema) -> [DescriptionFailure] {
    schema.problems.filter { !$0.isRemark }.map { problem in
      let source = schema.sources[problem.source]
      let isAnswer = source.path.lowercased().hasSuffix(".json")
      let line = source.bytes[..<problem.range.lowerBound].count { $0 == 10 } + 1
      let place = isAnswer ? source.path : "\(source.path):\(line)"
      return DescriptionFailure(path: source.path, message: "\(place): \(problem.message)")
    }
  }

  /// Reads what a service has answered.
  package init(answer: [UInt8], of url: String) throws(GraphQLIntrospectionFailure) {
    schema = try GraphQLSchema(introspection: answer, path: url)
    failures = []
  }
}

extension Workspace {
  /// The bytes of a file of a schema.
  package func schemaContent(_ path: String) -> Result<[UInt8], DescriptionFailure> {
    func failure(_ message: String) -> Result<[UInt8], DescriptionFailure> {
      .failure(DescriptionFailure(path: path, message: message))
    }
    switch content(path) {
    case .bytes(let bytes): return .success(bytes)
    case .missing: return failure("There is no file \(path).")
    case .unreadable(let why): return failure("\(path) can't be read: \(why)")
    case .outside(let why): return failure("PostKit does not read \(path): \(why).")
    }
  }
}
