// The clients of `Security.Auth` in a file of environments, with the places of their parts.

import PostKitAuth
package import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

/// A client of `Security.Auth`, as one environment of a file writes it.
struct EnvironmentClient {
  /// A member of an object.
  typealias Field = (key: JSONView, value: JSONView)

  /// The environment, or what stands for all of them, such as `$shared`.
  let environment: String
  let id: String
  let key: JSONView
  let object: JSONView

  /// The fields with the keys of the table that they have; `nil` for a key that nobody knows.
  var fields: [(key: SecurityAuthKey?, field: Field)] {
    object.members.map { (SecurityAuthKey.named($0.key.string ?? ""), $0) }
  }

  /// The field of a key, of several the last, which counts.
  func field(_ name: String) -> Field? { fields.last { $0.key?.name == name }?.field }

  /// Whether an environment stands for all of them.
  var isShared: Bool { environment.hasPrefix("$") }
}

extension EnvironmentDocument {
  /// The clients of all environments of the file, in its order.
  var clients: [EnvironmentClient] {
    environments.flatMap { environment in
      environment.value.clients.map {
        EnvironmentClient(
          environment: environment.key.string ?? "", id: $0.key.string ?? "", key: $0.key,
          object: $0.value)
      }
    }
  }

  /// The client whose name stands at an offset.
  func client(at offset: Int) -> EnvironmentClient? {
    clients.first { $0.key.range.touches(offset) }
  }

  /// The sign-in whose name stands at an offset, with the environment that is around it: what it is
  /// with all that other files say of it; `nil` where it has a mistake. `sets` are what is in force
  /// with each environment.
  package func token(
    at offset: Int, in sets: [EnvironmentSet], _ context: EvaluationContext, _ dialect: Dialect
  ) -> (place: TokenPlaceInFile, environment: String?)? {
    guard let client = client(at: offset),
      let set = sets.first(where: { $0.active == client.environment })
        ?? (client.isShared ? sets.first : nil),
      let reference = TokenReference(name: "auth.token", arguments: client.id)
    else { return nil }
    let scope = Scope(document: ParsedDocument(bytes: []), environments: set, dialect: dialect)
    var evaluator = Evaluator(context: context, scope: scope)
    guard case .need(let need) = evaluator.token(reference, at: 0..<0, offset: 0) else {
      return nil
    }
    let place = TokenPlaceInFile(range: client.key.range, configuration: need.configuration)
    return (place, set.active)
  }

  /// This file and those that hold together with it.
  var sources: [EnvironmentSource] { others + [EnvironmentSource(kind: kind, file: file)] }
}
