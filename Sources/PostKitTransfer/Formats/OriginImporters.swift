// The list of formats: the one place that knows all of them.

/// The formats of other tools that can be imported, in the order in which they are asked whether
/// they recognise something. Orders, the help and sentences derive from this list.
enum OriginImporters {
  static let all: [any OriginImporter.Type] = [
    PostmanImporter.self, InsomniaImporter.self, BrunoImporter.self, OpenCollectionImporter.self,
    OpenAPIImporter.self, HARImporter.self, CurlImporter.self, FetchImporter.self,
    PowerShellImporter.self, HurlImporter.self, HoppscotchImporter.self, ThunderImporter.self,
  ]
}
