// Which JSON Schema is read.

/// The schemas that are told apart.
package enum SchemaDialect: Sendable, Hashable {
  /// Draft 4 as OpenAPI 2.0 and 3.0 have it: what stands beside a `$ref` is not read.
  case draft4
  /// 2020-12 as OpenAPI 3.1 has it.
  case current
}
