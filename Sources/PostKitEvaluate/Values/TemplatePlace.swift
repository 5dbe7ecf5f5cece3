// The places of templates.

/// Where a template stands, which decides what an unresolved reference means (PK-66, PK-67).
package enum TemplatePlace: Sendable, Hashable {
  case target, header, path, metadata, body
}
